// reproduce: makes a flow of the calls of a run, so that the run can be
// repeated without its client.
//
// It says why where no flow does: a flow that leaves out a step would repeat
// something else. How a call is repeated stands in its tool's spec ([Repeat]).

package workspace
