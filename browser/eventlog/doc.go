// Package eventlog keeps what a session's pages logged, sent and opened, within
// bounds: console lines, requests and their outcomes, refusals of the guard and of
// the way out, dialogs, popups and downloads. What a driver reports is recorded in the
// order in which it happened; what was dropped is counted, never hidden.
//
// A reader selects what came since a [Mark] or a [Position], or in a [Window]; each
// answer says what is no longer kept. The log knows no driver and no browser: pages,
// requests and responses are interfaces, known by their identity. What an entry means
// for a verdict is decided elsewhere.
package eventlog
