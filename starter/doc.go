// Package starter makes the files that a project begins with: configuration, a first
// task, flow and spec, the settings of clients, a CI workflow. It writes none of them.
package starter
