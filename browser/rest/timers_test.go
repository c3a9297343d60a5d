package rest_test

import (
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/rest"
)

// Which of a page's timers a check waits for: times in ms from now, on which the page was
// opened 5,000 ms ago.
func TestStretch(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(ms int) time.Time { return now.Add(time.Duration(ms) * time.Millisecond) }
	type timer struct{ began, due, after int }
	for name, tt := range map[string]struct {
		acts   []int
		timers []timer
		due    int // 0: none is waited for
	}{
		"set by the act":                        {[]int{-500}, []timer{{-490, 1010, 1500}}, 1010},
		"the last one of two":                   {[]int{-500}, []timer{{-490, 2510, 3000}, {-480, 1020, 1500}}, 2510},
		"set by the act before":                 {[]int{-900, -100}, []timer{{-890, 610, 1500}}, 610},
		"one that the act's answer set":         {[]int{-2000}, []timer{{-10, 1490, 1500}}, 1490},
		"no act":                                {nil, []timer{{-490, 1010, 1500}}, 0},
		"set before the act":                    {[]int{-500}, []timer{{-900, 600, 1500}}, 0},
		"a row that began before the act":       {[]int{-500}, []timer{{-4900, 600, 1000}}, 0},
		"set as the page was opened":            {[]int{-5100}, []timer{{-4900, 600, 5500}, {-3000, 500, 3500}}, 0},
		"the end of a session, and an autosave": {[]int{-500}, []timer{{-490, 899510, 900000}, {-490, 29510, 30000}}, 0},
		"an old one that is due soon":           {[]int{-4800}, []timer{{-4790, 210, 5000}}, 0},
		"one that has come":                     {[]int{-900}, []timer{{-890, -390, 500}}, 0},
	} {
		var acts []time.Time
		for _, ms := range tt.acts {
			acts = append(acts, at(ms))
		}
		var all []rest.Timer
		for _, one := range tt.timers {
			all = append(all, rest.Timer{Began: at(one.began), Due: at(one.due), After: time.Duration(one.after) * time.Millisecond})
		}
		last, waits := rest.Stretch(now, at(-5000), acts, all, 4*time.Second)
		if waits != (tt.due > 0) || waits && !last.Due.Equal(at(tt.due)) {
			t.Errorf("%s: %v, %v after now; want %d ms", name, waits, last.Due.Sub(now), tt.due)
		}
	}
}
