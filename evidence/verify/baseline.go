package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/qa"
)

const restorePicture = "restore the file from a copy: what was compared with it can't be shown any more"

// version holds the fields of a baseline's version that the verifier reads.
type version struct {
	ID       string `json:"id"`
	Status   string `json:"status"`
	Pictures []struct {
		SHA256 string `json:"sha256"`
		Layout string `json:"layout"`
	} `json:"pictures"`
	Diffs    []string `json:"diffs"`
	Decision *struct {
		By     string `json:"by"`
		Reason string `json:"reason"`
	} `json:"decision"`
	Name        string               `json:"name"`
	Environment qa.VisualEnvironment `json:"environment"`
	terms       comparedBytes
	place       struct{ Environment json.RawMessage }
}

// comparedBytes holds the bytes by which a version is compared.
type comparedBytes struct {
	Name     json.RawMessage `json:"name"`
	Number   json.RawMessage `json:"version"`
	Options  json.RawMessage `json:"options"`
	Pictures json.RawMessage `json:"pictures"`
}

// baselineCheck compares the baselines of a data folder with its log.
type baselineCheck struct {
	*findings
	entries *logEntries
}

// check compares every version of a baseline with the log, and looks at
// every picture that was not deleted.
func (c *baselineCheck) check(ctx context.Context, root *os.Root) error {
	if c.entries.log == nil {
		return nil
	}
	if c.entries.log.tx.Size() > c.entries.size { // a run that ended meanwhile made it look again
		if err := c.entries.readAppended(ctx, c.findings); err != nil {
			return err
		}
	}
	all := c.versions(func(key string) {
		c.fault("baseline-changed", ledger.Database, restoreLog, "the record of baseline %q can't be understood", key)
	})
	for _, b := range all {
		c.checkDecision(b)
		c.checkInForce(b, all)
	}
	want := c.neededPictures()
	var missing []string
	var mu sync.Mutex
	files := runFiles{open: openIn(root)}
	err := forEachParallel(ctx, slices.Sorted(maps.Keys(want)), func(digest string) error {
		name := "blobs/sha256/" + digest[:2] + "/" + digest[2:]
		got, size, err := files.sum(ctx, name)
		mu.Lock()
		defer mu.Unlock()
		index := want[digest]
		f := Finding{Severity: Fault, File: name, Entry: &index, Expected: digest, Next: restorePicture}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, digest)
			return nil
		case err != nil:
			f.Code, f.Severity, f.Problem = "blob-unreadable", Unseen, "a picture that the log names can't be read: "+err.Error()
		case got != digest:
			f.Code, f.Found, f.Problem = "blob-changed", got, "a picture that the log names has other bytes"
		default:
			c.report.Files++
			c.report.Bytes += size
			return nil
		}
		c.add(f)
		return nil
	})
	if err != nil || len(missing) == 0 {
		return err
	}
	return c.reportMissing(ctx, missing)
}

// versions returns the records of baselines, and calls damaged with the key of each that
// can't be understood.
func (c *baselineCheck) versions(damaged func(key string)) (all []version) {
	for _, key := range c.entries.log.tx.Keys(ledger.BaselinesTable) {
		record, _ := c.entries.log.tx.Get(ledger.BaselinesTable, key)
		var b version
		if err := errors.Join(json.Unmarshal(record, &b), json.Unmarshal(record, &b.terms), json.Unmarshal(record, &b.place)); err != nil || b.ID != key {
			damaged(key)
			continue
		}
		all = append(all, b)
	}
	return all
}

// neededPictures returns the blobs that have to be there, with the entries that name them.
func (c *baselineCheck) neededPictures() map[string]int64 {
	want := maps.Clone(c.entries.blobs)
	for _, b := range c.versions(func(string) {}) { // what is damaged is reported already
		for _, picture := range b.Pictures {
			if index, ok := want[picture.SHA256]; ok && ledger.ValidDigest(picture.Layout) { // a layout is kept as long as its picture
				want[picture.Layout] = index
			}
		}
	}
	return want
}

