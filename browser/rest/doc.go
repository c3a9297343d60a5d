// Package rest is where browser waits: for the answer of a page, a driver or a
// browser, for something to come about, for a turn.
//
// It refuses to wait for longer than its caller's context lives. No other file
// of browser selects among channels (a law), so that no page, however stuck, can
// hold a caller beyond its deadline.
//
// It also holds the policies of what is waited for, as pure functions of what an observer
// knows: see [Awaited].
package rest
