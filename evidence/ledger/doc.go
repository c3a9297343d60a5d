// paths: names the files of a data folder and of a run, once for all who
// write, read, bundle, verify or delete them.
//
// It holds names alone: what is in the files is decided by the rooms that use it.

package ledger
