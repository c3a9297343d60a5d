// Package workcopy gives an author a repository's last commit in a folder of its own.
//
// The copy is a repository that borrows the objects of the user's: its configuration is
// ours alone, so no hook, filter, diff driver or submodule of anybody runs in it, and
// nothing in the user's folder changes. The only thing that is ever written there is
// one new branch, by Propose. Nothing is pushed.
//
// Uncommitted changes are not in the copy. A copy that a killed process left is removed
// when the next one is opened.
package workcopy
