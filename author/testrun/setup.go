package testrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/internal/trust"
)

// Runner runs tests in one environment.
type Runner struct {
	Install driver.Options // where Node, our browser and the pinned runner are looked for
	Network egress.Lists   // the hosts that tests may reach with a browser
	Folder  string         // the working folder
	Top     string         // above it no project is looked for; empty: up to the root
	Temp    string         // folder for what runs write
	BaseURL string         // wins over the project's own; empty: that holds
	Environ []string
	// State is the storage state of a role that tests are signed in as; nil: nobody. It
	// is stored for the time of the setup alone.
	State      []byte
	Trusted    []trust.Folder // that a person trusted: their tests, configurations and modules are programs
	Plain      bool           // the project's configuration does not count, and the tests are made by us
	OneAtATime bool           // tests may not run side by side, as they share a sign-in that they change
	Grace      time.Duration  // how long an interrupted runner may take to end; 0: 10 s
	Now        func() time.Time
	Confine    *ConfineLimits // for tests that a model wrote: their home and their folder are made here; nil: no limits
}

// StateVariable names the variable with the path of the storage state.
const StateVariable = "STORAGE_STATE"

// Setup is what runs of the tests of one project share.
type Setup struct {
	Project Project
	base    Request
	temp    string
	gate    *egress.Gate

	oneAtATime bool
	pinned     func() (driver.TestRunner, error)
	signedOut  func() bool // ends the wait for the context of Open
}

// Pinned finds the pinned test runner, whose parser reads the tests of any project.
func (s *Setup) Pinned() (driver.TestRunner, error) { return s.pinned() }

// Tools returns what finds programs that a project may lack.
func (rn Runner) Tools(ctx context.Context) Tools {
	return Tools{
		Node: func() (string, error) {
			node, _, err := driver.LocateNode(ctx, rn.Install)
			return node, err
		},
		Pinned: func() (driver.TestRunner, error) { return driver.LocateTestRunner(ctx, rn.Install) },
		Top:    rn.Top,
	}
}

// UntrustedError says that tests were not run, as they would run what a folder has.
type UntrustedError struct {
	Folder  string
	Changed string // a file of it that decides what runs, and is another one since a person trusted the folder
}

func (e *UntrustedError) Error() string {
	if e.Changed != "" {
		return fmt.Sprintf("the tests of %s were not run: %s is not what it was when a person trusted the folder, and it decides what runs with "+
			"them: a person who knows the change runs assay trust again in the working folder", e.Folder, e.Changed)
	}
	return fmt.Sprintf("the tests of %s were not run: they run what the folder has (playwright.config.*, its tests, its node_modules), and "+
		"nobody has trusted it: a person who knows the folder runs assay trust once in the working folder (in CI: CI=true and --config FILE)", e.Folder)
}

// CheckTrust refuses to run what a folder has that nobody trusted.
func (rn Runner) CheckTrust(p Project) error {
	runs := p.TestDir // what is run is there, or was found from there
	switch {
	case rn.Plain && !p.Own:
		return nil
	case rn.Plain:
		runs = filepath.Dir(p.Modules)
	case p.Config != "":
		runs = filepath.Dir(p.Config)
	}
	whole, err := trust.RealPath(runs)
	if err != nil {
		return &UntrustedError{Folder: runs}
	}
	return CheckTrusted(whole, rn.Trusted)
}

// CheckTrusted refuses to run the tests of a folder, given without symbolic links, that is
// in none of those that a person trusted, or is not as it was then.
func CheckTrusted(folder string, folders []trust.Folder) error {
	trusted, changed, err := trust.CheckTests(folder, folders)
	if err != nil {
		return fmt.Errorf("find out whether the tests of %s may be run: %w", folder, err)
	}
	if !trusted {
		return &UntrustedError{Folder: folder, Changed: changed}
	}
	return nil
}

