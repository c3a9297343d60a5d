// Package health decides whether a page is one that anybody would call broken,
// whatever it is meant to show: nothing drawn, an error page, a template that
// was not filled in, a spinner without end.
//
// It depends on no browser and no clock: what a page shows comes in as facts, named
// findings go out. A finding is certain or likely; what stands in code, in a
// field or in prose about programming is neither.
package health
