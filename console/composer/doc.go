// Package composer is the line editor for places where the remote shell cannot be asked what its line is.
//
// It takes key events and holds a text; it does no input and no output. Its keys are those of readline's emacs mode, and of its vi
// mode when that is chosen: movement, killing and yanking, undo, history with search (control-R), and lines that are continued on the
// next physical line. What it cannot do is said by the Action that each key returns.
//
// An Editor is owned by one goroutine.
package composer
