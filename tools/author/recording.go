package author

import (
	"context"
	"time"

	"github.com/assay-qa/assay/author/byhand"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/record"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/tools/workspace"
)

// RecordOptions say what a person records.
type RecordOptions struct {
	URL    string // full address that the record begins at
	Role   string // that it begins signed in as; empty: as nobody
	Device string // that the window is, by name or as a size; empty: as the configuration says
	Width  int
	Height int
	Ready  func() // the window is open, and a person can begin
	// Progress is told how many steps are recorded, and whether it was seen what the newest act brought.
	Progress func(steps int, seen bool)
	// Secret returns the reference of the configured secret that has a value, or, with code, that gives it as a
	// one-time code now; empty: none has.
	Secret func(value string, code bool) string
	Done   <-chan struct{} // closed when the person says so; may be nil
}

// Recorded is what a person recorded.
type Recorded struct {
	Acts     *byhand.Builder
	Ended    byhand.Ended
	Viewport browser.Viewport
}

// Record opens a window, and records what a person does in it until that is closed or ctx ends.
func Record(ctx context.Context, ws *workspace.Workspace, o RecordOptions) (Recorded, error) {
	lo := browser.LaunchOptions{Device: o.Device, Width: o.Width, Height: o.Height, Caution: &browser.Caution{}} // a person's acts are permitted
	if o.Role != "" {
		page := &livePage{}
		if err := page.signInAs(ctx, ws, o.Role); err != nil {
			return Recorded{}, err
		}
		lo.State = page.state
	}
	r, err := record.New(ctx)
	if err != nil {
		return Recorded{}, err
	}
	lo.Record = r
	s, err := ws.Launch(ctx, lo)
	if err != nil {
		return Recorded{}, err
	}
	defer func() {
		closing, cancel := wait.CleanUp(ctx, closeLimit)
		defer cancel()
		if err := s.Close(closing); err != nil {
			ws.Log.Warn("close the session of a record", "err", err)
		}
	}()
	w := recordWindow{s, r, s.BrowserGone()}
	if _, err := s.Navigate(ctx, o.URL, "", 0); err != nil {
		return Recorded{}, err
	}
	o.Ready()
	out := Recorded{Acts: byhand.New(o.Secret), Viewport: s.Viewport()}
	out.Ended = byhand.Record(ctx, w, out.Acts, o.Done, func(b *byhand.Builder) { o.Progress(b.Steps(), b.Settled()) })
	return out, nil
}

// Bounds on what waits for a window.
const (
	closeLimit  = 2 * time.Second
	windowCalms = 2 * time.Second // how long a page is waited for that a person works
)

// recordWindow is a session in whose window a person works.
type recordWindow struct {
	session *browser.Session
	record  *record.Recorder
	gone    <-chan struct{}
}

var _ byhand.Window = recordWindow{}

func (w recordWindow) Acts() *record.Acts    { return &w.record.Acts }
func (w recordWindow) Gone() <-chan struct{} { return w.gone }

func (w recordWindow) Drain(ctx context.Context) error { return w.record.Drain(ctx) }

func (w recordWindow) Rest(ctx context.Context, tab int) error {
	if err := w.session.FollowTab(ctx, tab); err != nil {
		return err
	}
	_, err := w.session.Rest(ctx, browser.RestOptions{Limit: windowCalms, Brief: true})
	return err
}

func (w recordWindow) Look(ctx context.Context, tab int) (*record.Look, bool) {
	return w.record.Look(ctx, tab)
}
