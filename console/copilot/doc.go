// Package copilot is the console as an MCP client of Linus, an AI agent that
// answers with a plan, suggested commands and chat. Linus can never send anything
// to a host: what it suggests waits until a person sends it through the gate.
//
// # What goes out
//
// Four tools are called: linus_chat, linus_terminal_update, linus_command_executed
// and linus_session_state. Every string among their arguments is a [redact.Text] or
// one of this package's constants; there is no other way for a string to reach MCP.
// What policy lets out of a session ([Sends]) is asked again for every call.
//
// Chat messages and events are called at once. Output is gathered and sent at most
// once a second. A command is told of when it ends, or five seconds after it began
// and then once more when it ends; _meta holds command_id and final.
//
// # What comes back
//
// Every tool answers with one envelope, as structured content or as JSON text, whose
// blocks are all optional (envelope.schema.json):
//
//	{"chat_response":      {"message": "text", "mentions": ["id"]},
//	 "intent_update":      {"summary": "text", "confidence": 0.85,
//	                        "steps": [{"status": "done|current|pending", "text": "text"}]},
//	 "suggested_commands": {"commands": [{"id": "id", "command": "text",
//	                        "description": "text", "risk": "low|medium|high"}]},
//	 "clear_suggestions":  {"ids": ["id"], "all": false}}
//
// A block that is not valid is dropped, noted in the chat with the reason and
// recorded; the others are used, in the order clear, commands, intent, chat. Unknown
// blocks and fields are ignored. A missing or unknown risk is high. A command is
// never cut: a block that is over a bound ([MaxCommand] and the others) is not valid.
//
// Every call has a number. An intent or a clear from an older call than the one that
// last set it is dropped, and so is a command older than the clear that removed it.
//
// # When Linus is away
//
// A lost connection, an error, a timeout or three unreadable replies in a row end the
// connection; it is made again with back-off from one second to thirty, at once when
// the operator writes. Chat messages wait, at most [MaxQueue], and are sent once each
// in order. A message that Linus may have read before the connection broke is not
// sent again by itself: it is [Failed], and [Session.Resend] is the operator's. Output,
// events and commands are dropped meanwhile; when Linus is back it is told of every
// open session.
//
// # What is NOT promised
//
// Text from Linus is hostile. [Untrusted] keeps it from being drawn as it is, but
// what it persuades a person to do is between policy, gate and that person. Redaction
// is as good as package redact. Nothing here keeps a copilot that is reached by URL
// from telling others what it was told.
package copilot
