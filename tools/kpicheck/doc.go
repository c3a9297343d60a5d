// Package kpicheck compares the figures that a page shows with those that an
// oracle expects, for each range of a task: it brings the page to the range,
// waits until the figures stand still, queries the oracle, and returns rows,
// checks and findings. What a text on a page means as a figure is decided in
// qa/kpi.
//
// A range ends early when nothing has changed for 2 s. A difference
// counts when two answers of the oracle agree.
//
// # The oracle
//
// An oracle has the values that KPIs are expected to have: those of a task, of a
// caller, or of an endpoint that the session may ask. Numbers keep their spelling: a
// figure must not change by being read.
package kpicheck
