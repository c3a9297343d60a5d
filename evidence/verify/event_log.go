package verify

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
)

const maxLine = 64 << 20 // bytes of a line of the event log

const changedLine = "the line is not as it was written"

// logLine holds the fields of a line of events.jsonl that the verifier reads.
type logLine struct {
	Seq       int64         `json:"seq"`
	MonoMS    int64         `json:"monoMs"`
	Prev      string        `json:"prev"`
	Time      time.Time     `json:"time"`
	RunID     string        `json:"runId"`
	Event     string        `json:"event"`
	Check     *qa.Check     `json:"check"`
	Artifacts []qa.Artifact `json:"artifacts"`
	Status    qa.Status     `json:"status"`
}

// eventLog holds what events.jsonl records.
type eventLog struct {
	chained     bool   // its lines name each other
	first       string // SHA-256 of the first line
	beforeLast  string // and of the last but one
	lines       int
	broken      int // first line that is not as it was written; 0: none found
	artifacts   map[string]qa.Artifact
	twice       string // an artefact that was stored twice, with other bytes
	failed      string // a check that did not pass
	interrupted bool
	ended       bool
	status      qa.Status
	back        int // lines whose time is before the line above
	backAt      int // the first of them
	backBy      time.Duration
}

// readEventLog reads events.jsonl, and names the first line that is not as it was
// written.
func readEventLog(ctx context.Context, found *findings, f runFiles, s provenEvidence, r document) (eventLog, error) {
	j := eventLog{artifacts: map[string]qa.Artifact{}}
	file, err := f.open(ledger.EventsFile)
	if err != nil {
		if f.odd[ledger.EventsFile] == "" && s.subjects[ledger.EventsFile] == "" { // otherwise it is reported as a subject
			found.unreadable(ledger.EventsFile, err)
		}
		return j, nil
	}
	defer file.Close()
	c := chain{eventLog: &j, run: found.run}
	if r.genuine && r.Evidence != nil {
		c.reported = r.Evidence.Journal
	}
	problem, err := c.read(ctx, file)
	if ctx.Err() != nil {
		return j, context.Cause(ctx)
	}
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		found.unseen("file-unreadable", ledger.EventsFile, "fix what keeps the file from being read, and verify again", "the file can't be read: %v", err)
	case problem == "torn" && s.subjects == nil && !f.regular[ledger.Report]: // what a crash leaves: it was never acknowledged
	case problem != "":
		if problem == "torn" {
			problem = "the last line is cut"
		}
		found.add(Finding{Code: "journal-broken", Severity: Fault, File: ledger.EventsFile, Line: j.broken, Problem: problem, Next: restore})
	}
	if j.back > 0 {
		found.add(Finding{Code: "clock-back", Severity: Note, File: ledger.EventsFile, Line: j.backAt,
			Problem: "the clock was set back " + text.Count(j.back, "time") + ", at this line first, by " + j.backBy.String() + " in all",
			Next:    "the order of the lines is proved, their times are the machine's own"})
	}
	return j, nil
}

// chain goes along the lines of an event log.
type chain struct {
	*eventLog
	run      string
	reported string // SHA-256 of the last line but one, as the report has it
	above    logLine
	sum      string // SHA-256 of the line above
	loose    bool   // the line above does not follow the one above it: one of the two was changed
}

// read returns what is wrong with the first bad line.
func (c *chain) read(ctx context.Context, file io.Reader) (problem string, err error) {
	r := bufio.NewReaderSize(disk.Reader(ctx, file), 1<<16)
	for {
		raw, err := readLine(r)
		switch {
		case errors.Is(err, io.EOF) && len(raw) == 0:
			return c.brokenEnd(), nil
		case errors.Is(err, io.EOF):
			if problem := c.brokenEnd(); problem != "" {
				return problem, nil
			}
			c.broken = c.lines + 1
			return "torn", nil
		case err != nil:
			return "", err
		}
		if problem := c.add(raw[:len(raw)-1]); problem != "" {
			return problem, nil
		}
	}
}

func readLine(r *bufio.Reader) ([]byte, error) {
	var whole []byte
	for {
		part, err := r.ReadSlice('\n')
		whole = append(whole, part...)
		if len(whole) > maxLine {
			return nil, errTooLong
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return whole, err
		}
	}
}

func (c *chain) add(raw []byte) (problem string) {
	var l logLine
	c.lines++
	n := c.lines
	if err := json.Unmarshal(raw, &l); err != nil || bytes.ContainsRune(raw, '\r') {
		return c.bad(n, "the line is no JSON as it was written")
	}
	sum := ledger.BlobDigest(raw)
	if n == 1 {
		c.first, c.chained = sum, l.Seq != 0
	}
	if c.loose {
		if l.Prev == c.sum { // the line above is whole, so the one above that was changed
			return c.bad(n-2, changedLine)
		}
		return c.bad(n-1, changedLine)
	}
	switch {
	case l.RunID != c.run:
		return c.bad(n, "the line is of another run")
	case !c.chained && l.Seq == 0 && l.Prev == "":
	case l.Seq != int64(n):
		return c.bad(n, "the line is not at its place: its number is another one")
	case l.Prev != c.sum:
		c.loose = true
	}
	c.checkClock(l, n)
	c.apply(l)
	c.beforeLast, c.sum, c.above = c.sum, sum, l
	return ""
}

func (c *chain) bad(n int, problem string) string {
	c.broken = n
	return problem
}

// brokenEnd reports a broken link at the last line, which no other line covers.
func (c *chain) brokenEnd() string {
	switch {
	case !c.loose:
		return ""
	case c.reported == c.beforeLast:
		return c.bad(c.lines, changedLine)
	default:
		return c.bad(c.lines-1, changedLine)
	}
}

// checkClock notes when the clock was set back: a time before the one above, or less
// time than has gone by on the clock that only goes forward.
func (c *chain) checkClock(l logLine, n int) {
	if n == 1 {
		return
	}
	went := l.Time.Sub(c.above.Time)
	passed := time.Duration(l.MonoMS-c.above.MonoMS) * time.Millisecond
	if back := passed - went; went < 0 || back > time.Second {
		c.back++
		c.backBy += max(back, -went).Round(time.Millisecond)
		if c.backAt == 0 {
			c.backAt = n
		}
	}
}

func (c *chain) apply(l logLine) {
	switch {
	case l.Event == "run.interrupted":
		c.interrupted = true
	case l.Event == "run.finished":
		c.ended, c.status = true, l.Status
	case l.Check != nil && !l.Check.Passed && c.failed == "":
		c.failed = l.Check.ID
	}
	for _, a := range l.Artifacts {
		if old, ok := c.artifacts[a.Name]; ok && old.SHA256 != a.SHA256 && l.Event != "run.finished" {
			c.twice = a.Name
		}
		c.artifacts[a.Name] = a
	}
}
