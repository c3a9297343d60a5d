// Package tools is the catalogue: one file a tool, with its input, output,
// description and handler, and the list of them.
//
// A tool composes: it asks the browser to look or act, hands what was seen to
// the judgement, and files the proof. It refuses to answer in sentences what
// it has not looked at: what could not be looked at is an error with a code,
// and counts in the run's verdict as not looked at.
package tools
