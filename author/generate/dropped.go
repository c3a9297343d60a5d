package generate

import (
	"fmt"
	"strings"
)

// Group is what was dropped of one flow for one reason.
type Group struct {
	Flow, Reason string
	All          []Dropped
}

// String tells a group in one line.
func (g Group) String() string {
	first := g.All[0]
	if len(g.All) > 1 {
		return fmt.Sprintf("%s: %d assertions, such as %s: %s", g.Flow, len(g.All), first.What, g.Reason)
	}
	at := first.Flow
	if first.Step != "" {
		at += " > " + first.Step
	}
	return fmt.Sprintf("%s: %s: %s", at, first.What, first.Reason)
}

// Alike groups the assertions that were dropped by flow and reason. Steps, tests and
// edges stand alone.
func Alike(dropped []Dropped) []Group {
	var out []Group
	index := map[string]int{}
	for _, d := range dropped {
		reason := d.Reason
		if strings.HasPrefix(reason, "in context ") {
			_, reason, _ = strings.Cut(reason, ": ")
		}
		cause := d.Cause
		if cause == "" {
			cause, _, _ = strings.Cut(reason, ": ")
			reason = cause
		}
		key := d.Flow + "\x00" + cause
		if d.What == "step" || d.What == "test" || d.What == "edge" {
			key += "\x00" + d.Step
		}
		i, known := index[key]
		if !known {
			i = len(out)
			index[key] = i
			out = append(out, Group{Flow: d.Flow, Reason: reason})
		}
		out[i].All = append(out[i].All, d)
	}
	return out
}
