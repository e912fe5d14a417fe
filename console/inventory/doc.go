// Package inventory knows hosts by keys that the organisation has written
// down: the plain and @cert-authority lines of root-owned known-hosts files.
//
// A name from here depends on nothing that an operator can write: no alias, no
// HostName, no known_hosts of their own. Policy's exceptions go by it.
//
// A file counts when it and its folder belong to root and nobody else can
// write them. A plain key names its host when one line holds it; a key that
// several lines hold, or that is marked @revoked, names nobody, since a host
// could pass for the other. A host certificate that an authority on file
// signed names its host by a principal that the authority's line allows.
// Hashed names and patterns name nobody.
package inventory
