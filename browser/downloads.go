package browser

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
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/pattern"
)

// maxDownloads bounds how many files one session saves.
const maxDownloads = 100

// Download holds a file that a page gave to save, and what became of it.
type Download struct {
	Name   string // as it is stored; the page's suggestion made safe
	URL    string
	Path   string // where it lies; "" when it was not saved
	Size   int64
	SHA256 string
	Failed pagetext.Text // why it was not saved
}

// downloads holds those of one session. A page can start them without end, so
// their number and their bytes are bounded.
type downloads struct {
	page *livePage

	mu      sync.Mutex
	count   int
	bytes   int64
	running map[*download]bool
	done    []Download // not yet taken
	folders []string   // temporary ones, to be removed with the session
}

// download holds one that is under way.
type download struct {
	playwright.Download
	name string
	note *eventlog.DownloadNote
}

// begin runs on Playwright's dispatch goroutine when a download starts: it only takes
// a note, and saves the file in a goroutine.
func (ds *downloads) begin(pd playwright.Download) {
	d := &download{Download: pd, name: ds.fileName(pd.SuggestedFilename())}
	d.note = ds.page.log.DownloadBegan(d.name, d.URL())
	ds.mu.Lock()
	ds.count++
	tooMany := ds.count > maxDownloads
	ds.running[d] = true
	ds.mu.Unlock()
	go func() {
		got, err := Download{}, fmt.Errorf("the session has saved %d files already", maxDownloads)
		if tooMany {
			_ = d.Cancel() // it says itself why there is no file
		} else {
			got, err = guarded(func() (Download, error) { return ds.save(d) })
		}
		ds.finish(d, got, err)
	}()
}

// fileName returns a safe name that tells no secret, nor what a browser makes of one
// in a file name.
func (ds *downloads) fileName(suggested string) string {
	name := safeName(ds.page.log.Mask(suggested))
	for _, secret := range ds.page.pool.Secrets() {
		if letters := lettersOf(secret); len(letters) >= 4 && strings.Contains(lettersOf(name), letters) {
			return "download" + filepath.Ext(name)
		}
	}
	return name
}

// lettersOf returns the letters and digits of a text.
func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// finish notes what became of a download.
func (ds *downloads) finish(d *download, got Download, err error) {
	got.URL = ds.page.log.Address(d.URL(), maxURL)
	word := pagetext.Sprintf("; saved as %s, %d bytes, sha256 %s", got.Name, got.Size, got.SHA256)
	if err != nil {
		got.Name, got.Failed = d.name, plain(err)
		word = "; not saved: " + got.Failed
	}
	d.note.End(word, got.Failed)
	ds.mu.Lock()
	defer ds.mu.Unlock()
	delete(ds.running, d)
	ds.done = append(ds.done, got)
}

// save waits for the file and copies it to where it belongs.
func (ds *downloads) save(d *download) (Download, error) {
	defer func() { _ = d.Delete() }() // the browser's own copy; it goes with the context at the latest
	from, err := ds.arrived(d)
	if err != nil {
		return Download{}, err
	}
	folder, err := ds.folder()
	if err != nil {
		return Download{}, err
	}
	ds.mu.Lock()
	limit := min(ds.page.pool.MaxDownload, ds.page.pool.MaxSaved-ds.bytes)
	ds.mu.Unlock()
	got, err := copyInto(folder, d.name, from, limit)
	ds.mu.Lock()
	ds.bytes += got.Size
	ds.mu.Unlock()
	return got, err
}

var errTooLarge = errors.New("it is larger than a session may download")

// arrived waits until the browser has the whole file. One that grows beyond the
// limit is cancelled; a browser tells of no single file's growth, so another one
// that runs in it at the same time may be cancelled with it.
func (ds *downloads) arrived(d *download) (string, error) {
	l := ds.page.current().context
	within, end := context.WithCancelCause(ds.page.life)
	defer end(nil)
	go func() {
		_ = rest.Until(within, func() (bool, error) { return largest(l.temp) > ds.page.pool.MaxDownload, nil }, rest.Policy{Every: rest.DownloadPoll})
		end(errTooLarge)
	}()
	path, err := answerOf(within, d.Path, rest.Policy{Events: []rest.Event{{Of: l.gone, Err: errBrowserLost}}})
	switch {
	case errors.Is(err, errBrowserLost):
		return "", errors.New("the browser died")
	case ended(ds.page.ended):
		return "", errors.New("the session was closed while it was running")
	case err != nil && errors.Is(context.Cause(within), errTooLarge):
		_ = d.Cancel() // its file is not taken, whatever comes of that
		return "", errTooLarge
	case err != nil || path == "":
		return "", ds.why(d, err)
	}
	return path, nil
}

// why asks for the reason of a download that failed.
func (ds *downloads) why(d *download, err error) error {
	if ended(ds.page.ended) {
		return errors.New("the session was closed while it was running")
	}
	if failure, asked := guarded(func() (error, error) { return d.Failure(), nil }); asked == nil && failure != nil {
		return failure
	}
	return errors.Join(errors.New("it did not arrive"), err)
}

// largest returns the size of the largest file that the browsers of a driver are
// downloading.
func largest(temp string) (size int64) {
	files, _ := filepath.Glob(filepath.Join(temp, "playwright-artifacts-*", "*")) // the pattern is a good one
	for _, file := range files {
		if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() {
			size = max(size, info.Size())
		}
	}
	return size
}

