// patch: decides which files of a project a model may write: tests below the
// test folder, and plans below test-plan, by names that mean the same on every system.
// Patches are taken apart, and what they make is computed here: no text of a model
// decides by itself which file changes. Deleting, renaming, links, modes and binary
// content are refused. The package reads and writes no file.

package workcopy
