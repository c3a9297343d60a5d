package browser

import (
	"context"
	"errors"
	"io/fs"
	"mime"
	"path/filepath"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/disk"
	"github.com/assay-qa/assay/texts"
)

// Bounds on one upload.
const (
	maxUpload      = 50 << 20 // bytes of all its files, which is what the driver takes
	maxUploadFiles = 100
)

// Upload puts files into the file input that selector names, which may be
// hidden, and tells the names that the input holds afterwards. Only files below
// [Options.UploadRoots] are read; a relative name is looked for in each of
// them. The page gets their bytes, so that what was checked is what is sent. A
// timeout of 0 means the default.
func (s *actions) Upload(ctx context.Context, selector string, files []string, timeout time.Duration) (Acted, error) {
	contents, err := readUploads(s.pool.UploadRoots, files)
	if err != nil {
		return Acted{}, err
	}
	return s.act(ctx, "page_upload", selector, timeout, action{
		ready: func(l playwright.Locator, limit *float64) error {
			if err := l.WaitFor(playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached, Timeout: limit}); err != nil {
				return err
			}
			return isFileInput(l)
		},
		do: func(l playwright.Locator, limit *float64) error {
			return uploadError(l.SetInputFiles(contents, playwright.LocatorSetInputFilesOptions{Timeout: limit}))
		},
		value: chosenFiles,
	})
}

// notFileInput says that an element takes no files; the driver would put them
// into some of those without a word, and without an effect.
func notFileInput() error {
	return &Error{Code: NotActionable, Message: "page_upload: the element is no file input", Hint: "name the file input itself, such as css=input[type=file], which may be hidden"}
}

// fileInput distinguishes a file input, or its label, from other elements.
const fileInput = `found => found.every(e => (e.control ?? e).type === 'file')`

func isFileInput(l playwright.Locator) error {
	if yes, err := l.EvaluateAll(fileInput); err != nil {
		return err
	} else if yes != true {
		return notFileInput()
	}
	return nil
}

// uploadError distinguishes an input that takes no such files from other failures.
func uploadError(err error) error {
	if err == nil {
		return nil
	}
	var hint string
	switch text := rawText(err); {
	case strings.Contains(text, "HTMLInputElement"):
		return notFileInput()
	case strings.Contains(text, "Non-multiple file input"):
		hint = "this input takes one file"
	case strings.Contains(text, "[webkitdirectory]"):
		hint = "this input takes a folder, which can't be uploaded"
	default:
		return err
	}
	return &Error{Code: NotActionable, Message: "page_upload: " + strings.TrimPrefix(firstLine(plain(err)), "Error: "), Hint: hint, Cause: err}
}

const fileNames = `found => found.length === 1 ? [...((found[0].control ?? found[0]).files ?? [])].map(f => f.name).join(', ') : ''`

// chosenFiles reads the names that a file input holds. A page may well have
// taken them out again.
func chosenFiles(ctx context.Context, t *tab, target target) string {
	got, err := within(ctx, t, time.Second, func() (any, error) { return target.locator(t.page).EvaluateAll(fileNames) })
	names, ok := got.(string)
	if err != nil || !ok {
		return ""
	}
	return texts.Cut(names, maxValue)
}

// readUploads reads the files, each below one of the roots.
func readUploads(roots, files []string) ([]playwright.InputFile, error) {
	switch {
	case len(roots) == 0:
		return nil, invalid("set network.upload_roots in mcp.toml to the folders that files may be taken from", "uploads are off: network.upload_roots names no folder")
	case len(files) == 0:
		return nil, invalid("name at least one file below "+strings.Join(roots, ", "), "no file is named")
	case len(files) > maxUploadFiles:
		return nil, invalid("upload fewer at a time", "%d files are more than %d", len(files), maxUploadFiles)
	}
	var out []playwright.InputFile
	left := int64(maxUpload)
	for _, name := range files {
		data, err := readUpload(roots, name, left)
		if err != nil {
			return nil, err
		}
		left -= int64(len(data))
		kind := mime.TypeByExtension(filepath.Ext(name))
		if kind == "" {
			kind = "application/octet-stream"
		}
		out = append(out, playwright.InputFile{Name: filepath.Base(name), MimeType: kind, Buffer: data})
	}
	return out, nil
}

// readUpload reads one file of at most limit bytes from the first root that
// has it.
func readUpload(roots []string, name string, limit int64) ([]byte, error) {
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
		data, err := disk.ReadBelow(root, rel, limit)
		if err == nil {
			return data, nil
		}
		if why == nil || errors.Is(why, fs.ErrNotExist) {
			why = err
		}
	}
	if why == nil {
		why = errors.New("it is not below network.upload_roots")
	}
	if errors.Is(why, disk.ErrTooLarge) {
		return nil, invalid("upload smaller files", "file %q: the files of one upload have more than %d MB", texts.Cut(name, maxNote), maxUpload>>20)
	}
	e := invalid("name a file below "+strings.Join(roots, ", "), "file %q can't be uploaded: %v", texts.Cut(name, maxNote), why)
	e.Cause = why
	return nil, e
}
