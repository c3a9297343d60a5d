// Package draft is where an author's tests stand until a person takes them over: files
// are written into a working copy, checked before, formatted, and proposed as a branch.
// A file that its check refuses is not written, so every test file in the copy may be
// run. The copy is made with the first file.
package draft
