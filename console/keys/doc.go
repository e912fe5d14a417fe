// Package keys names the keys of a terminal and turns them into the bytes that a remote program expects.
//
// Three parts of the console share it: the interface, which makes an Event of every key that it is given; agents, which name keys
// ("C-c", "Enter", "F5"); and sessions, which encode an Event for the modes that the remote terminal is in.
//
// # Names
//
// A name is a character or one of the names below, with any of the prefixes C- (control), M- (Alt, sent as an ESC prefix) and S-
// (shift) before it: "a", "C-c", "M-x", "S-Tab", "C-M-Left". A minus alone is the key "-".
//
//	Enter Tab Backspace Escape Space Up Down Right Left Home End Insert Delete PageUp PageDown F1 … F20
//	KP0 … KP9 KPDecimal KPDivide KPMultiply KPSubtract KPAdd KPEnter KPEqual
//
// # Bytes
//
// Cursor keys, function keys and the keypad follow xterm: SS3 forms in application modes, CSI forms with a modifier parameter
// (1 + shift 1 + Alt 2 + control 4) when a modifier is held. Control with a letter is the C0 control. Events that have no bytes of
// their own encode to nothing rather than to a guess.
//
// Paste frames text for bracketed paste. Whatever could end the frame early or act as a control is taken out first, and again once
// the pieces stand side by side: ESC, the C0 controls except newline and tab, DEL, and U+0080 … U+009F.
//
// Not promised: the kitty keyboard protocol and modifyOtherKeys are not spoken.
package keys
