package flows

import (
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/flowpage"
	"github.com/assay-qa/assay/tools/tool"
)

// Page holds the page of a flow's attempt, with its pictures.
type Page struct {
	*flowpage.Page
	run *Run
}

// Page returns the page of an attempt that begins now.
func (r *Run) Page(s *browser.Session) *Page {
	p := flowpage.New(tool.PageCall{Call: r.Call, Session: s}, r.Call.Checker(s), r.Plain)
	p.Given, p.Began = r.Session != nil, r.began
	return &Page{p, r}
}
