// Package browser is the hands and eyes: it starts Playwright,
// shares one browser process among isolated sessions, acts on pages, reads
// them as outlines whose lines are selectors, and keeps what console and
// network said.
//
// It refuses to guess: a selector that matches several elements is an error
// that lists them, and every call ends in bounded time with a result or with
// an [Error] that names the code, the subject and what to do next. No
// Playwright type appears in an exported signature. What a value means (a
// tolerance, a verdict) is not its business.
package browser
