// Package spec reads what a tester writes: task files, Markdown specs, and the
// readings of their sentences that a person has accepted.
//
// All that is wrong in a file is reported at once, with file and line. It runs
// nothing and opens no file: bytes come in, and tasks, procedures and problems go
// out.
package spec
