package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
)

const (
	maxShotName   = 60 // bytes of a screenshot's name, without number and ending
	pngSignature  = "\x89PNG\r\n\x1a\n"
	jpegSignature = "\xff\xd8\xff"
)

// viewTypes lists the documents that [Run.Finish] may store beside report.json.
var viewTypes = map[string]string{
	ledger.HTML:      "text/html; charset=utf-8",
	ledger.Markdown:  "text/markdown; charset=utf-8",
	ledger.JUnit:     "application/xml",
	ledger.RichJUnit: "application/xml",
	ledger.CTRF:      "application/json",
	ledger.Strict:    "application/json",
	// Made by the run itself:
	ledger.RunCheckpoint: "application/json",
	ledger.TestResult:    "application/json",
}

// isOwnDocument reports whether a name is that of a document which the run makes itself.
func isOwnDocument(name string) bool {
	name = strings.TrimSuffix(name, ledger.Pending)
	return name == ledger.EventsFile || name == ledger.Report || name == ledger.Evidence || viewTypes[name] != ""
}

var plainName = pattern.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

var plainEnding = pattern.New(`^\.[A-Za-z0-9]{1,10}$`)

// SaveScreenshot stores a picture of width times height pixels as
// screenshots/NNN-name.png (or .jpg, as its bytes say), its bytes as they are, with
// the places of elements in it.
func (r *Run) SaveScreenshot(name string, data []byte, width, height, step int, boxes ...qa.ElementBox) (qa.Artifact, error) {
	return r.savePicture(name, data, width, height, step, 1, boxes...)
}

// SavePicture stores a picture that was not taken of a page now, such as what
// one is compared with. It is no screenshot that the run's costs count.
func (r *Run) SavePicture(name string, data []byte, width, height, step int) (qa.Artifact, error) {
	return r.savePicture(name, data, width, height, step, 0)
}

func (r *Run) savePicture(name string, data []byte, width, height, step, cost int, boxes ...qa.ElementBox) (qa.Artifact, error) {
	var ending, mime string
	switch {
	case bytes.HasPrefix(data, []byte(pngSignature)):
		ending, mime = "png", "image/png"
	case bytes.HasPrefix(data, []byte(jpegSignature)):
		ending, mime = "jpg", "image/jpeg"
	default:
		return qa.Artifact{}, fmt.Errorf("run %s: store screenshot %q: its %d bytes are neither PNG nor JPEG", r.id, name, len(data))
	}
	a, err := r.storeArtifact("screenshot", data, func() qa.Artifact {
		r.shots++
		name = string(r.store.masked("text/plain", []byte(name)))
		return qa.Artifact{Name: fmt.Sprintf("%s/%03d-%s.%s", ledger.Screenshots, r.shots, pictureFileName(name), ending), MIMEType: mime,
			Width: width, Height: height, Step: step, Boxes: boxes}
	})
	if err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.spent.pictures += cost
	}
	return a, err
}

// SaveFile stores another artefact, such as console.jsonl. If the name is
// taken the file becomes console-2.jsonl: the artefact that comes back has the
// name that holds.
func (r *Run) SaveFile(name, mime string, data []byte, step int) (qa.Artifact, error) {
	if masked := string(r.store.masked("text/plain", []byte(name))); masked != name {
		ending := path.Ext(masked)
		name = pictureFileName(strings.TrimSuffix(masked, ending)) + ending
	}
	data = r.store.masked(mime, data)
	if !plainName.MatchString(name) || isOwnDocument(name) {
		return qa.Artifact{}, fmt.Errorf("run %s: store %q: use a plain file name that the run doesn't use itself", r.id, name)
	}
	return r.storeArtifact("file "+name, data, func() qa.Artifact { return qa.Artifact{Name: r.artifacts.free(name), MIMEType: mime, Step: step} })
}

// SaveDownload stores a file that a page gave to save as
// downloads/dNNN-name.ext. Of the name only letters, digits and a plain ending
// are kept: it is the page's, and not to be trusted. Secrets in a text are masked.
func (r *Run) SaveDownload(name, mime string, data []byte, step int) (qa.Artifact, error) {
	return r.saveForeign(ledger.Downloads, "d", name, mime, data, step)
}

