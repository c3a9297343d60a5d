// Package engine holds what the rooms below it share with the catalogue of
// tools: errors with a code and a next step, records for a run, and small words.
//
// An engine is the work of one tool that is too large for the tool's file: it
// returns values and files nothing. What it needs of the call that runs it, it
// names in an interface of its own.
package engine
