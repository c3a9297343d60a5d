// merge: makes one suite of the shards that several jobs ran. It
// refuses shards that are missing, are there twice, have not ended or ran
// under another configuration. A pass whose run is not there as it was signed
// counts as an error: a suite's own file is not signed.

package publish
