package browser

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/disk"
	texts "github.com/assay-qa/assay/internal/text"
)

// Bounds on one upload.
const (
	maxUpload      = 1 << 30 // bytes of all its files
	maxUploadFiles = 100
)

// UploadedFile describes a file that was given to a page.
type UploadedFile struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	Path   string `json:"-"` // of the copy that the page got, which goes with the session
}

// String returns the file in a line.
func (f UploadedFile) String() string {
	return fmt.Sprintf("%s, %d bytes, sha256 %s", f.Name, f.Size, f.SHA256)
}

// staged holds copies of the files of uploads. The browser reads a file when the page
// does, which may be long after the upload: they stay until the session ends.
type staged struct {
	mu    sync.Mutex
	dir   string
	count int
	under map[playwright.Page]int // uploads under way
	given []UploadedFile          // not yet taken
}

// uploading reports whether an upload to that page is under way.
func (s *actions) uploading(page playwright.Page) bool {
	s.staged.mu.Lock()
	defer s.staged.mu.Unlock()
	return s.staged.under[page] > 0
}

// begin notes that an upload to a page is under way until the returned function is called.
func (g *staged) begin(page playwright.Page) (end func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.under == nil {
		g.under = map[playwright.Page]int{}
	}
	g.under[page]++
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.under[page]--; g.under[page] == 0 {
			delete(g.under, page)
		}
	}
}

// folder makes a folder for the files of one upload.
func (g *staged) folder(temp, session string) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.dir = filepath.Join(temp, "uploads-"+session)
	g.count++
	dir := filepath.Join(g.dir, strconv.Itoa(g.count))
	return dir, os.MkdirAll(dir, 0o700)
}

// TakeUploads returns the files that pages were given since the last call of it.
func (s *actions) TakeUploads() []UploadedFile {
	s.staged.mu.Lock()
	defer s.staged.mu.Unlock()
	out := s.staged.given
	s.staged.given = nil
	return out
}

// gave notes what a page was given.
func (g *staged) gave(files []UploadedFile) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.given = append(g.given, files...)
}

// discard removes all copies.
func (g *staged) discard() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.dir == "" {
		return nil
	}
	return os.RemoveAll(g.dir)
}

// Upload gives files to the file input that selector names, which may be hidden, or
// to the one that a click on the named element opens a file chooser for. It returns
// what the input held then. Only files below [Options.UploadRoots] are read; a
// relative name is looked for in each of them. The page gets copies of them, so that
// what was checked is what is sent. A timeout of 0 means the default.
func (s *actions) Upload(ctx context.Context, selector string, files []string, timeout time.Duration) (Acted, error) {
	if err := checkUpload(s.pool.UploadRoots, files); err != nil {
		return Acted{}, err
	}
	up := &upload{staged: &s.staged}
	var err error
	if up.paths, up.files, err = s.stage(ctx, files); err != nil {
		return Acted{}, err
	}
	acted, err := s.act(ctx, "page_upload", selector, timeout, action{acts: true,
		ready: up.ready,
		do:    up.do,
		value: up.chosen,
	})
	if err != nil {
		return acted, err
	}
	acted.Files = up.files
	s.staged.gave(up.files)
	if up.emptied {
		acted.Notes = append(acted.Notes, "upload: the page took the files and has emptied its input since")
	}
	return acted, nil
}

// upload holds one upload while it is done.
type upload struct {
	staged *staged
	paths  []string
	files  []UploadedFile
	input  bool // the element is a file input, or its label

	taker   playwright.JSHandle // the input that took the files
	emptied bool                // it is still there, and holds none any more
}

// heldNow returns the names of the files that an input holds; null where it is gone.
const heldNow = `e => { const input = e.control ?? e; return input.isConnected && input.files ? [...input.files].map(f => f.name).join(', ') : null }`

