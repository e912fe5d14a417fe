// Package audit keeps the record of everything a console did.
package audit
