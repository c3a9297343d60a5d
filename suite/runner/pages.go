package runner

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/publish"
	"github.com/assay-qa/assay/tools/pagehealth"
)

// Pages says which pages are checked without any set-up, and how. Each is a case.
type Pages struct {
	URLs        []string
	Timeout     time.Duration // of loading one
	Device      string        // name of a device, or a size such as 1366x768; empty: the environment's viewport
	IgnoreHosts []string      // whose failed requests are no fault of a page, as lists of the network have them
	JUnit       string        // file for the suite as JUnit XML

	// Checked receives the report of page i of URLs, its folder, and what could not be kept or
	// made of it. Several goroutines call it, each before its case is over. It may be nil.
	Checked func(i int, report qa.QAReport, dir string, err error)
}

// PreparePages makes a suite of pages. Nothing is loaded yet. The suite sends no message,
// and can't be resumed.
func (rn *Runner) PreparePages(ctx context.Context, r Pages) (q Prepared, err error) {
	d := rn.Desk.Fork()
	if r.Device != "" {
		if err := checkDevices(ctx, d.Pool, "--device", []string{r.Device}); err != nil {
			return q, err
		}
		d.Start = cell{device: r.Device, viewport: size(r.Device)}.start(d.Start)
	}
	if len(r.IgnoreHosts) > 0 {
		ignored, err := egress.NewHosts("--ignore-hosts", r.IgnoreHosts)
		if err != nil {
			return q, config.Usage("%w", err)
		}
		d.IgnoredHost = ignored.Has
	}
	for i, url := range r.URLs {
		shown := browser.ShownURL(url)
		q.cases = append(q.cases, suite.Case{Name: shown, Path: shown, Cell: r.Device, Run: func(ctx context.Context) (suite.Result, error) {
			if rn.Progress != nil {
				rn.Progress(i, len(r.URLs), shown, "checking")
			}
			report, dir, err := pagehealth.CheckPage(ctx, d.Fork(), url, r.Timeout, r.flags()...)
			var be *explain.Error
			if errors.As(err, &be) && be.Code == explain.DriverMissing { // no page can be checked here
				return suite.Result{}, err
			}
			if r.Checked != nil {
				r.Checked(i, report, dir, err)
			}
			return taskResult(shown, report, dir, err), nil
		}})
	}
	q.store = Store(rn.DataDir)
	q.Suite = suite.New(rn.suiteID(), "", nil, q.cases)
	q.Suite.Command = suite.CheckCommand
	q.publisher = publish.Publisher{Store: d.Store, Folder: q.store.Folder(q.Suite.ID), Links: rn.Links, JUnit: r.JUnit, Mask: rn.Vault.MaskFile, Log: rn.Log}
	return q, nil
}

// flags returns the flags that check one of the pages in the same way again.
func (r Pages) flags() (out []string) {
	if r.Device != "" {
		out = append(out, "--device "+text.ShellWord(r.Device))
	}
	if len(r.IgnoreHosts) > 0 {
		out = append(out, "--ignore-hosts "+text.ShellWord(strings.Join(r.IgnoreHosts, ",")))
	}
	return out
}
