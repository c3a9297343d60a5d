package assertion

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa"
)

// Assertions that do not hold are waited for together: as long as the one with the most time, and
// each as long as its own. What comes to hold is no longer looked at.
func TestWaitedForTogether(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for name, tt := range map[string]struct {
		times []time.Duration // of each
		holds []time.Duration // when each comes to hold; 0: never
		waits []time.Duration // how long each is waited for at least, and so at most a pause more
		whole time.Duration
	}{
		"three that never hold":        {[]time.Duration{5 * s, 5 * s, 5 * s}, []time.Duration{0, 0, 0}, []time.Duration{5 * s, 5 * s, 5 * s}, 5 * s},
		"each has its own time":        {[]time.Duration{s, 5 * s, 2 * s}, []time.Duration{0, 0, 0}, []time.Duration{s, 5 * s, 2 * s}, 5 * s},
		"one comes":                    {[]time.Duration{5 * s, 3 * s}, []time.Duration{s, 0}, []time.Duration{s, 3 * s}, 3 * s},
		"all come":                     {[]time.Duration{5 * s, 5 * s}, []time.Duration{s, 2 * s}, []time.Duration{s, 2 * s}, 2 * s},
		"one has no time":              {[]time.Duration{0, s}, []time.Duration{0, 0}, []time.Duration{0, s}, s},
		"one comes after its own time": {[]time.Duration{s, 3 * s}, []time.Duration{2 * s, 0}, []time.Duration{s, 3 * s}, 3 * s},
	} {
		clock, began := time.Unix(1e9, 0), time.Unix(1e9, 0)
		p := &patience{now: func() time.Time { return clock }, waited: make([]time.Duration, len(tt.times)),
			pause: func(_ context.Context, d time.Duration) error { clock = clock.Add(d); return nil }}
		for _, timeout := range tt.times {
			p.all = append(p.all, qa.Asked{Timeout: timeout})
		}
		looks := make([]time.Duration, len(tt.times))
		open := []int{0, 1, 2}[:len(tt.times)]
		p.run(t.Context(), open, func(open []int) []int {
			return slices.DeleteFunc(slices.Clone(open), func(i int) bool {
				looks[i] = clock.Sub(began)
				return tt.holds[i] > 0 && clock.Sub(began) >= tt.holds[i]
			})
		})
		const pause = 250 * time.Millisecond
		if got := clock.Sub(began); got < tt.whole || got > tt.whole+pause {
			t.Errorf("%s: took %v, want %v", name, got, tt.whole)
		}
		for i, want := range tt.waits {
			if looks[i] < want || looks[i] > want+pause {
				t.Errorf("%s: number %d was looked at last after %v, want %v", name, i, looks[i], want)
			}
			if tt.holds[i] == 0 && p.waited[i] != tt.times[i] {
				t.Errorf("%s: number %d was waited for %v, want %v", name, i, p.waited[i], tt.times[i])
			}
		}
	}
}

// What stands after the first that could not be looked at is not waited for: it is not told.
func TestNothingIsAwaitedAfterAnError(t *testing.T) {
	t.Parallel()
	made := []*Looked{nil, {}, {Err: errors.New("the page is lost")}, nil, {Err: errors.New("lost, too")}}
	if diff := cmp.Diff([]int{0}, beforeError(made, []int{0, 3})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{0, 3}, beforeError([]*Looked{nil, {}, {}, nil}, []int{0, 3})); diff != "" {
		t.Error(diff)
	}
	all := make([]qa.Asked, 3)
	looked := eachInOrder(all, func(i int, _ qa.Asked) (out Looked) {
		if i == 1 {
			out.Err = errNotSeen
		}
		return out
	})
	if len(looked) != 2 || looked[1].Err == nil {
		t.Errorf("the results do not end with the error: %v", looked)
	}
}
