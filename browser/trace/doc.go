// Package trace rewrites the traces that the Playwright driver writes into zips
// that its viewer opens: secrets, passwords, cookies and our own questions to the
// page are left out, and groups that name the tools' calls are put in.
//
// A folder comes in and a zip goes out, in one pass that streams: the driver need
// not pack anything. An event or a file of a kind that is not known is left out,
// since nothing says what it holds. It depends on no browser and no session.
package trace
