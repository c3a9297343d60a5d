// Package wiring loads the settings, and makes what commands work with from them: the
// pool of browsers, the stores of the data folder, the desk of tools, the provider of
// models, the runner of suites, the server. Every command and every benchmark that
// runs in process shares it; flags, terminals and exit codes are the command's.
package wiring
