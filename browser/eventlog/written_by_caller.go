package eventlog

import (
	"net/http"
	"slices"

	"github.com/assay-qa/assay/internal/address"
)

// Written says what scripts of the caller have written where it outlives the document: what
// the site shows later may be the caller's own, in whatever words. The zero value is nothing.
type Written struct {
	What  []string // such as "a database of the browser", each once
	Acted bool     // something was done through the page since
	First int      // of those acts: how many the session had seen before the first, as [Log.Acts] counts

	sites []string
}

// on reports whether anything was written that the page at an address may show.
func (w Written) on(at string) bool { return slices.Contains(w.sites, address.Site(at)) }

// anew reports whether what is written next is the first since something was done through
// the page.
func (w Written) anew() bool { return len(w.What) == 0 || w.Acted }

// note notes that something of the site at an address was written.
func (w *Written) note(what, at string) {
	site := address.Site(at)
	if site == "" {
		return
	}
	if w.Acted {
		*w = Written{sites: w.sites}
	}
	if !slices.Contains(w.What, what) {
		w.What = append(slices.Clone(w.What), what)
	}
	if !slices.Contains(w.sites, site) {
		w.sites = append(slices.Clone(w.sites), site)
	}
}

// acted notes that something is done through the page, after so many acts.
func (w *Written) acted(before int) {
	if !w.anew() {
		w.Acted, w.First = true, before
	}
}

// writes reports whether a request asks a server to keep something. What pages tell other sites
// about their visitors is not meant.
func (x *exchange) writes() bool {
	switch x.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return false
	}
	return x.Type != "ping" || address.Site(x.asked()) == address.Site(x.From)
}