// SaveUpload stores a file that a page was given as uploads/uNNN-name.ext, as
// [Run.SaveDownload] does.
func (r *Run) SaveUpload(name, mime string, data []byte, step int) (qa.Artifact, error) {
	return r.saveForeign(ledger.Uploads, "u", name, mime, data, step)
}

func (r *Run) saveForeign(folder, letter, name, mime string, data []byte, step int) (qa.Artifact, error) {
	ext := path.Ext(name)
	if !plainEnding.MatchString(ext) {
		ext = ""
	}
	base := pictureFileName(strings.TrimSuffix(name, ext))
	if utf8.Valid(data) { // a text, whatever the page calls it
		data = r.store.masked("text/plain", data)
	}
	return r.storeArtifact("file "+name, data, func() qa.Artifact {
		return qa.Artifact{Name: fmt.Sprintf("%s/%s%03d-%s%s", folder, letter, r.artifacts.in(folder)+1, base, ext), MIMEType: mime, Step: step}
	})
}

// ArtifactURI returns the resource address of a stored file of a run.
func ArtifactURI(runID, name string) string {
	return "assay://runs/" + runID + "/artifacts/" + strings.TrimPrefix(path.Base("/"+name), "/")
}

// Stored returns the artefact of the run that a reference leads to, in any of the forms
// in which answers and reports name one: its name, from which the folder may be left out
// (001-login.png is screenshots/001-login.png), its path, its resource address, or its
// SHA-256, of which the first 12 digits are enough.
func (r *Run) Stored(reference string) (qa.Artifact, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if a, ok := r.artifacts.byDigest(reference); ok {
		return a, true
	}
	name := reference
	if rest, ok := strings.CutPrefix(reference, ArtifactURI(r.id, "")); ok {
		if unescaped, err := url.PathUnescape(rest); err == nil {
			name = unescaped
		}
	} else if inside, err := filepath.Rel(r.dir, reference); err == nil && filepath.IsLocal(inside) {
		name = filepath.ToSlash(inside)
	}
	return r.artifacts.find(name)
}

// Artifacts lists what is stored so far, in the order it came.
func (r *Run) Artifacts() []qa.Artifact {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.artifacts.list()
}

// storeArtifact stores the bytes of the artefact that name describes, and enters their
// digest in the event log. Bytes without a digest would be no evidence, so they go again
// if that fails.
func (r *Run) storeArtifact(what string, data []byte, name func() qa.Artifact) (qa.Artifact, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished {
		return qa.Artifact{}, r.refuse(what)
	}
	a := name()
	a.SHA256, a.Size, a.Time = ledger.BlobDigest(data), int64(len(data)), r.store.now().UTC()
	if err := r.folder.create(a.Name, data); err != nil {
		return qa.Artifact{}, fmt.Errorf("run %s: %w", r.id, err)
	}
	if err := r.append(Event{Name: ArtifactStored, Step: a.Step, Artifacts: []qa.Artifact{a}}); err != nil {
		return qa.Artifact{}, fmt.Errorf("run %s: store %s: %w", r.id, a.Name, errors.Join(err, r.folder.remove(a.Name)))
	}
	r.artifacts.add(a)
	return a, nil
}

// pictureFileName makes a file name of what a model or a flow calls a picture:
// letters and digits of any script stay, everything else becomes a dash.
func pictureFileName(name string) string {
	var b strings.Builder
	dash := false
	for _, c := range name {
		if !unicode.In(c, unicode.L, unicode.M, unicode.N) && c != '_' || c == utf8.RuneError {
			dash = b.Len() > 0
			continue
		}
		if dash {
			b.WriteByte('-')
			dash = false
		}
		if b.Len()+utf8.RuneLen(c) > maxShotName {
			break
		}
		b.WriteRune(c)
	}
	if out := strings.TrimRight(b.String(), "-"); out != "" {
		return out
	}
	return "screenshot"
}
