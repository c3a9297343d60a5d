// Package resources reads what links in answers lead to: runs, reports, artefacts,
// baselines and schemas, with secrets masked.
//
// It reads stored files, whose hashes are checked, and writes none.
package resources
