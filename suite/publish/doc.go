// Package publish writes the index, JUnit, CTRF and summary of a suite, and sends
// its outcome to a webhook.
//
// It has no part in a verdict: what can't be written or sent is a warning.
//
// # Shards
//
// [Merge] makes one suite of the shards that several jobs ran. It refuses shards that
// are missing, are there twice, have not ended or ran under another configuration. A
// pass whose run is not there as it was signed counts as an error: a suite's own file
// is not signed.
//
// # Messages
//
// A message tells a webhook or a pull request how a suite ended. The webhook's address
// is a secret, and stands in no error.
package publish
