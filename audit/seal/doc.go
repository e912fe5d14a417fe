// Package seal proves a log: it knows the bytes of lines and nothing of what
// they say.
//
// A log's lines are chained (each names the SHA-256 of the one before) and
// are the leaves of an RFC 6962 Merkle tree. A checkpoint is a signed note
// (C2SP tlog-checkpoint) about the tree: origin, number of leaves, root. The
// keys that sign it ratchet: [Epochs] signs a checkpoint, then the public key
// of the next epoch, and forgets its own seed; who steals today's key cannot
// sign yesterday again. A [HostKey] may sign the first epoch's public key.
//
// Seeds are wiped from the memory that this package holds. Copies that the
// runtime or the kernel made of it (a stack that moved, swap, a core dump)
// are out of its reach.
package seal
