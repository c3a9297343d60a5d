package author

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/reset"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/internal/auth"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/login"
	"github.com/assay-qa/assay/tools/signin"
	"github.com/assay-qa/assay/tools/workspace"
)

// Options say what is explored.
type Options struct {
	URLs []string
	Out  string // folder; each of several sites has one below it

	StayOnStart bool // stay below the folder of each start address
	Resume      bool // go on with the explorations that the folders hold

	// Reset sets each site back before it is explored, unless its exploration goes on. SetBack is told; it may be nil.
	Reset   reset.Way
	SetBack func(url, by string)

	Parallel int
	Guard    *guard.Guard // what is stopped
	Explore  explore.Options
	Scan     scan.Options
	Cookies  []*http.Cookie // set before the first page loads
	Waits    Waits
	Progress func(url string, p explore.Progress)
	// Watch stands between an exploration and its page, for measurements; nil: nothing
	// does.
	Watch func(explore.Page) explore.Page
}

// Waits say how long an exploration waits.
type Waits struct {
	Act        time.Duration // bound on one act
	Before     time.Duration // before and after an act, beside waiting until the page is quiet
	After      time.Duration
	Navigation time.Duration // after the address has changed
	Quiet      time.Duration // bound on waiting until the page is quiet
}

// Result is the exploration of one site.
type Result struct {
	URL  string
	Dir  string
	Site site.Site
	Err  error

	Status qa.Status // the verdict of its run; empty: no run was filed
	Report string    // path of the run's report
}

// Explore explores sites side by side. The results come in the order of the addresses.
func Explore(ctx context.Context, ws *workspace.Workspace, o Options) []Result {
	out := make([]Result, len(o.URLs))
	for i, address := range o.URLs {
		out[i] = Result{URL: address, Dir: o.Out}
		if len(o.URLs) > 1 {
			out[i].Dir = filepath.Join(o.Out, folderName(address))
		}
	}
	once := &reset.Once{Tell: o.SetBack}
	if !o.Resume { // else it goes on at the state that it left
		once.Way = o.Reset
	}
	for i, err := range wait.SideBySide(ctx, o.Parallel, len(out), func(i int) error {
		return exploreOne(ctx, ws, o, once, &out[i])
	}) {
		out[i].Err = err
	}
	return out
}

// folderName returns the name of the folder of one site.
func folderName(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '-'
	}, rest)
	sum := sha256.Sum256([]byte(address))
	return strings.Trim(clean[:min(len(clean), 60)], "-.") + "-" + hex.EncodeToString(sum[:3])
}

// nobody is the storage state of somebody who has not signed in.
const nobody = `{"cookies":[],"origins":[]}`

// exploreOne explores the site of a result, and enters what was found.
func exploreOne(ctx context.Context, ws *workspace.Workspace, o Options, once *reset.Once, r *Result) error {
	by, err := once.Site(ctx, r.URL) // before the sign-in, which it may end
	if err != nil {
		return err
	}
	p := &livePage{state: []byte(nobody), options: o.Scan, guard: o.Guard, ignore: ws.HealthIgnore, now: ws.Now, waits: o.Waits}
	eo := o.Explore
	eo.Destructive = func(name string) bool {
		_, destructive := o.Guard.Act(guard.Element{Names: []string{name}})
		return destructive
	}
	eo.StartURL, eo.Now, eo.Log = r.URL, ws.Now, ws.Log
	if u, err := url.Parse(r.URL); err == nil && o.StayOnStart && eo.StayOnPath == "" {
		eo.StayOnPath = u.Path[:strings.LastIndex(u.Path, "/")+1]
	}
	if eo.Role != "" {
		if err := p.signInAs(ctx, ws, eo.Role); err != nil {
			return err
		}
		p.check = func(ctx context.Context) (bool, error) {
			stored, err := login.Check(ctx, ws, eo.Role, func(string) {})
			return stored.Works, err
		}
		p.renew = func(ctx context.Context) error { return p.signInAgain(ctx, ws, o.Cookies, r.URL) }
	}
	if p.state, err = withCookies(p.state, o.Cookies, r.URL); err != nil {
		return err
	}
	p.session, err = ws.Pool.Launch(ctx, browser.LaunchOptions{Caution: &browser.Caution{Guard: o.Guard, Kind: guard.Explored}})
	if err != nil {
		return err
	}
	defer closeSession(ctx, ws, p.session)
	keeper, err := openFolder(r.Dir)
	if err != nil {
		return err
	}
	defer keeper.root.Close()
	run, err := startSiteRun(ws, eo)
	if err != nil {
		return err
	}
	run.setBack(by)
	eo.Keep, eo.Save, eo.Checkpoint = keeper.picture, func(s site.Site) error { return site.Write(r.Dir, run.named(s)) }, keeper.checkpoint
	if o.Resume {
		eo.Resume, err = keeper.resumed(r.Dir)
	} else {
		err = keeper.checkpoint(nil) // of another exploration
	}
	if err != nil {
		return err
	}
	eo.Tell = func(at explore.Progress) {
		run.loop(at.Loop)
		if o.Progress != nil {
			o.Progress(r.URL, at)
		}
	}
	var page explore.Page = p
	if o.Watch != nil {
		page = o.Watch(page)
	}
	r.Site, err = explore.Run(ctx, page, eo)
	if err != nil && o.Resume && (run.Run == nil || run.Empty()) { // what is stored stays as it is, with the run that it names
		return errors.Join(err, keeper.views(r.Site))
	}
	r.Site = run.named(r.Site)
	var runErr error
	r.Status, r.Report, runErr = run.finish(keeper, r.Site)
	return errors.Join(err, runErr, keeper.views(r.Site))
}

