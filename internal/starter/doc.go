// Package starter makes the files that a project begins with: configuration, a first
// task, flow and spec, the settings of clients, a CI workflow. It overwrites none
// that is there.
package starter