// Open finds the project of the tests at paths and opens the gate that their browsers
// go through. The caller closes it.
func (rn Runner) Open(ctx context.Context, paths []string) (*Setup, error) {
	p, err := Find(rn.Folder, paths, rn.Tools(ctx))
	if err != nil {
		return nil, err
	}
	if err := rn.CheckTrust(p); err != nil {
		return nil, err
	}
	if rn.Plain {
		p.Config, p.Root = "", p.TestDir
	}
	policy, err := egress.NewPolicy(rn.Network)
	if err != nil {
		return nil, err
	}
	s := &Setup{Project: p, base: Request{Project: p, Folder: rn.Folder, BaseURL: rn.BaseURL, Environ: rn.Environ, Grace: rn.Grace}, oneAtATime: rn.OneAtATime, pinned: rn.Tools(ctx).Pinned}
	if found, err := driver.Locate(ctx, rn.Install); err == nil && found.Browser.Type == "chromium" {
		s.base.Browser = found.Browser.Path // without it the project's own has to be there
	}
	if s.temp, err = os.MkdirTemp(rn.Temp, "assay-tests-"); err != nil {
		return nil, fmt.Errorf("make a folder for the test run: %w", err)
	}
	s.base.Environ = append(slices.Clone(s.base.Environ), "PWTEST_CACHE_DIR="+filepath.Join(s.temp, "transformed"))
	if s.gate, err = egress.Start(egress.Options{Policy: policy, Now: rn.Now}); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.temp))
	}
	if err := s.signIn(ctx, rn.State); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if rn.Confine != nil {
		s.base.Confine = s.confined(*rn.Confine)
	}
	user, password := s.gate.Credentials()
	s.base.Proxy = &Proxy{Server: s.gate.Server(), Username: user, Password: password, Bypass: "<-loopback>"}
	return s, nil
}

// signIn stores the state that tests are signed in with, for its owner alone. It is
// removed by Close, and at once where ctx is cancelled.
func (s *Setup) signIn(ctx context.Context, state []byte) error {
	if state == nil {
		return nil
	}
	folder, err := s.Folder()
	if err != nil {
		return err
	}
	s.base.State = filepath.Join(folder, "state.json")
	s.base.Environ = append(s.base.Environ, StateVariable+"="+s.base.State)
	if err := os.WriteFile(s.base.State, state, 0o600); err != nil {
		return fmt.Errorf("store the sign-in for the test run: %w", err)
	}
	s.signedOut = context.AfterFunc(ctx, func() { _ = os.RemoveAll(folder) }) // Close tries again
	return nil
}

// confined completes limits with the folders of the setup, and with what the runner
// needs to read.
func (s *Setup) confined(l ConfineLimits) *ConfineLimits {
	l.Home, l.Temp = filepath.Join(s.temp, "home"), s.temp
	l.Read = append(slices.Clone(l.Read), s.Project.Root, s.Project.Modules, s.Project.Node)
	if node, err := filepath.EvalSymlinks(s.Project.Node); err == nil {
		l.Read = append(l.Read, filepath.Dir(filepath.Dir(node))) // node with what lies beside it
	}
	if browser, err := filepath.EvalSymlinks(s.base.Browser); err == nil {
		l.Read = append(l.Read, filepath.Dir(browser))
	}
	return &l
}

// OpenApart opens what runs tests that are written into an empty folder, its
// Project.TestDir. The runner is that of the project at paths, whose configuration does
// not count.
func (rn Runner) OpenApart(ctx context.Context, paths []string, environ []string) (*Setup, error) {
	rn.Plain = true
	s, err := rn.Open(ctx, paths)
	if err != nil {
		return nil, err
	}
	folder, err := s.Folder()
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.Project.Config, s.Project.Root, s.Project.TestDir = "", folder, folder
	s.base.Environ = append(s.base.Environ, environ...)
	return s, nil
}

// Close closes the gate and removes what the runs have written.
func (s *Setup) Close() error {
	if s.signedOut != nil {
		s.signedOut()
	}
	s.gate.Close()
	return os.RemoveAll(s.temp)
}

// Folder makes an empty folder that Close removes.
func (s *Setup) Folder() (string, error) { return os.MkdirTemp(s.temp, "run-") }

// Run runs tests of the project. What r leaves out of the setup is filled in.
func (s *Setup) Run(ctx context.Context, r Request) (Result, error) {
	r.Project, r.Folder, r.Browser, r.Proxy, r.Environ, r.State, r.Grace = s.Project, s.base.Folder, s.base.Browser, s.base.Proxy, s.base.Environ, s.base.State, s.base.Grace
	r.Confine = s.base.Confine
	if s.oneAtATime {
		r.Workers = 1
	}
	if r.BaseURL == "" {
		r.BaseURL = s.base.BaseURL
	}
	if r.Scratch == "" {
		var err error
		if r.Scratch, err = s.Folder(); err != nil {
			return Result{}, err
		}
	}
	return Run(ctx, r)
}

// Missing reports whether an error says what a person has to do first: install a program, or trust the folder.
func Missing(err error) bool {
	var missing *driver.InstallError
	var untrusted *UntrustedError
	return errors.As(err, &missing) || errors.As(err, &untrusted)
}

// Describe says in a few words what runs the tests of a project.
func (p Project) Describe() string {
	words := []string{"@playwright/test " + p.Version}
	if p.Own {
		words = append(words, "of the project")
	}
	if p.Config != "" {
		words = append(words, "with "+relative(p.Root, p.Config))
	}
	return strings.Join(words, " ")
}
