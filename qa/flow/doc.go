// Package flow holds user flows: what their steps may say, how their files are
// read, and how they are run, step after step, on a page.
//
// It is pure: bytes, clock and page come in from outside. It refuses a flow
// with content that no check would cover (an unknown key, a field that its
// action ignores), and it never passes one in which nothing was asserted.
package flow
