// Package loop lets a model write a test until it passes, is proved and covers what the
// task expects, or a guardrail ends the work with its reason.
//
// The model works with tools that come from elsewhere; this package is between it and
// them. A round is a call of run_tests: the written files are formatted, run, held
// against the task's expectations and proved. What is proposed is what was proved, and
// what passes is decided by executed checks: no word of the model or of a page is one.
package loop
