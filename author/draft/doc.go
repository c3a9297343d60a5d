// Package draft is where an author's tests stand until a person takes them over: files
// are written into a working copy, checked before, formatted, and proposed as a branch.
// A file that its check refuses is not written, so every test file in the copy may be
// run. The copy is made with the first file.
//
// # Format and style
//
// [Check] formats test files and judges their style, with the pinned prettier and
// eslint and rules of its own. Files come as texts and go as texts: nothing of a
// project is read, written or run, and no comment in a file switches a rule off.
package draft
