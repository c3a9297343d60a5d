// Package terminal shows outcomes at a person's terminal: marks and colours as far as
// the terminal has them, and lines about what runs that are redrawn in place. Where no
// person looks it adds nothing: a file gets the plain lines.
package terminal
