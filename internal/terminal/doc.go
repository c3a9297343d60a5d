// Package terminal shows outcomes at a person's terminal: marks and colours as far as
// the terminal has them, and lines about what runs that are redrawn in place. Where no
// person looks it adds nothing: a file gets the plain lines.
//
// # Standard output
//
// [KeepStdout] keeps a program's answers apart from whatever else is written to its
// standard output, and tells when nobody reads them any more.
//
// Libraries write to descriptor 1 as they please; a protocol on it bears no foreign
// line. So the program takes the descriptor away from them, once, before it does
// anything else.
package terminal
