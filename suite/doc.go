// Package suite runs cases side by side, records where each stands, and stores
// that, so that an interrupted or failed suite can be resumed.
//
// It does not know how a case is run: cases come in as functions, and results go
// out as values.
package suite
