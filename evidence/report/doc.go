// Package report makes the views of a QAReport: JSON for machines, HTML for a
// person at a screen, Markdown for a pull request.
//
// A view shows what the report holds and judges nothing. Everything that came
// from a page is hostile here: it is shown as text, and never becomes markup,
// a link, a mention or a request. The HTML opens from disk, without scripts
// and without any request but for the run's own pictures.
package report
