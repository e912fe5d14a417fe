// Package ship delivers logs to a collector over OTLP (HTTP with protobuf, or
// gRPC). The log file is the queue: the shipper reads the lines that are on
// disk, sends them, and moves a cursor beside the log only when the collector
// has accepted them. Nothing is kept in memory that could be lost, and nothing
// that sends commands ever waits for it.
//
// Delivery is at least once. After a start and after a lost connection the
// last 60 seconds before the cursor are sent again, since collectors keep what
// is new in memory; log.record.uid, the record's leaf hash, is the same each
// time and lets the receiver drop what it has. Network errors, 408, 429 and 5xx
// are tried again, with back-off, jitter and Retry-After. On 400 and 413, and
// when a part of a batch was rejected, the batch is halved until the record
// that will not go stands alone; it is skipped and ship.rejected names it.
//
// A line becomes one log record: its body is the line, byte for byte;
// event.name, severity and trace are set, and as attributes what people search
// by (session, user, host, risk, effect, event, exit code). No text that was
// typed or printed becomes an attribute.
//
// What a receiver holds can be compared with the logs where it can be asked
// ([Reconcile], [VictoriaLogs]). That it accepted a record is its word, and no
// more: the record is what the log says.
//
// The collector's address and headers appear in no record and no error.
package ship
