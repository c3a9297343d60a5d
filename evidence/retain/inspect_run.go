package retain

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
)

const (
	maxTail    = 1 << 20   // bytes of a journal's last line
	maxJournal = 512 << 20 // bytes of a journal that is read whole
)

// inspectedRun holds what a run's folder says of its age and state.
type inspectedRun struct {
	id       string
	last     time.Time // youngest sign of life
	finished bool
	journal  string // SHA-256 of it; empty if there is none
	mark     logMark
	bytes    int64
	temps    []string // names that a writer gives to what is not whole yet
}

// logMark changes with each write to the event log.
type logMark struct {
	size int64
	time time.Time
}

// inspectRun looks at a run's folder. A file that can't be looked at is an error:
// the run stays.
func inspectRun(runs *os.Root, id string) (inspectedRun, error) {
	r := inspectedRun{id: id}
	root, err := runs.OpenRoot(id)
	if err != nil {
		return r, disk.Explain(err)
	}
	defer root.Close()
	// The id tells the start, whatever has happened to the files.
	if r.last, err = time.Parse(ledger.RunIDTime, id[:strings.LastIndexByte(id, '-')]); err != nil {
		return r, err
	}
	if info, err := root.Lstat(ledger.Report); err == nil && info.Mode().IsRegular() {
		r.finished = true
	}
	if err := r.readEventLog(root); err != nil {
		return r, fmt.Errorf("%s: %w", ledger.EventsFile, disk.Explain(err))
	}
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		r.bytes += info.Size()
		if strings.HasSuffix(name, ledger.Pending) {
			r.temps = append(r.temps, name)
		}
		return nil
	})
	return r, disk.Explain(err)
}

// readEventLog takes the SHA-256 of the event log and the time of its last line.
// Where no line tells a time, the file does.
func (r *inspectedRun) readEventLog(root *os.Root) error {
	found, err := logMarkOf(root)
	if err != nil || found == (logMark{}) {
		return err
	}
	r.mark = found
	file, err := root.Open(ledger.EventsFile)
	if err != nil {
		return err
	}
	defer file.Close()
	hash := sha256.New()
	size, err := io.Copy(hash, file)
	if err != nil {
		return err
	}
	r.journal = hex.EncodeToString(hash.Sum(nil))
	tail := make([]byte, min(size, maxTail))
	if _, err := file.ReadAt(tail, size-int64(len(tail))); err != nil {
		return err
	}
	told, ok := lastTime(tail)
	if !ok || !r.finished { // a crash leaves half a line, and a writer at work has more to tell
		r.last = later(r.last, found.time)
	}
	r.last = later(r.last, told)
	return nil
}

// logMarkOf returns the mark of a run's event log; zero if there is none.
func logMarkOf(run *os.Root) (logMark, error) {
	info, err := run.Lstat(ledger.EventsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return logMark{}, nil
	}
	if err != nil {
		return logMark{}, err
	}
	if !info.Mode().IsRegular() {
		return logMark{}, disk.ErrNotRegular
	}
	return logMark{info.Size(), info.ModTime()}, nil
}

// lastTime returns the time in the last whole line of an event log's end.
func lastTime(tail []byte) (time.Time, bool) {
	end := bytes.LastIndexByte(tail, '\n')
	if end < 0 {
		return time.Time{}, false
	}
	line := tail[bytes.LastIndexByte(tail[:end], '\n')+1 : end]
	var e struct {
		Time time.Time `json:"time"`
	}
	err := json.Unmarshal(line, &e)
	return e.Time.UTC(), err == nil && !e.Time.IsZero()
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b.UTC()
	}
	return a
}

// inEventLog reports whether the event log names a file: a download may be called
// like a leftover.
func inEventLog(root *os.Root, name string) (bool, error) {
	journal, err := disk.Read(root, ledger.EventsFile, maxJournal)
	if errors.Is(err, fs.ErrNotExist) { // killed before its first line
		return false, nil
	}
	if err != nil {
		return true, err
	}
	quoted, err := json.Marshal(name)
	return bytes.Contains(journal, quoted), err
}
