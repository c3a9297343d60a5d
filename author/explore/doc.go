// Package explore works a web site as a careful stranger would: it looks at a
// page, tries what it has not tried yet, and keeps a graph of the states that
// it has seen and of the actions between them.
//
// It needs no model. What can be done next is kept by author/explore, which
// states are the same decides author/explore, and what a form takes says
// author/explore. The page itself is an interface, [Page].
package explore
