// Package config reads the console's configuration and says where each value
// came from.
//
// Three layers, the later over the earlier:
//
//  1. the organisation's, /etc/sallyport/config.toml. It belongs to root and
//     nobody else can write it or its folder; else nothing is started;
//  2. the operator's, $XDG_CONFIG_HOME/sallyport/config.toml;
//  3. flags.
//
// The organisation's file may have a list `locked` of keys ("copilot.url") and
// tables ("audit"). A locked value, also one that the organisation left at its
// default, cannot be changed by a later layer: the operator's file is warned
// about, a flag is an error. Keys that Settings marks as the organisation's
// own are an error in the operator's file.
//
// The files are TOML. A key that does not exist, a value of the wrong type and
// a value out of range are errors with file and line.
package config
