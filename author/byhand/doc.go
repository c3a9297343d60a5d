// Package byhand makes a flow of what a person did in a browser's window, and proposes what it could assert
// of what was seen to change.
//
// It runs nothing of what it makes: the flow is recorded, not run, and no person has accepted it. What no
// step of a flow does is a gap in it.
package byhand
