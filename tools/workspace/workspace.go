package workspace

import (
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"sync"
	"time"

	"github.com/assay-qa/assay/author/draft"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/signin"
	"github.com/assay-qa/assay/tools/visualcheck"
)

// Settings holds what a workspace works with. [Workspace.Fork] hands all of them on.
type Settings struct {
	Pool          *browser.Pool
	Store         *evidence.Store
	Limit         time.Duration         // bound on a call whose caller set no time-out
	HardLimit     time.Duration         // bound on any call
	Watch         time.Duration         // how long a page is watched after its last change, where the caller sets no other; 0: not at all
	Screenshot    browser.ShotOptions   // defaults of page_screenshot
	MaxPixels     int                   // largest picture that is decoded
	Sets          []string              // toolsets that are offered
	Evaluate      bool                  // offer page_evaluate
	Baselines     visualcheck.Baselines // pictures that pages are compared with
	Visual        VisualDefaults
	KeepDownloads bool             // downloads stay in the folder that the pool has for them, instead of the run's
	Trace         bool             // trace the sessions of every run
	PictureAtEnd  bool             // take a picture of what a run ends with
	PictureBefore bool             // take a picture before each call that changes the page
	Identify      bool             // answers of acting calls say what the element is known again by
	FatalConsole  []*regexp.Regexp // errors of the console that are blocker findings
	HealthIgnore  []string         // names of findings about a page's health that are left out
	// IgnoredHost reports whether failed requests to a host are no fault of a page; nil: none is.
	IgnoredHost  func(hostname string) bool
	FromFile     bool         // tasks come from files: their assertions are those of the files' authors, or were accepted
	SpecPath     string       // the spec that is worked on; empty: none
	Suites       Suites       // runs suites in the background; nil: not here
	Explorations Explorations // explores sites in the background; nil: not here
	Heals        Heals        // finds elements of failing tests again in the background; nil: not here
	Generations  Generations  // makes tests of explored sites in the background; nil: not here
	TestRuns     TestRuns     // runs Playwright tests in the background; nil: not here
	Draft        *draft.Draft // where tests are written; nil: not here
	Environment  qa.Environment
	Secrets      Secrets        // resolves ${secret:NAME}; nil: none are configured
	Untrusted    Untrusted      // what the working folder may not do
	Target       Target         // the environment under test
	Hosts        []string       // the only hosts that its sessions reach, if there are any
	Start        Start          // what its sessions start with
	Views        evidence.Views // makes the documents that people read from a report
	Now          func() time.Time
	Log          *slog.Logger
}

// Untrusted says what a working folder that nobody trusted may not do. Its zero value holds nothing back.
type Untrusted struct {
	Secrets map[string]string   // where the folder says secrets that do not count, by name
	TypedOn map[string][]string // the only hosts on whose pages secrets are typed, by name
}

// VisualDefaults say how pictures are compared where neither the call nor the
// baseline does.
type VisualDefaults = visualcheck.Defaults

// Workspace holds what the tools of one server share.
type Workspace struct {
	Settings

	mu            sync.Mutex
	group         *browser.Group              // its sessions
	opening       *wait.Places                // one: held while the default session is found or opened
	own           *evidence.Run               // the connection's own run
	ownCalls      int                         // calls that began in it
	ownBusy       int                         // those that have not ended
	finishing     sync.WaitGroup              // own runs on their way to a report
	started       *evidence.Run               // between run_start and run_finish
	starts        map[string]browser.Position // where the sessions stood when it began, by their ids
	traffic       map[string]*traffic
	tracing       traceState
	signIns       map[string]*signin.SignIn           // of sessions with a role, by their ids
	uses          map[string]string                   // the newest run that used a session, by the session's id
	told          map[string][toldLines]pagetext.Text // what the last answer said of a session, by the session's id
	running       runningCalls
	lastHeld      lastAssertions // what was asserted last
	sites         siteScope
	presence      presence
	beforeActs    beforeActs
	recordedCalls []RecordedCall // of the run that is open
	specStep      int            // of the spec, from 1; 0: none
}

// AtSpecStep notes which step of the spec is worked on, from 0; -1: none.
func (ws *Workspace) AtSpecStep(step int) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.specStep = step + 1
}

// SpecStep returns the spec that is worked on, and the index of its step; nil where
// there is none.
func (ws *Workspace) SpecStep() (path string, step *int) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.specStep > 0 {
		at := ws.specStep - 1
		step = &at
	}
	return ws.SpecPath, step
}

// ToldLine names a line that an answer has only where it is another one than in the answer before.
type ToldLine int

// These lines are of a session's page, and of its tabs.
const (
	PageLine ToldLine = iota
	TabLine
	toldLines
)

// ReplaceLine records what an answer says in a line about a session, and returns what the
// answer before it said.
func (ws *Workspace) ReplaceLine(session string, which ToldLine, line pagetext.Text) (before pagetext.Text) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.told == nil {
		ws.told = map[string][toldLines]pagetext.Text{}
	}
	told := ws.told[session]
	before, told[which] = told[which], line
	ws.told[session] = told
	return before
}

// NoteBrowser records what reports are made with.
func (ws *Workspace) NoteBrowser(i browser.Info) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.Environment.Browser, ws.Environment.BrowserVersion = i.Browser, i.Version
	ws.Environment.Viewport, ws.Environment.Locale, ws.Environment.Timezone = fmt.Sprintf("%d×%d", i.Width, i.Height), i.Locale, i.Timezone
}

// ReportEnvironment returns what reports say they were made with.
func (ws *Workspace) ReportEnvironment() qa.Environment {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return ws.Environment
}

// Ignores reports whether a failed request to an address is no fault of a page.
func (ws *Workspace) Ignores(address string) bool {
	if ws.IgnoredHost == nil {
		return false
	}
	u, err := url.Parse(address)
	return err == nil && u.Hostname() != "" && ws.IgnoredHost(u.Hostname())
}

// Fork returns a workspace with the same settings, and with runs and sessions of its
// own: what one of them does, the other doesn't see. It starts no suites: who
// works on a fork may be a case of one.
func (ws *Workspace) Fork() *Workspace {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	fork := &Workspace{Settings: ws.Settings}
	fork.Suites, fork.Explorations, fork.Generations, fork.Heals, fork.Draft = nil, nil, nil, nil, nil
	return fork
}