// folder returns where files are saved: the configured one, or one that goes with
// the session and with the driver.
func (ds *downloads) folder() (string, error) {
	if dir := ds.page.pool.DownloadDir; dir != "" {
		return dir, os.MkdirAll(dir, 0o700)
	}
	dir := filepath.Join(ds.page.current().context.temp, "saved-"+ds.page.id)
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if !slices.Contains(ds.folders, dir) {
		ds.folders = append(ds.folders, dir)
	}
	return dir, os.MkdirAll(dir, 0o700)
}

// copyInto copies a file of at most limit bytes into a folder, under a name
// that is free there, and never out of it.
func copyInto(folder, name, from string, limit int64) (got Download, err error) {
	source, err := os.Open(from)
	if err != nil {
		return got, err
	}
	defer source.Close()
	root, err := os.OpenRoot(folder)
	if err != nil {
		return got, err
	}
	defer root.Close()
	file, name, err := createFree(root, name)
	if err != nil {
		return got, err
	}
	hash := sha256.New()
	size, err := io.Copy(io.MultiWriter(file, hash), io.LimitReader(source, limit+1))
	if err == nil && size > limit {
		err = errTooLarge
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return got, errors.Join(err, root.Remove(name))
	}
	return Download{Name: name, Path: filepath.Join(folder, name), Size: size, SHA256: hex.EncodeToString(hash.Sum(nil))}, nil
}

// TakeDownloads returns the downloads that ended since the last call of it. The
// files of a session without a configured folder go when it is closed.
func (ds *downloads) TakeDownloads() []Download {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	out := ds.done
	ds.done = nil
	return out
}

// CancelDownloads cancels the downloads that are still running, and returns
// what they are.
func (ds *downloads) CancelDownloads() []pagetext.Text {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	var names []pagetext.Text
	for d := range ds.running {
		names = append(names, d.note.Text())
		go func() { _ = d.Cancel() }() // its end is noted by who waits for it
	}
	slices.Sort(names)
	return names
}

// runningSince reports whether a download that began after m is under way.
func (ds *downloads) runningSince(m eventlog.Mark) bool {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	for d := range ds.running {
		if d.note.Since(m) {
			return true
		}
	}
	return false
}

// await waits, for a bounded time, for downloads that began after m.
func (ds *downloads) await(ctx context.Context, m eventlog.Mark) {
	_ = rest.Until(ctx, func() (bool, error) { return !ds.runningSince(m), nil }, rest.Policy{Every: rest.SettlePoll, Limit: rest.SettleLimit}) // what goes on is told
}

// awaitBegin waits, for a bounded time, for the download that a click on a link to a file
// begins: the browser reports it only when the server has answered. The wait is also over
// when the link led to another document, or was stopped. It returns false where none of
// that happened.
func (ds *downloads) awaitBegin(ctx context.Context, t *tab, m eventlog.Mark) bool {
	log := ds.page.log
	begun := func() (bool, error) {
		return log.DownloadedSince(m) || log.Navigates(t.page, m) || len(log.StoppedSince(m)) > 0, nil
	}
	return rest.Until(ctx, begun, rest.Policy{Every: rest.SettlePoll, Limit: rest.SettleLimit}) == nil
}

// discard removes the temporary folders of a session that is closed.
func (ds *downloads) discard() {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	for _, dir := range ds.folders {
		if err := os.RemoveAll(dir); err != nil {
			ds.page.pool.Log.Warn("remove a session's downloads", "err", err)
		}
	}
}

const (
	maxFileName = 100  // bytes
	maxSameName = 1000 // files of one name
)

// reservedName matches the names that Windows gives to devices, with any
// ending.
var reservedName = pattern.New(`(?i)^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$`)

// safeName makes a file name of what a page suggests: one that names a plain
// file in the folder it is put into, on every system.
func safeName(suggested string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, strings.ContainsRune(`/\:*?"<>|`, r), unicode.IsControl(r):
			return '_'
		case unicode.Is(unicode.Cf, r): // could show the name as another one
			return -1
		}
		return r
	}, strings.ToValidUTF8(suggested, "_"))
	name = strings.TrimLeft(strings.TrimRight(name, ". "), ". ")
	ext := filepath.Ext(name)
	if len(ext) > 20 {
		ext = ""
	}
	base := strings.TrimSuffix(name, ext)
	for len(base)+len(ext) > maxFileName {
		_, last := utf8.DecodeLastRuneInString(base)
		base = base[:len(base)-last]
	}
	name = strings.TrimRight(base, ". ") + ext
	switch {
	case strings.Trim(name, "_.") == "":
		return "download"
	case reservedName.MatchString(name):
		return "_" + name
	}
	return name
}

// createFree creates a new file of that name, or of name-2 and so on.
func createFree(root *os.Root, name string) (*os.File, string, error) {
	ext := filepath.Ext(name)
	free := name
	for n := 2; n < maxSameName; n++ {
		file, err := root.OpenFile(free, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil || !errors.Is(err, fs.ErrExist) {
			return file, free, err
		}
		free = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
	}
	return nil, "", fmt.Errorf("%d files are named like %s", maxSameName, name)
}
