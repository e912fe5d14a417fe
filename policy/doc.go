// Package policy answers one question: given a command about to be sent, who
// it comes from and where it goes, what is its risk and what must happen
// before it may leave?
//
// It is pure: no I/O beyond reading the files it is given, no clock of its
// own, no network. The same request and the same files give the same answer,
// byte for byte. Package command reads the line; package runes knows hidden
// characters.
//
// # Two axes
//
// Risk is low, medium or high. Effect is permit (send), confirm (one
// deliberate key), typed (the target's name and two digits), second (another
// person: it denies until it is built) or deny (never leaves).
//
// The final risk is the maximum of the claimed risk and of every rule that
// matches any part of the command, in every file. The final effect is the
// maximum of every matching rule's effect and of what the origin's table
// gives the final risk. So the order of rules and files does not matter, and
// another rule, file, claim or command on the line can never make an answer
// weaker. The one way to relax is an [[exception]] of the organization, and
// it never goes below the claimed risk.
//
// # A file
//
//	schema = 1                       always first
//	[policy]                         id, version, owner; require = [ids]
//	[effects.ORIGIN]                 low, medium, high = an effect
//	[unanalyzable]                   risk, effect: what cannot be read
//	[limits]                         bytes, depth, nodes, unwrap: beyond one a
//	                                 line is unanalyzable; a word counts three
//	                                 nodes
//	[hosts]                          NAME = [patterns, CIDR]; unknown_key =
//	                                 "ask" or "refuse". Private to the file
//	[sets]                           NAME = [names or paths]: @NAME in rules.
//	                                 Private to the file
//	[[rule]], [[exception]]          below
//
// Origins are human, copilot, agent, paste, input, run and file.
//
// A rule has id, message, risk or effect or both, and match; and may have
// mode (enforce; warn: shown, not applied; audit: recorded, not applied),
// dialect, scope, when, unless, alternative, examples, counter_examples. All
// examples are run when the file is read.
//
// Everything in match must hold of ONE simple command:
//
//	program        its base name (no folder, .exe or version) is one of these,
//	               or in a set: @shells @interpreters @editors @pagers
//	               @downloaders @privilege, @readers (they only read and
//	               print), @tools (known by their verbs alone), @known (the console knows what they do), or one of
//	               [sets]. "!a|b": none of these
//	subcommand     the first operands are these, wherever options stand between:
//	               ["delete", "ns|namespace"]; ["!list|show"] is any other
//	verb           the word that says what a noun-verb client does: gcloud
//	               compute instances DELETE x
//	flags          each is there, in any spelling: -fr, -f -r, --force, --forc,
//	               -r=x; "X|request=DELETE" with one of these values
//	operands       some operand matches a glob, as written and cleaned (//, .,
//	               .., ~, $HOME), and joined to the folders that the line or
//	               the console knows. * stays in a path's part, ** does not;
//	               /etc/** also is /etc; "**" is any operand; !{a,b} is any
//	               text within a part but a and b
//	operand_regex  RE2 on one whole operand; arg_regex: on any word
//	writes reads removes sends runs
//	               a path that the command (not only a redirection) writes,
//	               reads, removes, sends to another host, or runs as code
//	env            an assignment or export: "LD_*", "HISTSIZE=0"
//	pipes_to       its output goes into one of these; fed_by: its input comes
//	               from one of these; goes_to: pipes_to, or its output is
//	               among the words, in a variable or in a file that one of
//	               these is given; via: it was found behind one of these
//	sql            a statement given to a database client has this verb ("drop
//	               table", "mongo drop", "unseen"); no_where: and no condition
//	               that narrows
//	network        true, or { allow = [hosts, CIDR] }: an address outside
//	construct      one of: see below
//	text           the raw text holds control, bidi, invisible, foreign_space,
//	               mixed_script, long_padding, newline, placeholder, invalid
//	unknown        "operand": a variable, a command's output or a list from
//	               elsewhere is among the operands
//
// In unless the same keys say when the rule does not hold: every operand and
// every path must match and be known, and a flag or construct that the rule
// does not name voids it. beside lists flags that do not ("*": any).
//
// Constructs: eval eval_unknown prompt_unseen runs_history remote_script dynamic_program glob_program alias function
// shadow trap arith_string unknown_name history_expansion background heredoc_to_shell
// stdin_code unseen_code interactive_shell interactive_interpreter
// remote_shell exec_option unknown_wrapper substitution fed_operands
// fork_bomb symlink prints_environment inline_code starts_programs
// network_code network_upload reverse_shell serves listens decodes_code decodes_text
// runs_download shell_as_code typed_keys sends_output sends_input unknown_verb
// unknown_words shell_word drops_shell loads_library edits_file
// writes_socket reads_socket calls_delete clean_environment.
//
// scope = { hosts, accounts, users, origins }: any name of any target of the
// stack; what nobody knows (the address behind a jump host, an account)
// matches. when = { zone, inside or outside = "Mon-Fri 08:00-18:00" }; an
// unknown time matches.
//
// An [[exception]] has rule, scope, reason, expires. It loads from the
// organization's folder alone, and matches only verified hosts by the
// inventory name of their key, at a known time before its end.
//
// Other tables, each tightened by the strictest file: [interactive] programs,
// start, other; [channels] local_forward, remote_forward, agent_forward, x11,
// subsystems, env; [files] read, write, deny, max_read, max_write; [evidence]
// minimum; [network] allow; [session] idle_lock, max_duration, message;
// [recording] on_failure, recipients, recipients_required; [clipboard] write;
// [prompt] user_code; [secrets] prompts; [consent] presence; [copilot] hosts,
// send; [agents] hosts, tools. Hosts of [network] allow are outside every rule on network.
// For allow lists the organization's statement replaces the
// shipped one; what stands below only narrows.
//
// # Where files come from
//
// Those that ship, then Config.OrgDir, Config.UserDir and Config.Files. The
// organization's folder and files must belong to root and be writable by
// nobody else; where it holds a MANIFEST, that must name exactly its files
// (see Manifest).
//
// # What it does not promise
//
// It reads text. What a script on the host, an alias or a function that the
// shell did not report, or a program's own language does is not seen: such
// commands are raised for being opaque, not for what they do. Code of other
// languages than the shell is scanned, not parsed.
package policy
