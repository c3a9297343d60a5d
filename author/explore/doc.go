// Package explore works a web site as a careful stranger would: it looks at a
// page, tries what it has not tried yet, and keeps a graph of the states that
// it has seen and of the actions between them.
//
// It needs no model. The page itself is an interface, [Page].
//
// # The next action
//
// A model may be asked which of the next actions of an exploration it would take. The
// model picks a number from a list; it can't ask for anything else.
//
// # Values of forms
//
// The fields of a form get one set of values that every constraint accepts, and for
// each constraint one that breaks it alone.
//
// # States
//
// Looks at a page show the same state where these are the same: the place, the same
// shape of the outline, the same overlays. What changes by itself is learnt by
// comparing looks, and left out.
//
// # Coverage
//
// A [CoverageSum] adds up what of a site's scripts ran, by the blocks that a browser
// counts.
//
// # The site map
//
// [Sitemap] draws what an exploration found as one HTML page without scripts: a map of
// the states, their pictures, and lists of what was found and what stayed untried.
//
// # The frontier
//
// The frontier keeps the actions that an exploration could do next, and chooses among
// them. Links to pages of a kind that nobody has visited come first: those of the start
// page before those of others, what opens a menu before the addresses of links that
// nobody sees, and the nearest; then further pages of a kind. Each fourth action is
// another one, so that pages do not starve what is behind their controls: what nobody
// has tried on any page, then what was tried least, then what is nearest. Actions that
// write come first; those that delete what the exploration made come last, but for the
// log-out.
package explore
