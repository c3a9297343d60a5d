// Package eventlog keeps what a session's pages said, asked for and opened, within
// bounds: console lines, requests and their outcomes, refusals of the guard and of
// the way out, dialogs, popups and downloads. What a driver tells of is recorded in
// the order in which it happened; what was dropped is counted, never hidden.
//
// A reader asks for what came since a [Mark] or a [Position], or in a [Window]; each
// answer says what is no longer kept. The log knows no driver and no browser: pages,
// requests and responses are interfaces, known by their identity. What an entry means
// for a verdict is not its business.
package eventlog
