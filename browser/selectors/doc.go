// Package selectors holds the grammar of selectors: lines of a snapshot, CSS,
// XPath and the other forms that tools accept, joined by >> and led by frames.
//
// It doesn't guess: a text that is no selector is an [Error] with the reason.
// Package browser resolves a selector in a page; no page is needed here. What
// only the page itself refuses, such as invalid CSS, passes.
package selectors
