// Package selectors holds the grammar of selectors: lines of a snapshot, CSS,
// XPath and the other forms that tools accept, joined by >> and led by frames.
//
// It refuses to guess: a text that is no selector is an [Error] that says why.
// What a selector finds is decided in a page, by package browser: nothing here
// knows one. What the page itself refuses, such as CSS, passes.
package selectors
