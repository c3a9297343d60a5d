// Package text shortens and counts for messages that people read: each in one
// way, wherever a message comes from.
//
// # Templates
//
// [Fill] executes the language of text/template over maps.
//
// It refuses structs, methods and functions but and, or, not, eq and ne. text/template
// calls methods by names that are known only at run time, so the linker must keep every
// method of every type: that costs 3 MB here.
//
// # Whole words
//
// [WordsWithin] and [WordsAlone] decide where a text stands as whole words and whole
// numbers. It is pure: texts in, a yes or a no out. Callers search for a text of a
// sentence on a page or in another text.
//
// # Known words
//
// [Nearest] finds the known word that a person, or a model, most likely meant by one
// that is unknown. It has no words of its own.
package text
