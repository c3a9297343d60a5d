// Package flows runs flows within a call and files what came of them: their steps,
// pictures, checks and result. verify_user_flow, assay run and replays use it.
//
// Which step follows, and when a flow is retried, is qa/flow's; how a step is done on
// a page is tools/flowpage's.
//
// # Comparisons of figures
//
// A [Comparison] chooses oracle, ranges and tolerance, brings the page to each range,
// and files the result.
//
// What comes with a task is not for a caller to loosen. Reading and judging is
// tools/kpicheck's.
//
// # Comparisons with baselines
//
// A [PictureCall] compares pages with baselines, and files their pictures, rows, checks
// and findings, for the tools and for steps of flows.
//
// Comparing is tools/visualcheck's, and approving a person's.
package flows
