// Package flows runs flows within a call and files what came of them: their steps,
// pictures, checks and result. verify_user_flow, assay run and replays use it.
//
// Which step follows, and when a flow is retried, is qa/flow's; how a step is done on
// a page is tools/flowpage's.
package flows
