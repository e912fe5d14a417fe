// Package shellmarks is the part of the console that runs on the remote: the
// bootstrap, the hooks that a shell gets, the marks they write and the keys
// that they understand. It does no I/O of its own.
//
// # Marks
//
// A mark is
//
//	ESC ] 7770 ; M ; kind ; fields … BEL
//
// with M the nonce of a frame on this channel. Backslash, semicolon, newline
// and control characters in a field are written \\ and \xHH. Parse reads one;
// it decides nothing: whether M is current is for the session to say.
//
//	I;shell;version;pid;tty        the hook is installed
//	D;exit;seq;cwd                 a command ended
//	B;n                            prompt number n is drawn, the editor reads
//	2;left;n                       continuation prompt number n is drawn; left lines of the buffer follow
//	R;seq;mode;len;line;charmap;options;words…
//	                               the shell's buffer, and what changes its meaning
//	G;seq                          the accept was taken
//	C;seq                          the accepted command starts
//	N;reason                       the accept was not taken, nothing ran
//	U;seq;line                     something tried to run unaccepted and was killed
//	L                              the editor broke the line and reads on
//	E;off                          a key would have opened an editor or a pager on the buffer
//	X;exit                         the shell ends
//
// Two marks come before a frame has its nonce: LOADER;shell from the loader,
// and READY from a hook that waits for its secrets.
//
// # Secrets
//
// M and the accept key K are random for each frame and change with every
// verdict. They are never in an argument list, an environment, a file or a
// script: the hook reads them from the terminal with echo off as its last
// step. What runs as the same user can still read them out of the shell's
// memory or ask the shell for its variables.
package shellmarks
