// Package accept finds the readings that runs propose for sentences of a spec or a
// task that are not understood, and keeps those that a person accepts.
//
// It asks no question: the command of a person does. A run that is not as it was signed
// proposes nothing.
package accept
