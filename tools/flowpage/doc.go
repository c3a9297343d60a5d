// Package flowpage is a session as a flow runs on it: it does steps, makes
// assertions, recognises recorded elements, and says whose fault a failed step is
// and whether it may be gone the next time. How a flow goes on is decided in
// qa/flow; what is filed of it, and its pictures, in tools.
package flowpage