// chosen returns the names of the files that the input holds after the upload, and notes
// whether the page has emptied it. Of an input that is gone nothing is known.
func (u *upload) chosen(ctx context.Context, t *tab, _ target) string {
	if u.taker == nil {
		return ""
	}
	held, err := within(ctx, t, rest.LookLimit, func() (any, error) { return u.taker.Evaluate(heldNow) })
	names, known := held.(string)
	u.emptied = err == nil && known && names == ""
	return texts.Cut(names, maxValue)
}

// fileInput distinguishes a file input, or its label, from other elements.
const fileInput = `found => found.every(e => (e.control ?? e).type === 'file')`

func (u *upload) ready(l playwright.Locator, limit *float64) error {
	if err := awaitAttached(l, limit); err != nil {
		return err
	}
	yes, err := l.EvaluateAll(fileInput)
	if err != nil {
		return err
	}
	if u.input = yes == true; u.input {
		return nil
	}
	return l.Click(playwright.LocatorClickOptions{Timeout: limit, Trial: playwright.Bool(true)})
}

// heldFiles records what the input holds at the moment when the page hears of it, before
// the page's own listeners, which may well empty it.
const heldFiles = `e => {
	const got = { files: null }, input = e.control ?? e;
	const take = event => {
		if (event.composedPath()[0] === input && !got.files) got.files = [...input.files].map(f => ({ name: f.name, size: f.size }));
	};
	for (const type of ['input', 'change']) {
		input.ownerDocument.defaultView.addEventListener(type, take, { capture: true });
		input.addEventListener(type, take, { capture: true });
	}
	return got;
}`

func (u *upload) do(l playwright.Locator, limit *float64) error {
	page, err := l.Page()
	if err != nil {
		return err
	}
	defer u.staged.begin(page)()
	if u.input {
		var err error
		if u.taker, err = l.EvaluateHandle("e => e", nil, playwright.LocatorEvaluateHandleOptions{Timeout: limit}); err != nil {
			return err
		}
		held, err := l.EvaluateHandle(heldFiles, nil, playwright.LocatorEvaluateHandleOptions{Timeout: limit})
		if err != nil {
			return err
		}
		if err := l.SetInputFiles(u.paths, playwright.LocatorSetInputFilesOptions{Timeout: limit}); err != nil {
			return uploadError(err)
		}
		return u.verify(held)
	}
	wait := min(*limit, float64(rest.ChooserLimit.Milliseconds()))
	chooser, err := page.ExpectFileChooser(func() error {
		return l.Click(playwright.LocatorClickOptions{Timeout: limit})
	}, playwright.PageExpectFileChooserOptions{Timeout: &wait})
	if err != nil {
		if errors.Is(err, playwright.ErrTimeout) {
			return explain.NoFileInput()
		}
		return err
	}
	u.taker = chooser.Element()
	held, err := u.taker.EvaluateHandle(heldFiles)
	if err != nil {
		return err
	}
	if err := chooser.SetFiles(u.paths, playwright.FileChooserSetFilesOptions{Timeout: limit}); err != nil {
		return uploadError(err)
	}
	return u.verify(held)
}