// signInAs takes the stored sign-in of a role, and signs in where there is none that
// works.
func (p *livePage) signInAs(ctx context.Context, ws *workspace.Workspace, name string) error {
	role, err := ws.Role(name)
	if err != nil {
		return workspace.AsBrowserError(err)
	}
	stored, err := login.Check(ctx, ws, name, func(string) {})
	if err != nil {
		return err
	}
	if !stored.Works {
		if err := logIn(ctx, ws, name); err != nil {
			return err
		}
	}
	state, err := role.State.Read()
	switch {
	case errors.Is(err, auth.ErrNone):
		return fmt.Errorf("nobody has signed in as %s yet: assay login %s", name, name)
	case err != nil:
		return workspace.AsBrowserError(err)
	}
	ws.Hide(state)
	p.state, p.role, p.signIn = state, name, signin.New(name, role)
	return nil
}

// logIn runs the login flow of a role and stores the sign-in.
func logIn(ctx context.Context, ws *workspace.Workspace, name string) error {
	made, err := login.Login(ctx, ws, login.Options{Role: name, Progress: func(string) {}})
	if err != nil {
		return err
	}
	if !made.Works {
		return fmt.Errorf("signing in as %s: %s; try it with: assay login %s", name, made.Reason, name)
	}
	return nil
}

// signInAgain signs the role in again, and takes the cookies that the settings add.
func (p *livePage) signInAgain(ctx context.Context, ws *workspace.Workspace, cookies []*http.Cookie, address string) error {
	if err := p.signInAs(ctx, ws, p.role); err != nil {
		return err
	}
	state, err := withCookies(p.state, cookies, address)
	if err != nil {
		return err
	}
	p.state = state
	return nil
}

func closeSession(ctx context.Context, ws *workspace.Workspace, s *browser.Session) {
	ctx, cancel := wait.CleanUp(ctx, 2*time.Second)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		ws.Log.Warn("close the session of an exploration", "err", err)
	}
}

// folder is where an exploration is kept.
type folder struct{ root *os.Root }

func openFolder(dir string) (*folder, error) {
	if err := os.MkdirAll(dir, disk.DirPerm); err != nil {
		return nil, fmt.Errorf("make the folder of the exploration %s: %w; choose another one with --out", dir, disk.Explain(err))
	}
	root, err := os.OpenRoot(dir)
	return &folder{root}, err
}

// checkpointName is the name of the file that says how to go on with an exploration.
const checkpointName = "resume.json"

// maxCheckpoint bounds that file, in bytes.
const maxCheckpoint = 512 << 20

// checkpoint stores how to go on; nil: there is nothing to go on with.
func (f *folder) checkpoint(data []byte) error {
	if data != nil {
		return disk.Write(f.root, checkpointName, data)
	}
	if err := f.root.Remove(checkpointName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete %s: %w", checkpointName, err)
	}
	return nil
}

// resumed reads the exploration that a folder holds.
func (f *folder) resumed(dir string) (*explore.Resumed, error) {
	data, err := disk.ReadPath(filepath.Join(dir, checkpointName), maxCheckpoint)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no exploration to go on with: the one that was there is complete, or there was none; begin one without --resume", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("read how to go on in %s: %w", dir, err)
	}
	s, err := site.Read(dir)
	if err != nil {
		return nil, err
	}
	return &explore.Resumed{Site: s, Checkpoint: data}, nil
}

// PlanName is the name of the test plan in the folder of an exploration.
const PlanName = "test-plan/test-plan.md"

// views stores the test plan and the map of what was found.
func (f *folder) views(found site.Site) error {
	if len(found.States) == 0 {
		return nil
	}
	return errors.Join(disk.Write(f.root, PlanName, []byte(plan.Print(plan.OfSite(found)))), disk.Write(f.root, explore.SitemapFile, explore.Sitemap(found)))
}

// pictures is the folder of the pictures of states.
const pictures = "pictures"

// picture stores the picture of a state.
func (f *folder) picture(state string, data []byte, ext string) (*site.Picture, error) {
	name := pictures + "/" + state + ext
	if err := disk.WriteUnsynced(f.root, name, data); err != nil {
		return nil, err
	}
	return &site.Picture{File: name, SHA256: digest(data)}, nil
}

// digest returns the SHA-256 of a file's bytes, hex.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
