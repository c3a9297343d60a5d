package publish

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

// Shard holds a part of a suite, in the data folder of the job that ran it.
type Shard struct {
	Dir   string // absolute
	Suite suite.Suite
}

// name returns how a shard is called in messages.
func (s Shard) name() string {
	return fmt.Sprintf("shard %d/%d (%s)", s.Suite.Selection.Shard, s.Suite.Selection.Of, s.Dir)
}

// Read reads the newest suite of each data folder, or of the .assay within a folder.
func Read(folders []string) (shards []Shard, err error) {
	for _, folder := range folders {
		dir, wrong := filepath.Abs(folder)
		if wrong != nil {
			return nil, wrong
		}
		if info, wrong := os.Stat(filepath.Join(dir, ".assay")); wrong == nil && info.IsDir() {
			dir = filepath.Join(dir, ".assay")
		}
		s, wrong := suite.Store{Dir: filepath.Join(dir, "suites")}.Newest(suite.OfFiles)
		switch {
		case wrong != nil:
			err = errors.Join(err, fmt.Errorf("%s: %w: give the data folder (.assay) of a job that ran assay run --shard", folder, wrong))
		case s.Selection.Of == 0:
			err = errors.Join(err, fmt.Errorf("%s: its newest suite, %s, is no shard: run it with --shard i/n", folder, s.ID))
		}
		shards = append(shards, Shard{dir, s})
	}
	return shards, err
}

// Merge makes one suite of all its shards. The error names each shard that is missing,
// there twice, not ended or unlike the first one, and what differs.
func Merge(ctx context.Context, shards []Shard, trusted []string) (suite.Suite, error) {
	if len(shards) == 0 {
		return suite.Suite{}, errors.New("there are no shards")
	}
	shards = slices.Clone(shards)
	sort.SliceStable(shards, func(i, j int) bool { return shards[i].Suite.Selection.Shard < shards[j].Suite.Selection.Shard })
	if err := errors.Join(complete(shards), alike(shards)); err != nil {
		return suite.Suite{}, err
	}
	first := shards[0].Suite
	out := first
	out.ID, out.Selection.Shard, out.Selection.Of, out.Entries = first.ID+"-merged", 0, 0, nil
	seen := map[string]bool{}
	for _, s := range shards {
		if s.Suite.StartedAt.Before(out.StartedAt) {
			out.StartedAt = s.Suite.StartedAt
		}
		if s.Suite.FinishedAt.After(out.FinishedAt) {
			out.FinishedAt = s.Suite.FinishedAt
		}
		for _, e := range s.Suite.Entries {
			out.Entries = append(out.Entries, s.entry(ctx, e, trusted, seen))
		}
	}
	return out, nil
}

// complete finds shards that are missing, there twice, or have not ended.
func complete(shards []Shard) (err error) {
	of := shards[0].Suite.Selection.Of
	have := map[int]Shard{}
	for _, s := range shards {
		n := s.Suite.Selection.Shard
		if other, twice := have[n]; twice {
			err = errors.Join(err, fmt.Errorf("shard %d/%d is there twice: %s and %s", n, s.Suite.Selection.Of, other.Dir, s.Dir))
		}
		have[n] = s
		if s.Suite.FinishedAt.IsZero() {
			err = errors.Join(err, fmt.Errorf("%s has not ended: run it again, with assay run --resume %s", s.name(), s.Suite.ID))
		}
		if total, wrong := strconv.Atoi(s.Suite.Setup["cases"]); wrong == nil && n > 0 {
			if want := (total - n + s.Suite.Selection.Of) / s.Suite.Selection.Of; len(s.Suite.Entries) < want {
				err = errors.Join(err, fmt.Errorf("%s has %d cases of %d: its suite.json is not whole", s.name(), len(s.Suite.Entries), want))
			}
		}
	}
	var missing []string
	for n := 1; n <= of; n++ {
		if _, ok := have[n]; !ok {
			missing = append(missing, fmt.Sprintf("%d/%d", n, of))
		}
	}
	if len(missing) > 0 {
		err = errors.Join(err, fmt.Errorf("missing: shard %s: give the data folders of all %d jobs", strings.Join(missing, ", "), of))
	}
	return err
}

// alike finds shards that ran under another configuration than the first one.
func alike(shards []Shard) (err error) {
	setup := func(s Shard) map[string]string {
		out := maps.Clone(s.Suite.Setup)
		if out == nil {
			out = map[string]string{}
		}
		sel := s.Suite.Selection
		out["number of shards"], out["--tags"], out["--grep"], out["base URL"] = strconv.Itoa(sel.Of), strings.Join(sel.Tags, ","), sel.Grep, s.Suite.BaseURL
		return out
	}
	first := setup(shards[0])
	for _, s := range shards[1:] {
		own := setup(s)
		keys := maps.Clone(first)
		maps.Copy(keys, own)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			if own[key] != first[key] {
				err = errors.Join(err, fmt.Errorf("%s: %s is %q, and that of %s is %q: run all shards alike", s.name(), key, own[key], shards[0].name(), first[key]))
			}
		}
	}
	return err
}

// entry returns a case with the paths that its files have here. One that passed is an
// error unless its run is in the shard's data folder as it was signed.
func (s Shard) entry(ctx context.Context, e suite.Entry, trusted []string, seen map[string]bool) suite.Entry {
	if e.Result == nil {
		return e
	}
	r := e.Result.Moved(filepath.Join(s.Dir, "runs"))
	if why := s.unproven(ctx, r, trusted, seen); why != "" {
		r.Status, r.FailureReason = qa.TestError, pagetext.Text(why)
	}
	seen[r.RunID] = true
	e.Result = &r
	return e
}

// unproven says why a pass does not count; empty: it does, or is none.
func (s Shard) unproven(ctx context.Context, r suite.Result, trusted []string, seen map[string]bool) string {
	if r.Status != qa.TestPassed {
		return ""
	}
	found, err := verify.Run(ctx, s.Dir, r.RunID, verify.Options{Trusted: trusted})
	switch {
	case err != nil:
		return "its run can't be verified: " + err.Error()
	case found.Verdict != verify.Verified:
		return "its run is not verified: " + found.Findings[0].Code
	case found.Status != string(qa.Passed) || seen[r.RunID]:
		return "its run is not one that passed"
	}
	return ""
}
