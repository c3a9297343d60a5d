// Package record tells what a person does in a browser's window: acts on elements, and what the
// browser did beside them, such as a dialog that was answered.
//
// It listens in each document, in an isolated world that is its own. The world's name is random, and the
// binding by which acts come stands in that world alone: no script of a page can call it, replace it
// or take it away. Listeners are there before a page's own, and count events alone that the browser says
// come from a person (isTrusted), so that what scripts make is no act.
package record
