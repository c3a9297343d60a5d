// Package testrun runs Playwright tests: with the project's own runner, or with
// the pinned one, behind a gate, without retries. What came of each test is
// filed as a run with evidence.
package testrun