// reportMissing reports the pictures that were not deleted meanwhile.
func (c *baselineCheck) reportMissing(ctx context.Context, missing []string) error {
	if err := c.entries.readAppended(ctx, c.findings); err != nil {
		return err
	}
	want := c.neededPictures()
	slices.Sort(missing)
	for _, digest := range missing {
		if index, still := want[digest]; still {
			c.add(Finding{Code: "blob-missing", Severity: Fault, File: "blobs/sha256/" + digest[:2] + "/" + digest[2:], Entry: &index, Expected: digest,
				Problem: "a picture that the log names is missing", Next: restorePicture})
		}
	}
	return nil
}

// checkDecision compares a version with the last entry about it: the database is not
// signed, the log is.
func (c *baselineCheck) checkDecision(b version) {
	if c.entries.partial {
		return
	}
	e, ok := c.entries.baselines[b.ID]
	var digests []string
	for _, picture := range b.Pictures {
		digests = append(digests, picture.SHA256)
	}
	digests = append(digests, b.Diffs...)
	switch logged := statusOf(e); {
	case !ok:
		c.fault("baseline-changed", ledger.Database, restoreLog, "the log has no entry of baseline %s, which is %s", b.ID, b.Status)
	case b.Status != logged && b.Status != "superseded": // another version's approval brings that about
		c.changed(e, logged, b.Status, "baseline "+b.ID+" has a status that no entry gave it")
	case !slices.Equal(digests, e.Subject):
		c.changed(e, strings.Join(e.Subject, " "), strings.Join(digests, " "), "baseline "+b.ID+" has other pictures than the log says")
	}
	for what, sums := range map[string][2]string{
		"name, options or parts": {e.Options, digestJSON(b.terms)}, "environment": {e.Environment, digestJSON(b.place.Environment)},
	} {
		if sums[0] != "" && sums[0] != sums[1] { // older events have none
			c.changed(e, sums[0], sums[1], "baseline "+b.ID+" has another "+what+" than the log says")
		}
	}
	if e.Action == "baseline approved" || e.Action == "baseline rejected" {
		if d := b.Decision; d == nil || d.By != e.Actor.ID || d.Reason != e.Reason {
			c.changed(e, fmt.Sprintf("%s: %s", e.Actor.ID, e.Reason), fmt.Sprintf("%+v", d), "baseline "+b.ID+" was decided on by somebody else, or with other words")
		}
	}
}

// checkInForce compares whether a version holds with what the log says of the others
// of its name: only an approval takes another one out of force, and it does so
// with all of the same environment.
func (c *baselineCheck) checkInForce(b version, all []version) {
	e, ok := c.entries.baselines[b.ID]
	if c.entries.partial || !ok {
		return
	}
	replaced, closed := false, false
	for _, other := range all {
		o, ok := c.entries.baselines[other.ID]
		if !ok || o.Seq <= e.Seq || statusOf(o) != "approved" || other.Name != b.Name {
			continue
		}
		replaced = replaced || other.Environment == b.Environment
		closed = closed || lineOf(other.Environment) == lineOf(b.Environment)
	}
	switch {
	case replaced && (b.Status == "approved" || b.Status == "unapproved"):
		c.changed(e, "superseded", b.Status, "baseline "+b.ID+" is in force again: another version was approved in its place")
	case !closed && b.Status == "superseded" && statusOf(e) != b.Status:
		c.changed(e, statusOf(e), b.Status, "baseline "+b.ID+" was taken out of force, and no other version was approved in its place")
	}
}

// lineOf returns an environment without what may differ between versions of one line.
func lineOf(e qa.VisualEnvironment) qa.VisualEnvironment {
	e.Version, e.Fonts = "", ""
	return e
}

// changed adds a finding of a version that is not as the log says.
func (c *baselineCheck) changed(e ledger.Event, expected, found, problem string) {
	index := e.Seq - 1
	c.add(Finding{Code: "baseline-changed", Severity: Fault, File: ledger.Database, Entry: &index, Expected: expected, Found: found, Problem: problem, Next: restoreLog})
}

// statusOf returns the status that an entry gave a version.
func statusOf(e ledger.Event) string {
	switch e.Action {
	case "baseline captured":
		return "unapproved"
	case "baseline imported": // "as approved, from the folder …"
		rest, _ := strings.CutPrefix(e.Reason, "as ")
		status, _, _ := strings.Cut(rest, ",")
		return status
	default:
		return strings.TrimPrefix(e.Action, "baseline ")
	}
}
