// Package publish writes the index, JUnit, CTRF and summary of a suite, and sends
// its outcome to a webhook.
//
// It has no part in a verdict: what can't be written or sent is a warning.
package publish
