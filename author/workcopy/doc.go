// Package workcopy gives an author a repository's last commit in a folder of its own.
//
// The copy is a repository that borrows the objects of the user's: its configuration is
// ours alone, so no hook, filter, diff driver or submodule of anybody runs in it, and
// nothing in the user's folder changes. The only thing that is ever written there is
// one new branch, by Propose. Nothing is pushed.
//
// Uncommitted changes are not in the copy. A copy that a killed process left is removed
// when the next one is opened.
//
// # Patches
//
// A model may write some files of a project: tests below the test folder, and plans
// below test-plan, by names that mean the same on every system. Patches are taken
// apart, and what they make is computed here: no text of a model decides by itself
// which file changes. Deleting, renaming, links, modes and binary content are refused.
// The package reads and writes no file.
package workcopy
