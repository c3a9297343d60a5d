// Package workspace holds what the calls of one client share: the settings,
// the run that is open, the sessions with their sign-ins, traces and traffic,
// the secrets, and what calls have seen so far ([Workspace]).
//
// It works on runs and sessions, not on calls: it files what belongs to a run
// as a whole, when that ends. Cases side by side have a workspace each
// ([Workspace.Fork]), so that none sees another's work.
//
// # The flow of a run
//
// [FlowFromCalls] makes a flow of the calls of a run, so that the run can be repeated
// without its client.
//
// It says why where no flow does: a flow that leaves out a step would repeat something
// else. How a call is repeated stands in its tool's spec ([Repeat]).
package workspace
