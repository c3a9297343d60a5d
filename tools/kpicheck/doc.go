// Package kpicheck compares the figures that a page shows with those that an
// oracle expects, for each range of a task: it brings the page to the range,
// waits until the figures stand still, queries the oracle, and returns rows,
// checks and findings. What a text on a page means as a figure is decided in
// qa/kpi.
//
// A range ends early when nothing has changed for 2 s. A difference
// counts when two answers of the oracle agree.
package kpicheck
