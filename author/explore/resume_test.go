package explore_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/site"
)

// moment is what is on disk at one time.
type moment struct {
	site       []byte
	checkpoint []byte
}

// moments explores the fake site and returns what was on disk after each store, also
// between the two files of one.
func moments(t *testing.T) (whole site.Site, all []moment) {
	t.Helper()
	now, last := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC), moment{}
	whole = explored(t, newFake(), func(o *explore.Options) {
		o.Now = func() time.Time { return now }
		o.Tell = func(explore.Progress) { now = now.Add(4 * time.Second) } // each round is stored
		o.Save = func(s site.Site) error {
			data, err := json.Marshal(s)
			last.site = data
			all = append(all, last)
			return err
		}
		o.Checkpoint = func(data []byte) error {
			last.checkpoint = data
			all = append(all, last)
			return nil
		}
	})
	return whole, all
}

// resumed goes on from a moment.
func resumed(t *testing.T, m moment, change func(*explore.Options)) (site.Site, error) {
	t.Helper()
	var s site.Site
	if err := json.Unmarshal(m.site, &s); err != nil {
		t.Fatal(err)
	}
	o := explore.Options{StartURL: "http://a.test/", StayOnDomain: true, Notable: 5, Now: time.Now, Resume: &explore.Resumed{Site: s, Checkpoint: m.checkpoint},
		Save: func(site.Site) error { return nil }}
	if change != nil {
		change(&o)
	}
	return explore.Run(t.Context(), newFake(), o)
}

// An exploration that was killed at any time goes on to the same states, and does nothing
// twice (bad input: killed in any phase).
func TestResume(t *testing.T) {
	whole, all := moments(t)
	tried := 0
	for i, m := range all {
		if m.checkpoint == nil {
			continue
		}
		tried++
		s, err := resumed(t, m, nil)
		if err != nil {
			t.Fatalf("moment %d: %v", i, err)
		}
		if err := s.Check(); err != nil {
			t.Errorf("moment %d: %v", i, err)
		}
		if diff := cmp.Diff(titles(whole), titles(s)); diff != "" || s.Stop.Reason != site.Complete {
			t.Errorf("moment %d: stopped %q, states (-uninterrupted +resumed):\n%s", i, s.Stop.Reason, diff)
		}
		var done []string
		for _, e := range s.Edges {
			done = append(done, e.From+" "+explore.Describe(e.Action))
		}
		slices.Sort(done)
		if len(slices.Compact(slices.Clone(done))) != len(done) {
			t.Errorf("moment %d: something was done twice: %v", i, done)
		}
	}
	if tried < 10 {
		t.Errorf("%d moments were tried, want 10 and more", tried)
	}
}

// What is not the exploration that was asked for is refused, and nothing is stored.
func TestResumeRefused(t *testing.T) {
	_, all := moments(t)
	good := all[len(all)/2]
	var s site.Site
	if err := json.Unmarshal(good.site, &s); err != nil {
		t.Fatal(err)
	}
	s.States = s.States[:1]
	shorter, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	for want, one := range map[string]struct {
		m      moment
		change func(*explore.Options)
	}{
		"it began at":        {good, func(o *explore.Options) { o.StartURL = "http://a.test/list" }},
		"its seed is 0":      {good, func(o *explore.Options) { o.Seed = 3 }},
		"allow-writes=false": {good, func(o *explore.Options) { o.AllowWrites = true }},
		"is not the one":     {moment{shorter, good.checkpoint}, nil},
		"can't be read":      {moment{good.site, good.checkpoint[:len(good.checkpoint)/2]}, nil},
	} {
		_, err := resumed(t, one.m, func(o *explore.Options) {
			o.Save = func(site.Site) error { t.Errorf("%s: something was stored", want); return nil }
			if one.change != nil {
				one.change(o)
			}
		})
		if err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, explore.ErrNotResumed) {
			t.Errorf("want an error with %q, not %v", want, err)
		}
	}
}
