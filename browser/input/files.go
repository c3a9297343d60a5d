package input

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/text"
)

// Bounds on one upload.
const (
	maxUpload      = 1 << 30 // bytes of all its files
	maxUploadFiles = 100
)

// File describes a file that was given to a page.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	Path   string `json:"-"` // of the copy that the page got, which goes with the session
}

// String returns the file in a line.
func (f File) String() string {
	return fmt.Sprintf("%s, %d bytes, sha256 %s", f.Name, f.Size, f.SHA256)
}

// Files holds copies of the files of uploads. The browser reads a file when the page
// does, which may be long after the upload: they stay until the session ends.
type Files struct {
	mu    sync.Mutex
	dir   string
	count int
	under map[any]int // uploads under way
	given []File      // not yet taken
}

// Begin notes that an upload to a page is under way until the returned function is called.
func (g *Files) Begin(page any) (end func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.under == nil {
		g.under = map[any]int{}
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
func (g *Files) folder(temp, session string) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.dir = filepath.Join(temp, "uploads-"+session)
	g.count++
	dir := filepath.Join(g.dir, strconv.Itoa(g.count))
	return dir, os.MkdirAll(dir, 0o700)
}

// Gave notes what a page was given.
func (g *Files) Gave(files []File) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.given = append(g.given, files...)
}

// Discard removes all copies.
func (g *Files) Discard() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.dir == "" {
		return nil
	}
	return os.RemoveAll(g.dir)
}

// CheckFiles reports whether files can be uploaded: each is below one of the roots, and small enough.
func CheckFiles(roots, files []string) error {
	if err := checkFiles(roots, files); err != nil {
		return err
	}
	for _, name := range files {
		err := fromRoot(roots, name, func(root, rel string) error {
			f, err := disk.OpenBelow(root, rel, maxUpload)
			if err != nil {
				return err
			}
			return f.Close()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkFiles reports whether such an upload may be tried at all.
func checkFiles(roots, files []string) error {
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

// stageFiles copies files, each below one of the roots, into folders below dir.
func stageFiles(ctx context.Context, roots, files []string, dir string) (paths []string, out []File, err error) {
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
func stageFile(ctx context.Context, roots []string, name, to string, limit int64) (out File, err error) {
	err = fromRoot(roots, name, func(root, rel string) (err error) {
		out, err = copyBelow(ctx, root, rel, to, limit)
		return err
	})
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return out, err
}

// fromRoot takes a file from the first root that has it.
func fromRoot(roots []string, name string, take func(root, rel string) error) error {
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
		err := take(root, rel)
		if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		if why == nil || errors.Is(why, fs.ErrNotExist) {
			why = err
		}
	}
	if why == nil {
		why = errors.New("it is not below network.upload_roots")
	}
	if errors.Is(why, disk.ErrTooLarge) {
		return explain.Invalid("upload smaller files", "file %q: the files of one upload have more than %d MB", text.Cut(name, maxQuoted), maxUpload>>20)
	}
	e := explain.Invalid("name a file below "+strings.Join(roots, ", "), "file %q can't be uploaded: %v", text.Cut(name, maxQuoted), why)
	e.Cause = why
	return e
}

// copyBelow copies a regular file of a root, with its time, and returns its hash.
func copyBelow(ctx context.Context, root, name, to string, limit int64) (_ File, err error) {
	from, err := disk.OpenBelow(root, name, limit)
	if err != nil {
		return File{}, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	defer context.AfterFunc(ctx, func() { _ = from.Close() })() // a file system may not answer
	info, err := from.Stat()
	if err != nil {
		return File{}, err
	}
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return File{}, err
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
		return File{}, err
	}
	if err := os.Chtimes(to, info.ModTime(), info.ModTime()); err != nil {
		return File{}, err
	}
	return File{Name: filepath.Base(to), Size: size, SHA256: hex.EncodeToString(hash.Sum(nil)), Path: to}, nil
}

// Under reports whether an upload to that page is under way.
func (g *Files) Under(page any) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.under[page] > 0
}

// Take returns the files that pages were given since the last call of it.
func (g *Files) Take() []File {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := g.given
	g.given = nil
	return out
}

// Stage copies the files of an upload into a folder of the session below temp. Each must
// lie below one of the roots; a relative name is looked for in each of them.
func (g *Files) Stage(ctx context.Context, temp, session string, roots, files []string) (paths []string, out []File, err error) {
	if err := checkFiles(roots, files); err != nil {
		return nil, nil, err
	}
	dir, err := g.folder(temp, session)
	if err != nil {
		return nil, nil, fmt.Errorf("page_upload: make room for copies: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	return stageFiles(ctx, roots, files, dir)
}
