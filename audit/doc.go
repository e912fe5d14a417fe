// Package audit keeps the record of everything a console did. Three promises,
// in this order:
//
//  1. Before: nothing leaves for a host until its intent is durable. If that
//     write fails, the send is refused and nothing ran.
//  2. After: an outcome that cannot be written never hides a result that
//     happened; the caller shows it and says that its record is lost, and new
//     sends are refused until the log works again.
//  3. Proof: a log that was edited, reordered, cut in the middle, or cut at
//     its end up to the last checkpoint that left the machine does not verify,
//     and the verifier says which of these it was and where.
//
// This documentation is the specification of the format: it is enough to
// write a second verifier. (One that was, with the standard library alone, is
// in testdata/verifier; package audit/verify is the first.)
//
// # What this cannot do
//
// It cannot detect the loss of what came after the last checkpoint that left
// the machine; a live writer that was compromised and writes what it is told;
// a disk that was set back together with the keys, when no checkpoint from
// outside is at hand; a clock that was wrong. A console without the daemon
// runs as the operator, who could forge all of its log: such a log says
// "anchor": "none", and is never ok under a trusted key. Exit codes, working
// directories and the end of a command are the host's claim.
//
// # Files
//
//	<dir>/                                0700
//	  20261130T105700Z-9f3c2a10.jsonl     a log: when it was opened (UTC) and the
//	                                      first 8 digits of its id; 0600
//	  20261130T105700Z-9f3c2a10.cursor    how far shipping has got: {"seq":N,"leaf":HASH}
//	                                      (.cursor.next while it is replaced)
//	  20261130T105700Z-9f3c2a10.reserve   4 MiB for a full disk, while the writer lives
//	  recordings/<session>.cast[.age]     terminal recordings (package audit/recording)
//	  sealed/<session>[.N].age            exact texts for the auditors
//	  sealed/probe-<hex>                  empty: a writer tried the folder; it stays
//	                                      only where the folder keeps all names
//
// The name of a file in recordings/ or sealed/ says whose it is: the session, or
// in sealed/ the log for records of none. In sealed/ the N that is split off is
// a number without leading zeros, from 1.
//
// A log is one file with one writer process for its whole life, which holds
// an exclusive flock on it. Whatever ends the log (close, size, age, a failed
// write, a crash), nobody writes to it again; the next writer opens a new one
// that names it. Nothing is renamed, rewritten, truncated or repaired.
//
// # Lines
//
// A record is one JSON object (RFC 8259) on one line: UTF-8, no white space
// between tokens, keys in the order below, ended by a newline (0x0A). It is
// complete with its newline. It is at most 262,144 bytes long, newline
// included.
//
//	v        1
//	ts       when it arrived: RFC 3339, UTC, nine digits of a second, "Z"; a time
//	         that there is
//	log      id of the log: 32 lower-case hex digits
//	seq      number of the record in its log, from 0, without gaps
//	prev     SHA-256 of the line before, without its newline, in lower-case hex;
//	         64 zeros at seq 0
//	session  id of the session; absent for what belongs to none
//	event    from the list below
//	actor    who: user, uid, from (SSH_CONNECTION), sudo_user, tty; with the daemon
//	         also pid, login_uid, audit_session, started, executable, and
//	         claimed: true for what the peer only says
//	target   host as asked, address reached, port, account, fingerprint; may be absent
//	trace    W3C traceparent of the caller; may be absent
//	data     the event's own fields
//	cut      fields of data that were too long: [{field, bytes, digest}]; may be absent
//	sealed   {offset, bytes, digest, part}: the entry of sealed/<session>.age (or
//	         sealed/<log>.age, or with part N sealed/<session>.N.age) that holds
//	         the record's exact bytes; may be absent
//
// So a line begins, byte for byte, with
//
//	{"v":1,"ts":"…","log":"…","seq":N,"prev":"…","session":"…","event":"…","actor":{
//
// (session being optional) and ends with "}". In strings, the control and
// format characters (Unicode Cc, Cf, Zl, Zp) are escaped: \n, \r, \t, else
// \uXXXX in lower-case hex, by UTF-16 unit; " and \ have a backslash before
// them; everything else stands for itself.
//
// # Chain and tree
//
// The line hash is SHA-256 of the line's bytes without the newline; prev is
// the line hash of the line before. The leaf hash is SHA-256 of 0x00 and the
// same bytes; the leaves, by seq, form the Merkle tree of RFC 6962, section
// 2.1 (an inner node is SHA-256 of 0x01, left, right; the left subtree has the
// largest power of two of leaves that is smaller than their number; the root
// of no leaves is SHA-256 of nothing). Hashes are always rebuilt from the lines.
//
// # Checkpoints
//
// A checkpoint record holds a signed note (C2SP signed-note, tlog-checkpoint)
// about all lines before it, in data.note, the last field of data:
//
//	<log>                       origin: the log's id
//	<seq of this record>        number of leaves
//	<base64 of the root>
//	<base64 of SHA-256 of this line's bytes up to and including `"note":`>
//	                            an empty line
//	— <log> <base64 of key hash and signature>
//
// each with a newline at its end. The signature is Ed25519 (RFC 8032) over the
// four lines with their newlines. The key hash is the first four bytes of
// SHA-256 of the log's id, 0x0A, 0x01 and the public key. There is one
// signature, base64 (RFC 4648, padded) in its canonical form, so that after
// `"note":` the line's bytes are determined by the note: the note as a JSON
// string, then "}}". Every byte of a checkpoint's line is signed.
//
// A checkpoint comes after every limits.checkpoint_every records (1024), after
// limits.heartbeat_s seconds (60) also when nothing happened, at the end of
// each session, and at close. data.epoch is the epoch whose key signed.
//
// # Keys
//
// Epoch 0's public key is data.key of log.open (base64). After each
// checkpoint but the one at close the next record is key.rotate, with the
// number and the key of the epoch that begins and the old key's Ed25519
// signature over
//
//	sallyport key.rotate v1\n<log>\n<epoch, decimal>\n<base64 of the new key>\n
//
// after which the old seed is gone: whoever takes today's key cannot sign
// yesterday again. If data.anchor of log.open is "host", data.host_sig is the
// signature of data.host_key over
//
//	sallyport log.open v1\n<log>\n<base64 of epoch 0's key>\n
//
// and data.host_key is what a verifier compares with the key it trusts
// (NAME+HASH+BASE64, the verifier key of C2SP signed-note).
//
// # How logs name each other
//
// A link is {log, file, records, size, root, last}: the file's name without
// .jsonl, how many lines it has, their bytes, the root of their tree, the hash
// of the last. log.open names the newest log that had ended (previous) and
// others that had and that no log named yet. Directly behind it stand a
// log.recovered for each log whose writer is gone and did not close it, and an
// outcome "unobserved" for each of its intents without one; log.open's pending
// are the intents that a writer took over from its own earlier logs. With
// own: true the log's own writer speaks, after a failed write: what stands
// there after the named records was not acknowledged, is in the successor
// again where it was, and counts for nothing. log.pruned names logs before
// they are removed.
//
// A log.recovered with receipt: true may stand anywhere. Somebody (its actor)
// showed a receipt, log found.log and seq at, and the record is not in that
// log ("shorter") or is another ("edited"); it is no link. The file's name is
// empty where the log is not there. Only of a log that was not closed is such a
// receipt believed.
//
// # Verdicts
//
// Of each log one verdict, the first of these that holds:
//
//   - "unreadable": it is no regular file, or cannot be read.
//   - Lines up to the first that is no record of this log with the right seq
//     and prev are followed (for a log with an own end: up to that). If there
//     is such a line, all lines are taken together: "edited" if a line is no
//     record, or two different ones have one number, or one does not have the
//     hash that the next by number names; else "duplicated" if the same bytes
//     come twice; else "missing" if a number up to the highest is not there;
//     else "reordered".
//   - "edited": log.open at another place than the first; an unknown event; a
//     checkpoint over another tree or another beginning of its line, or not in
//     canonical form. "bad signature": no key of the log signed a checkpoint,
//     the old key not the new one, the host key not the first. "wrong epoch":
//     another epoch's key signed; no key.rotate after a checkpoint, or one
//     elsewhere; a wrong number. "unsealed tail": records after log.close and
//     its checkpoint.
//   - "edited": a line behind the last checkpoint is not JSON.
//   - Against links of other logs, and checkpoints from outside: "missing" if
//     fewer records are there, "forked" if the root (last, size) differs or no
//     key of the log signed.
//   - Under a trusted key: "bad signature" if it did not sign.
//   - While the writer holds the lock: "stale" if the last checkpoint (or
//     log.open) is older than two heartbeats, else "ok (open)".
//   - Of a log that a log.recovered names, the first that counts: "edited" or
//     "missing" if its damage says so ("shorter"), "edited" if other bytes follow
//     the named records than torn_bytes (more, for an own end); else "recovered".
//   - "torn tail": bytes after the last newline. "unclosed": no log.close.
//     "unsealed tail": log.close and no checkpoint after it. "stale": more than
//     two heartbeats between the last two checkpoints.
//   - "ok" under a trusted key, else "ok (unanchored)".
//
// What excuses counts only in a log that can be believed: one whose own verdict
// is an ok, "recovered", "torn tail", "unclosed", "unsealed tail" or "stale", and
// does not rest on this one. That goes for log.pruned, for receipts, and for a
// log.recovered that tells of no damage or of a torn tail; of "edited" and
// "shorter" anybody may tell. (Else a forged log could speak for a cut one.)
//
// Then a log that can be believed, and that a receipt does not find as it was,
// is "missing" or "edited". Of files in one folder that hold the same log, the
// one whose name ends in the first 8 digits of the log's id counts, else the
// first by name. Another that is ok, "torn tail" or "unclosed" is "forked" if it
// has as many lines and another root, else "duplicated".
//
// "missing log" is the verdict on a log that a link, a checkpoint from outside or
// a receipt names, that is not there, and that no log.pruned names by its file
// or id.
//
// Of each file in recordings/ and sealed/ that is not as the logs beside it say,
// a verdict of its own follows: that on the first piece, by records, with which
// something is wrong. (Nothing is said of a folder that is not there: it was not
// brought along. Where a daemon keeps the log, recordings are in the folders of the
// consoles: of a file that is not in the log's folder, but in another that was
// named, that one is meant.) "missing": a piece that a record names is not
// there, or cannot be read. "edited": its digest differs; bytes follow the chunk that is final; or no
// record names some bytes of it, and nothing explains them: all logs with records
// of the session are closed, the session or its console came to an end there
// (session.disconnected, or log.close with reason done), and no record says that
// the recording (recording.chunk with an error, session.error of step recording)
// or the sealing (session.error of step sealed) failed. (Else such bytes are told
// in the detail of the log's verdict: they came after the last record of a console
// that lives or died, or their record was refused.) "foreign": it is no regular
// file, or no log has a record of the session that its name says, nor is the log
// that is in a sealed one's; but not if a log was pruned, and not an empty
// sealed/probe-<hex>, with which a writer tries the folder. Once a log was pruned,
// bytes that no record names are nobody's edit. Pieces are those of the lines up to
// the first that something is wrong with. What no record names is asked only where
// there is no such line, in all logs of the folder, and none is "unreadable".
//
// # Digests
//
// "sha256:HEX", or "hmac-sha256:KEYID:HEX" under the writer's digest key for
// anything in which the redactor found something and for anything under 64
// bytes: a plain hash would let a masked password be guessed. The length of
// such a body is left out. The key has 32 random bytes, lasts as long as the
// writer, and KEYID is the first 16 hex digits of its SHA-256 (log.open's
// digest_key). It is encrypted to the auditors in log.open's sealed_key (age);
// without recipients it is not kept.
//
// # Sealed texts
//
// With recipients, the exact bytes of commands, suggestions and typed input go
// to sealed/ before the record is written. An entry is four bytes of length
// (big endian) and an age file; its plaintext is {"event":…,"fields":[base64…]},
// filled up with spaces to a multiple of 256 bytes. The fields are those of the
// event that are marked Exact below, in this order. The record's sealed.digest
// is the SHA-256 of the whole entry. A record that only the second sink took,
// under broken glass, has no entry: its digests are all that is left.
//
// # Durability
//
// Append returns when the bytes and the size are on disk (fdatasync). Callers
// that arrive meanwhile share the next sync. The first write or sync that
// fails ends the log, since the kernel may have dropped the pages and would
// say "ok" to a second sync; what was not acknowledged goes to a new log, or is
// refused. When the disk is full the reserve beside the log is given back, and
// what it frees is used for how things ended; intents are refused
// ([Unwritable]) until there is space again, which the writer looks for every
// second.
//
// After a crash a log ends with a torn tail: an incomplete last line, or NULs.
// A complete line that fails, or an end before what the shipping cursor has
// seen, is damage and is called so.
//
// # Events
//
// Fields of data, in order; "?" may be absent, "[]" is a list. What has no
// type in <> is words: redacted. Risk, Effect, Origin, Evidence and the like
// are closed words (word.go lists them), Hash is 64 hex digits, PublicKey,
// Signature and Ciphertext are base64, Exact is the digest of exact bytes,
// Body is {bytes, digest}.
//
//	log.open: format <int>, version?, host?, pid <int>, limits <Limits>, previous? <Link>, others?
//	  <Link>[], pending? <IntentRef>[], anchor <Anchor>, key <PublicKey>, host_key? <PublicKey>,
//	  host_sig? <Signature>, digest_key <KeyID>, recipients?[], sealed_key? <Ciphertext>
//	log.close: reason <CloseReason>, records <uint64>
//	log.recovered: found <Link>, damage <Damage>, torn_bytes <int64>, torn_digest? <Digest>, at?
//	  <uint64>, own? <bool>, receipt? <bool>, detail?, orphans <int>
//	log.pruned: before <Time>, logs <Link>[]
//	checkpoint: reason <CheckpointReason>, epoch <uint64>, cursor? <Cursor>, note <Note>
//	key.rotate: epoch <uint64>, key <PublicKey>, sig <Signature>
//	policy.loaded: policy <Policy>, owner?, files? <File>[], rules <int>, warnings?[]
//	policy.refused: file?, line? <int>, column? <int>, reason
//	session.connecting: destination, via?[], resumes? <SessionID>, origin? <Origin>, client?
//	session.connected: address? <Address>, port? <int>, account?, fingerprint? <Fingerprint>,
//	  key_type?, host_key_from?, method?, user_key? <Fingerprint>, server_version?, via?[],
//	  duration_ms <int64>
//	session.auth_failed: methods?[], reason
//	session.boot: stage, digest? <Hash>, shell?, version?, evidence? <Evidence>, user_code?[],
//	  probes? <Hash>[]
//	session.degraded: reason, from? <Evidence>, evidence <Evidence>
//	session.error: step?, reason
//	session.disconnected: reason?, duration_ms <int64>, commands <int>, refused <int>, edits?
//	  <int64>, signals? <int64>, probes? <int64>
//	session.resized: cols <int>, rows <int>
//	suggestion.received: id, suggestion_seq? <uint64>, agent?, command, command_digest? <Exact>,
//	  description?, claimed_risk? <Risk>, risk? <Risk>, effect? <Effect>
//	suggestion.edited: id, suggested, command, command_digest? <Exact>, edit?
//	suggestion.cleared: ids?[], all <bool>
//	suggestion.dismissed: id
//	command.intent: command, command_digest <Exact>, origin <Origin>, suggestion_id?, suggestion_seq?
//	  <uint64>, agent?, suggested?, suggested_digest? <Exact>, edited <bool>, edit?, echo?, form?
//	  <Form>, claimed_risk? <Risk>, risk <Risk>, effect <Effect>, rules <Rule>[], policy <Policy>,
//	  consent <Consent>, evidence <Evidence>, dialect?, account?, cwd?, targets? <Frame>[], facts?
//	  <Fact>[], analyzable <bool>, why?
//	command.refused: command?, command_digest? <Exact>, class? <Class>, origin <Origin>,
//	  suggestion_id?, agent?, by <RefusedBy>, reason, claimed_risk? <Risk>, risk? <Risk>, effect?
//	  <Effect>, rules? <Rule>[], policy? <Policy>, dialect?, cwd?, targets? <Frame>[]
//	command.outcome: intent <uint64>, intent_log? <LogID>, status <OutcomeStatus>, exit_code <int>,
//	  cwd?, duration_ms <int64>, output_bytes? <int64>, output_digest? <Digest>, output_tail?,
//	  supersedes? <uint64>, note?
//	input.line: text, text_digest? <Exact>, program?, prompt?, dialect?, origin? <Origin>, intent?
//	  <uint64>, risk? <Risk>, effect? <Effect>, rules? <Rule>[], consent? <Consent>, targets?
//	  <Frame>[]
//	input.eof: program?, intent? <uint64>
//	keys.open: program, intent? <uint64>, reason?
//	keys.close: program, opened? <uint64>, keys <int64>, digest? <Digest>, reason?, duration_ms
//	  <int64>
//	secret.entered: program?, prompt?, intent? <uint64>
//	channel.open: channel, detail?, origin? <Origin>, effect? <Effect>, consent? <Consent>, rules? <Rule>[]
//	break_glass.opened: reason, cause, sink
//	break_glass.closed: records <uint64>
//	mcp.call: direction <MCPDirection>, transport?, agent?, claimed?, tool, call? <uint64>,
//	  arguments?, body? <Body>
//	mcp.result: direction <MCPDirection>, transport?, agent?, tool, call? <uint64>, intent? <uint64>,
//	  outcome <MCPOutcome>, error?, duration_ms <int64>, response? <Body>
//	mcp.offline: reason, queued <int>
//	mcp.online: server?, version?, tools? <Hash>, changed <bool>, away_ms <int64>
//	job.dispatch: job, agent?, tool, arguments?, body? <Body>
//	job.terminal: job, agent?, outcome <MCPOutcome>, intent? <uint64>, error?, duration_ms <int64>,
//	  response? <Body>
//	file.get: path, resolved?, local?, agent?, body? <Body>, mode?, effect? <Effect>, consent?
//	  <Consent>, rules? <Rule>[], intent? <uint64>, status? <OutcomeStatus>, reason?
//	file.put: path, resolved?, local?, agent?, body? <Body>, mode?, effect? <Effect>, consent?
//	  <Consent>, rules? <Rule>[], intent? <uint64>, status? <OutcomeStatus>, reason?
//	recording.chunk: file, index <int>, offset <int64>, bytes <int64>, digest <Hash>, final? <bool>,
//	  error?
//	ship.rejected: rejected_seq <uint64>, rejected_log <LogID>, leaf <Hash>, code <int>, reason?
//	ship.cursor_reset: cursor_log <LogID>, from <Cursor>, to <Cursor>, reason
//	review.opened: command, query?, logs <int>
//
// The step of a session.error is recording or sealed (see Verdicts), shipping, or
// one of connecting.
//
// Parts of these:
//
//	Limits: bytes, age_s, checkpoint_every, heartbeat_s
//	Link: log, file, records, size, root, last
//	IntentRef: log, seq, session
//	Cursor: seq, leaf
//	Policy: id, version, digest
//	File: path, digest
//	Rule: id, file, line, mode
//	Frame: host, account, container, address, port, fingerprint, verified
//	Consent: how, text_matched, shown_at, answered_at
//	Fact: program, subcommand, words, writes, constructs, via
//
// An intent that no later record points to means: started, outcome not
// recorded. An outcome points to its intent by seq, in the same log unless
// intent_log says otherwise, and in the same session.
package audit
