package tools

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-qa/assay/browser/selectors"
	"github.com/assay-qa/assay/qa"
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
	s, now := &c.desk.presence, c.desk.Now()
	s.Lock()
	defer s.Unlock()
	if s.run != c.run.ID() || s.at == nil {
		s.run, s.at, s.full = c.run.ID(), map[string]time.Time{}, false
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

// seenLines are the lines of a snapshot that a person sees.
func seenLines(outline string) []string {
	return slices.DeleteFunc(strings.Split(outline, "\n"), func(line string) bool { return strings.Contains(line, "[not seen: ") })
}

// noteObserved records what one look of an assertion has seen.
func (c *call) noteObserved(a qa.Assertion, selector string, o qa.Observation) {
	if o.Seen > 0 || a.Type == qa.Exists && o.Count > 0 {
		c.noteSeen(selector)
	}
	if o.TextFits {
		c.noteSeen(a.Expected)
	}
}

// seenBefore says whether what an assertion finds absent was met before in the run.
func (c *call) seenBefore(a qa.Assertion, selector string) string {
	if c.runErr != nil {
		return ""
	}
	whole, within := strings.Join(strings.Fields(selector), " "), ""
	if selector == "" {
		within = strings.Join(strings.Fields(a.Expected), " ")
	} else if _, chain, err := selectors.Steps(selector); err == nil && len(chain) == 1 {
		switch part := chain[0]; {
		case part.Named:
			within = part.Role + ` "` + part.Name + `"`
		case part.Engine == "text" || part.Engine == "label":
			within = part.Body
		}
	}
	s := &c.desk.presence
	s.Lock()
	defer s.Unlock()
	var newest time.Time
	for text, at := range s.at {
		if s.run == c.run.ID() && at.After(newest) && (text == whole || within != "" && strings.Contains(text, within)) {
			newest = at
		}
	}
	switch {
	case !newest.IsZero():
		return "; seen before in this run, at " + newest.UTC().Format(time.TimeOnly)
	case s.full && s.run == c.run.ID():
		return "; it is not known whether it was seen before in this run"
	default:
		return "; never seen in this run"
	}
}
