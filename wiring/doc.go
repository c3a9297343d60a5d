// Package wiring makes what commands work with from a configuration: the pool of
// browsers, the store, the desk of tools, the provider of models, the runner of
// suites. It is what every command and every benchmark that runs in process
// shares; flags, terminals and exit codes are the command's.
package wiring
