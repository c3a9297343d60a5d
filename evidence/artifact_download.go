package evidence

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/assay-qa/assay/evidence/paths"
	"github.com/assay-qa/assay/qa"
)

var plainEnding = regexp.MustCompile(`^\.[A-Za-z0-9]{1,10}$`)

// SaveDownload stores a file that a page gave to save as
// downloads/dNNN-name.ext. Of the name only letters, digits and a plain ending
// are kept: it is the page's, and not to be trusted. Secrets in a text are masked.
func (r *Run) SaveDownload(name, mime string, data []byte, step int) (qa.Artifact, error) {
	ext := path.Ext(name)
	if !plainEnding.MatchString(ext) {
		ext = ""
	}
	base := pictureFileName(strings.TrimSuffix(name, ext))
	if utf8.Valid(data) { // a text, whatever the page calls it
		data = r.store.masked("text/plain", data)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished {
		return qa.Artifact{}, r.refuse("download")
	}
	n := 1
	for _, stored := range r.names {
		if path.Dir(stored) == paths.Downloads {
			n++
		}
	}
	a := r.newArtifact(fmt.Sprintf("%s/d%03d-%s%s", paths.Downloads, n, base, ext), mime, data)
	a.Step = step
	if err := r.storeArtifact(a, data); err != nil {
		return qa.Artifact{}, err
	}
	return a, nil
}
