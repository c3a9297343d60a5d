package browser

import (
	"cmp"
	"context"
	"log/slog"
	"os"
	"time"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/wait"
)

// The viewport that pages have where nothing else is said, in CSS pixels.
const (
	DefaultWidth  = 1280
	DefaultHeight = 720
)

// Options holds a pool's settings. Zero values mean the defaults named beside
// each field.
type Options struct {
	Install     driver.Options
	TempDir     string              // folder for per-process temp files; default: the system's
	Browsers    *Pool               // whose driver and browsers are used, and stay when this pool is closed; nil: its own
	Type        string              // chromium (default), firefox or webkit
	Headed      bool                // show windows; default: headless
	Width       int                 // viewport in CSS pixels; default 1280
	Height      int                 // default 720
	Locale      string              // default en-US
	Timezone    string              // IANA name; default: the system's
	Timeout     time.Duration       // bound on one action; default 30 s
	MaxSessions int                 // default 5
	SessionWait time.Duration       // how long a launch waits for a free place; default 5 s
	MaxPixels   int                 // largest screenshot; default 40 million
	CPUPercent  int                 // of the processors, on which browsers run; 0: all
	MemoryLimit int64               // bytes that the renderers of a session's pages may use; 0: no limit
	DownloadDir string              // folder for downloads; empty: a temporary one of the session's
	MaxDownload int64               // bytes of one downloaded file; default 100 MB
	MaxSaved    int64               // bytes of all files that one session downloads; default 500 MB
	UploadRoots []string            // folders from which files may be uploaded; none: no uploads
	StateRoots  []string            // folders from which storage states may be read; none: no states by path
	Network     egress.Lists        // which hosts sessions may reach; default: all but what no list opens
	Mask        func(string) string // hides secrets in what is kept of a page; default: nothing
	Secrets     func() []string     // values that no picture may show; default: none
	Guard       *guard.Guard        // what is stopped as destructive; nil stops nothing
	// Confirm asks a person whether a destructive action may be done; see
	// [ErrNobodyToAsk]. Without it none may.
	Confirm func(ctx context.Context, question string) (accepted bool, err error)
	Now     func() time.Time
	Log     *slog.Logger

	Waits wait.Waits // default: those of the program

	Warmed func() // called beside, when the first session stands by that Group.Warm asked for; default: nobody is told

	resolve egress.Resolver // of the gate; nil: the system's
	gates   *egress.Ports   // of the pool's sessions
	ungated bool            // no gate: tests show what it stops
	// spareIdle and sparePause are how long a session stands by, and how long after a launch
	// it is made anew; 0: the constants of these names.
	spareIdle, sparePause time.Duration
	// logLines and logRequests are how many a session's log keeps; 0: the log's own bounds.
	logLines, logRequests int
}

func (o Options) withDefaults() Options {
	if o.Type == "" {
		o.Type = "chromium"
	}
	if o.Width == 0 || o.Height == 0 {
		o.Width, o.Height = DefaultWidth, DefaultHeight
	}
	if o.Locale == "" {
		o.Locale = "en-US"
	}
	if o.Timeout == 0 {
		o.Timeout = rest.ActLimit
	}
	if o.MaxSessions == 0 {
		o.MaxSessions = 5
	}
	if o.TempDir == "" {
		o.TempDir = os.TempDir()
	}
	if o.SessionWait == 0 {
		o.SessionWait = rest.PlaceLimit
	}
	if o.MaxPixels == 0 {
		o.MaxPixels = 40_000_000
	}
	if o.Mask == nil {
		o.Mask = func(text string) string { return text }
	}
	if o.Secrets == nil {
		o.Secrets = func() []string { return nil }
	}
	if o.MaxDownload == 0 {
		o.MaxDownload = 100 << 20
	}
	if o.MaxSaved == 0 {
		o.MaxSaved = 500 << 20
	}
	if o.Waits == (wait.Waits{}) {
		o.Waits = wait.Standard()
	}
	o.spareIdle, o.sparePause = cmp.Or(o.spareIdle, rest.SpareIdle), cmp.Or(o.sparePause, rest.SparePause)
	if o.gates == nil {
		o.gates = &egress.Ports{}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}
