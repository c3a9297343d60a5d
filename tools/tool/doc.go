// Package tool holds what all tools have: how one is defined ([Define], [Spec]), and
// one call of it from its arguments to its answer ([Call]): its run and its session,
// its budget, the pictures, checks and findings that it files, and the envelope.
//
// A call answers always: what went wrong is an answer with a code and a next step.
// What page text there is stands between marks, apart from our own words. The room
// knows no single tool; none of them is named here.
package tool
