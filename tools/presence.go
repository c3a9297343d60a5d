package tools

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// presence holds what calls of a run have seen so far: selectors that matched,
// texts that were found, lines of snapshots. With it an absence can say whether
// the thing was ever there: one that was never seen may be absent because its name
// is wrong.
type presence struct {
	sync.Mutex
	run  string
	at   map[string]time.Time
	full bool // more was met than is kept
}

// maxPresence bounds what is kept of a run.
const maxPresence = 5000

// noteSeen records what the call has seen.
func (c *call) noteSeen(what ...string) {
	if c.runErr != nil {
		return
	}
	c.desk.noteSeen(c.run.ID(), what)
}

// noteSeen records what calls of a run have seen.
func (d *Desk) noteSeen(run string, what []string) {
	s, now := &d.presence, d.Now()
	s.Lock()
	defer s.Unlock()
	if s.run != run || s.at == nil {
		s.run, s.at, s.full = run, map[string]time.Time{}, false
	}
	for _, text := range what {
		text = strings.TrimPrefix(strings.Join(strings.Fields(text), " "), "- ")
		if _, known := s.at[text]; !known && len(s.at) == maxPresence {
			s.full = true
			continue
		}
		if text != "" {
			s.at[text] = now
		}
	}
}

// seenLines returns the lines of a snapshot that a person sees.
func seenLines(outline string) []string {
	return slices.DeleteFunc(strings.Split(outline, "\n"), func(line string) bool { return strings.Contains(line, "[not seen: ") })
}

// seenBefore says whether something was seen before in the run: whole, as it was
// noted, or within what was.
func (c *call) seenBefore(whole, within string) string {
	if c.runErr != nil {
		return ""
	}
	return c.desk.seenBefore(c.run.ID(), whole, within)
}

// seenBefore says whether something was seen before in a run.
func (d *Desk) seenBefore(run, whole, within string) string {
	s := &d.presence
	s.Lock()
	defer s.Unlock()
	var newest time.Time
	for text, at := range s.at {
		if s.run == run && at.After(newest) && (text == whole || within != "" && strings.Contains(text, within)) {
			newest = at
		}
	}
	switch {
	case !newest.IsZero():
		return "; seen before in this run, at " + newest.UTC().Format(time.TimeOnly)
	case s.full && s.run == run:
		return "; it is not known whether it was seen before in this run"
	default:
		return "; never seen in this run"
	}
}
