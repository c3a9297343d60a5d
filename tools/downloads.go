package tools

import (
	"cmp"
	"mime"
	"os"
	"path/filepath"

	"github.com/assay-qa/assay/browser"
)

// fileDownloads files in the run what the session's pages gave to save since
// the last call, and says where it lies. What the configuration sends to a
// folder of its own stays there.
func (c *call) fileDownloads(s *browser.Session) {
	for _, d := range s.TakeDownloads() {
		switch {
		case d.Failed != "":
			c.quote("download %s not saved: %s", d.Name, d.Failed)
		case c.desk.KeepDownloads:
			c.quote("download %s: %s, %d bytes, sha256 %s", d.Name, d.Path, d.Size, d.SHA256)
		default:
			c.fileDownload(d)
		}
	}
}

// endDownloads cancels what a session that is about to end still downloads, and
// files what it has saved: its files go with it.
func (c *call) endDownloads(s *browser.Session) {
	if c.runErr != nil {
		return
	}
	cancelled := s.CancelDownloads()
	c.fileDownloads(s)
	for _, d := range cancelled {
		c.quote("cancelled, it was still running: %s", d)
	}
}

func (c *call) fileDownload(d browser.Download) {
	data, err := os.ReadFile(d.Path) // bounded by the session
	if err == nil {
		kind := cmp.Or(mime.TypeByExtension(filepath.Ext(d.Name)), "application/octet-stream")
		a, stored := c.run.SaveDownload(d.Name, kind, data, c.step)
		if err = stored; err == nil {
			c.quote("download %s: %s, %d bytes, sha256 %s", d.Name, filepath.Join(c.run.Dir(), filepath.FromSlash(a.Name)), a.Size, a.SHA256)
			if removed := os.Remove(d.Path); removed != nil {
				c.desk.Log.Warn("remove the browser's copy of a download", "err", removed)
			}
			return
		}
	}
	c.say("warning: a download could not be filed: %v", err)
}