// verify compares what the input held with what it was given.
func (u *upload) verify(held playwright.JSHandle) error {
	defer func() { _ = held.Dispose() }() // it goes with the document at the latest
	value, err := held.JSONValue()
	if err != nil {
		if isNavigating(err) || isClosed(err) {
			return nil // the page sent them off at once
		}
		return err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	var got struct{ Files []UploadedFile }
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	if len(got.Files) == len(u.files) {
		same := true
		for i, f := range got.Files {
			same = same && f.Name == u.files[i].Name && f.Size == u.files[i].Size
		}
		if same {
			return nil
		}
	}
	var names []explain.File
	for _, f := range got.Files {
		names = append(names, explain.File{Name: texts.Cut(f.Name, maxNote), Size: f.Size})
	}
	return explain.OtherFiles(names)
}

// uploadError distinguishes an input that takes no such files from other failures.
func uploadError(err error) error {
	if err == nil {
		return nil
	}
	if isNoFileInput(err) {
		return explain.NoFileInput()
	}
	folder := isFolderInput(err)
	if !folder && !isSingleFileInput(err) {
		return err
	}
	return explain.FilesRefused(folder, why(err), err)
}

// checkUpload reports whether such an upload may be tried at all.
func checkUpload(roots, files []string) error {
	switch {
	case len(roots) == 0:
		return explain.Invalid(`set upload_roots = ["/folder"] below [network] in mcp.toml to the folders that files may be taken from, and start the server again`,
			"uploads are off: network.upload_roots names no folder")
	case len(files) == 0:
		return explain.Invalid("name at least one file below "+strings.Join(roots, ", "), "no file is named")
	case len(files) > maxUploadFiles:
		return explain.Invalid("upload fewer at a time", "%d files are more than %d", len(files), maxUploadFiles)
	}
	return nil
}

// stage copies the files of an upload into a folder of the session, which goes with it.
func (s *actions) stage(ctx context.Context, files []string) (paths []string, out []UploadedFile, err error) {
	dir, err := s.staged.folder(s.current().context.temp, s.id)
	if err != nil {
		return nil, nil, fmt.Errorf("page_upload: make room for copies: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	return stageFiles(ctx, s.pool.UploadRoots, files, dir)
}

// stageFiles copies files, each below one of the roots, into folders below dir.
func stageFiles(ctx context.Context, roots, files []string, dir string) (paths []string, out []UploadedFile, err error) {
	left := int64(maxUpload)
	for i, name := range files {
		into := filepath.Join(dir, strconv.Itoa(i))
		if err := os.Mkdir(into, 0o700); err != nil {
			return nil, nil, err
		}
		path := filepath.Join(into, filepath.Base(name))
		f, err := stageFile(ctx, roots, name, path, left)
		if err != nil {
			return nil, nil, err
		}
		left -= f.Size
		paths, out = append(paths, path), append(out, f)
	}
	return paths, out, nil
}

// stageFile copies one file of at most limit bytes from the first root that has it.
func stageFile(ctx context.Context, roots []string, name, to string, limit int64) (UploadedFile, error) {
	var why error
	for _, root := range roots {
		rel := name
		if filepath.IsAbs(name) {
			var err error
			if rel, err = filepath.Rel(root, name); err != nil {
				continue
			}
		}
		if !filepath.IsLocal(rel) {
			continue
		}
		out, err := copyBelow(ctx, root, rel, to, limit)
		if err == nil || ctx.Err() != nil {
			return out, err
		}
		if why == nil || errors.Is(why, fs.ErrNotExist) {
			why = err
		}
	}
	if why == nil {
		why = errors.New("it is not below network.upload_roots")
	}
	if errors.Is(why, disk.ErrTooLarge) {
		return UploadedFile{}, explain.Invalid("upload smaller files", "file %q: the files of one upload have more than %d MB", texts.Cut(name, maxNote), maxUpload>>20)
	}
	e := explain.Invalid("name a file below "+strings.Join(roots, ", "), "file %q can't be uploaded: %v", texts.Cut(name, maxNote), why)
	e.Cause = why
	return UploadedFile{}, e
}

// copyBelow copies a regular file of a root, with its time, and returns its hash.
func copyBelow(ctx context.Context, root, name, to string, limit int64) (_ UploadedFile, err error) {
	from, err := disk.OpenBelow(root, name, limit)
	if err != nil {
		return UploadedFile{}, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	defer context.AfterFunc(ctx, func() { _ = from.Close() })() // a file system may not answer
	info, err := from.Stat()
	if err != nil {
		return UploadedFile{}, err
	}
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return UploadedFile{}, err
	}
	hash := sha256.New()
	size, err := io.Copy(io.MultiWriter(file, hash), io.LimitReader(from, limit+1))
	if err == nil && size > limit {
		err = disk.ErrTooLarge
	}
	if err = errors.Join(err, file.Close()); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return UploadedFile{}, err
	}
	if err := os.Chtimes(to, info.ModTime(), info.ModTime()); err != nil {
		return UploadedFile{}, err
	}
	return UploadedFile{Name: filepath.Base(to), Size: size, SHA256: hex.EncodeToString(hash.Sum(nil)), Path: to}, nil
}
