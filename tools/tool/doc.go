// Package tool holds what all tools have: how one is defined ([Define],
// [Spec]), and one call of it from its arguments to its answer ([Call]): its
// run and its session, its budget, the pictures, checks and findings that it
// files, and the envelope.
//
// Every call gets an answer: an error is an answer with a code and a next
// step. The page's text stands between marks, apart from our own words. No
// single tool is named here.
package tool
