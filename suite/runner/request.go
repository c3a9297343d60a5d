package runner

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
)

// Request says what a suite runs, and how.
type Request struct {
	Paths    []string // files and folders; none: the working folder
	BaseURL  string   // wins over that of the environment and those of specs
	Parallel int      // cases side by side
	Resume   string   // id of a suite, or of one of its runs, whose cases that did not pass run again
	Tags     []string // a case needs one of them
	Grep     string   // regular expression over path and name
	Shard    string   // i/n
	Profile  string   // of the configuration
	Vars     []string // NAME=VALUE, for specs
	Replay   string   // auto, prefer, only or off; empty: agent.replay
	Update   bool     // write recordings anew where they were healed or no longer fit
	Record   bool     // write recordings beside specs that are under no version control, too
	Tests    bool     // write recordings that passed as Playwright tests
	Summary  string   // file for a Markdown summary
	JUnit    string   // file for the suite as JUnit XML
	Failed   bool     // only cases that did not pass when they ran last
	Repeat   int      // how often each case runs, each time as a case of its own; 0 and 1: once
	Only     []string // absolute paths of the only files whose cases run; nil: all that are selected
	List     bool     // the cases are looked for and not run: neither a model nor what the files name is needed

	ReportDir    string // folder for a readable copy of the reports; empty: none
	ReportForced bool   // somebody chose ReportDir: what is in it already does not matter
}

// Check refuses what can't be meant, in an environment with so many sessions.
func (r Request) Check(maxSessions int) error {
	if err := CheckParallel(r.Parallel, maxSessions); err != nil {
		return err
	}
	if r.Repeat < 0 || r.Repeat > MaxRepeat {
		return config.Usage("--repeat %d: use 1 to %d", r.Repeat, MaxRepeat)
	}
	if r.Repeat > 1 && (r.Update || r.Record || r.Tests) {
		return config.Usage("--repeat runs each case several times, which would write its recording several times: leave --update-flows, --record and --write-tests out")
	}
	if r.Failed && r.Shard != "" {
		return config.Usage("--last-failed selects by the runs that this machine has stored, which other shards don't have: leave --shard out")
	}
	if modes := []string{"", "auto", "prefer", "only", "off"}; !slices.Contains(modes, r.Replay) {
		return config.Usage("--replay %q: use auto, prefer, only or off", r.Replay)
	}
	return CheckBaseURL(r.BaseURL)
}

// CheckParallel refuses a --parallel that an environment has not the sessions for.
func CheckParallel(parallel, maxSessions int) error {
	if parallel < 1 || parallel > maxSessions {
		return config.Usage("--parallel %d: use 1 to %d (limits.max_sessions)", parallel, maxSessions)
	}
	return nil
}

// MaxRepeat bounds how often a case runs in one suite.
const MaxRepeat = 1000

// CheckBaseURL refuses a --base-url that no address can be appended to.
func CheckBaseURL(address string) error {
	base, err := url.Parse(address)
	if address != "" && (err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https") {
		return config.Usage("--base-url %q: give a full http or https address", address)
	}
	return nil
}

// Previous finds the suite in a data folder that r resumes, and takes its files and
// its base address. Without Resume there is none, and r comes back as it is.
func (r Request) Previous(dir string) (suite.Suite, Request, error) {
	if r.Resume == "" {
		return suite.Suite{}, r, nil
	}
	if len(r.Paths) > 0 {
		return suite.Suite{}, r, config.Usage("--resume runs the files of that suite: leave %s out", strings.Join(r.Paths, " "))
	}
	if r.Failed || r.Repeat > 1 {
		return suite.Suite{}, r, config.Usage("--resume runs what did not pass in that suite, once: leave --last-failed and --repeat out")
	}
	if len(r.Tags) > 0 || r.Grep != "" || r.Shard != "" || r.Profile != "" {
		return suite.Suite{}, r, config.Usage("--resume runs what was selected for that suite: leave --tags, --grep, --shard and --profile out")
	}
	old, err := Store(dir).Find(r.Resume)
	if err != nil {
		return old, r, config.Usage("--resume: %w", err)
	}
	if !suite.OfFiles(old) {
		return old, r, config.Usage("--resume %s: this is a suite of assay %s, which has no files to run: use assay %s again", r.Resume, old.Command, old.Command)
	}
	r.Paths, r.Profile = load.Relative(old.Paths), old.Selection.Profile
	return old, r, nil
}

// Store returns the store of suites in a data folder.
func Store(dir string) suite.Store { return suite.Store{Dir: filepath.Join(dir, "suites")} }
