package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/author/byhand"
	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite/runner"
	"github.com/assay-qa/assay/tools/author"
	"github.com/assay-qa/assay/tools/rules"
	"github.com/assay-qa/assay/tools/workspace"
)

type recordFlags struct {
	out, role, device string
	asJSON            bool
}

func recordCommand(a *app) *cobra.Command {
	var f recordFlags
	c := &cobra.Command{
		Use:   "record URL",
		Short: "Record what you do in a window, as a flow and a Playwright test",
		Args:  cobra.ExactArgs(1),
		Long: `Open a window, and record what you do in it until you close it, or press Enter or
Ctrl-C here. URL is a full address, or a path below the environment's base_url.

Two files are written: NAME.flow.json, which assay run takes, and NAME.spec.ts, a
Playwright test. What was seen to change after an act is proposed as an assertion.
They are recorded, not run: what you did is not done again before you run them, and
nothing has passed. Secrets become references: ${secret:NAME} in the flow, variables
of the environment in the test. What no step does is a named gap.

Exit codes: 0 the files are written; 1 nothing was done, or it failed; 2 a flag or a
setting is wrong.`,
		RunE: func(cmd *cobra.Command, args []string) error { return recordPage(a, cmd, args[0], f) },
	}
	c.Flags().StringVar(&f.out, "out", "", "write to `NAME`.flow.json and NAME.spec.ts (default: called after the page's title)")
	c.Flags().StringVar(&f.role, "role", "", "begin signed in as this role of the environment")
	c.Flags().StringVar(&f.device, "device", "", "record on the device of this `NAME`, such as \"Pixel 7\", or at a size, such as 390x844")
	c.Flags().StringVar(&a.baseURL, "base-url", "", "record there instead of at the environment's base_url, as assay run --base-url does")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print what was written as JSON")
	return c
}

// recordPage checks flags and settings, records, and writes what was done.
func recordPage(a *app, cmd *cobra.Command, address string, f recordFlags) error {
	cfg, err := a.settings(cmd)
	if err != nil {
		return err
	}
	if err := runner.CheckBaseURL(a.baseURL); err != nil {
		return err
	}
	switch {
	case !hasDisplay(a):
		return usage("%s: record where you have a desktop, or on a virtual display: xvfb-run assay record …", noDisplay)
	case cfg.Browser.Type != "chromium":
		return usage("browser.type is %s: what is done is recorded in chromium alone: give --browser-type chromium", cfg.Browser.Type)
	}
	f.out = strings.TrimSuffix(strings.TrimSuffix(f.out, flowEnding), testEnding)
	if f.out != "" {
		for _, path := range recordedFiles(f.out) {
			if err := mayWrite(path); err != nil {
				return err
			}
		}
	}
	cfg.Browser.Headless = false
	d, err := a.desk(cfg)
	if err != nil {
		return err
	}
	if address, err = d.Address(address); err == nil {
		err = browser.CheckURL(address)
	}
	if err != nil {
		return usage("%w", withHint(err))
	}
	if shown := browser.ShownURL(address); shown != address {
		return usage("%s holds what must not be kept, and the flow would begin there: give the address without it, and sign in with --role or in the window", shown)
	}
	if f.role != "" {
		if err := d.KnowsRole(f.role); err != nil {
			return usage("%w", withHint(err))
		}
	}
	live := a.goLive()
	defer live.Close()
	defer d.Pool.Close(wiring.CloseLimit)
	o := author.RecordOptions{URL: address, Role: f.role, Done: enterPressed(a), Secret: secretOf(cmd.Context(), a, d)}
	if o.Device, o.Width, o.Height, err = runner.Device(cmd.Context(), d.Pool, f.device); err != nil {
		return err
	}
	o.Ready = func() {
		fmt.Fprintln(a.stderr, "recording: work in the window, and close it when you are done, or press Enter or Ctrl-C here")
	}
	o.Progress = func(steps int, _ bool) { live.Set(address, pagetext.Text(text.Count(steps, "step"))) }
	recorded, err := author.Record(cmd.Context(), d, o)
	live.Done(address, "")
	if err != nil {
		return withHint(err)
	}
	return writeRecorded(a, cfg, d, address, f, recorded)
}

// recordedFiles returns the files that a record is written to.
func recordedFiles(name string) []string { return []string{name + flowEnding, name + testEnding} }

// writeRecorded writes what a person did.
func writeRecorded(a *app, cfg config.Config, d *workspace.Workspace, address string, f recordFlags, recorded author.Recorded) error {
	if recorded.Acts.Steps() == 0 {
		return fmt.Errorf("nothing was done in the window, so nothing is written (%s)", recorded.Ended)
	}
	name := cmp.Or(strings.TrimSpace(recorded.Acts.Title()), hostOf(address))
	s := byhand.Settings{Name: name, Role: f.role, Start: address, Base: d.Target.BaseURL, Rules: rules.Flows(), Hide: a.vault.Load().Hide,
		Masked: func(data []byte) []byte { return a.mask("application/json", data) }}
	for _, root := range cfg.Network.UploadRoots {
		if abs, err := filepath.Abs(root); err == nil {
			s.Uploads = append(s.Uploads, abs)
		}
	}
	made := recorded.Acts.Flow(s)
	if string(a.mask("text/plain", []byte(name))) != name {
		name = hostOf(address)
		made.Flow.Name = name
	}
	if problems := made.Flow.Validate(rules.Flows()); len(problems) > 0 {
		return fmt.Errorf("what was recorded is no flow: %w", problems)
	}
	out := cmp.Or(f.out, freeName(cmp.Or(text.FileStem(name), "recorded")))
	files := recordedFiles(out)
	data, err := made.Flow.JSON()
	if err != nil {
		return err
	}
	w := written{Ended: recorded.Ended, Steps: len(made.Flow.Steps), Assertions: assertions(made.Flow), Gaps: append([]string{}, made.Flow.Gaps()...), Undefined: append([]string{}, made.Undefined...)}
	said, err := testfile.Of(made.Flow, testfile.Options{Source: "what a person did at " + browser.ShownURL(address), Draft: true, SignedIn: f.role != "",
		Width: recorded.Viewport.Width, Height: recorded.Viewport.Height})
	var unsayable *testfile.UnsayableError
	switch {
	case errors.As(err, &unsayable):
		files, w.NoTest = files[:1], unsayable.Error()
	case err != nil:
		return err
	}
	for i, data := range [][]byte{data, []byte(said)}[:len(files)] {
		if err := writeWithoutSecrets(a, files[i], data); err != nil {
			return err
		}
	}
	w.Files, w.Next = files, nextOf(d.Target.Name, files)
	return w.tell(a, f.asJSON, made.Flow)
}

// writeWithoutSecrets writes a new file, and refuses one in which a secret stands.
func writeWithoutSecrets(a *app, path string, data []byte) error {
	mime := "text/javascript"
	if strings.HasSuffix(path, flowEnding) {
		mime = "application/json"
	}
	if !bytes.Equal(a.mask(mime, data), data) {
		return fmt.Errorf("%s is not written: the value of a secret stands in it beside its steps, as in the address or the role that it begins with: record without that", path)
	}
	return writeNew(path, data)
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// freeName returns a name of which no file of a record exists yet.
func freeName(name string) string {
	free := name
	for n := 2; slices.ContainsFunc(recordedFiles(free), func(path string) bool { return mayWrite(path) != nil }) && n < 1000; n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	return free
}

// secretOf returns what finds the reference of a configured secret by its value, or by the one-time code that it
// gives now. All of them are masked from then on.
func secretOf(ctx context.Context, a *app, d *workspace.Workspace) func(value string, code bool) string {
	references := map[string]string{}
	names := a.vault.Load().Names()
	for _, name := range names {
		ref := "${secret:" + name + "}"
		typed, err := d.Reveal(ctx, ref)
		if err != nil {
			fmt.Fprintf(masked{a, a.stderr, "text/plain"}, "assay: secret %s can't be told from other text in the record: %v\n", name, err)
			continue
		}
		references[typed.Text] = ref
	}
	return func(value string, code bool) string {
		if !code {
			return references[value]
		}
		for _, name := range names {
			ref := "${totp:" + name + "}"
			if typed, err := d.Reveal(ctx, ref); err == nil && typed.Text == value { // most secrets are no key of a code
				return ref
			}
		}
		return ""
	}
}

// written says what a record came to.
type written struct {
	Files      []string     `json:"files"`
	Ended      byhand.Ended `json:"ended"`
	Steps      int          `json:"steps"`
	Assertions int          `json:"assertions"`
	Gaps       []string     `json:"gaps"`
	Undefined  []string     `json:"undefined_secrets"`
	NoTest     string       `json:"no_test,omitempty"` // why there is no Playwright test
	Next       []string     `json:"next"`
}

// tell says what was written, what it lacks, and what runs it.
func (w written) tell(a *app, asJSON bool, f flow.Flow) error {
	if asJSON {
		return json.NewEncoder(masked{a, a.stdout, "application/json"}).Encode(w)
	}
	lines := []string{text.Count(w.Assertions, "assertion") + " proposed: read them, and delete what need not hold"}
	for _, name := range w.Undefined {
		lines = append(lines, "secret to define: "+name+", as "+name+" = \"env:"+name+"\" below [secrets] of mcp.toml")
	}
	if w.NoTest != "" {
		lines = append(lines, "no Playwright test: "+text.Line(w.NoTest))
	}
	for _, line := range w.Next {
		lines = append(lines, "next: "+line)
	}
	out := masked{a, a.stdout, "text/plain"}
	fmt.Fprintln(out, strings.Join(w.Files, "\n"))
	tellSteps(out, f)
	_, err := fmt.Fprintln(out, "  "+strings.Join(lines, "\n  "))
	return err
}

// nextOf returns the commands that run what was written.
func nextOf(environment string, files []string) []string {
	kept := ""
	if environment != "" {
		kept = "--env " + shellWord(environment) + " "
	}
	next := []string{"assay run " + kept + shellWord(files[0]), "assay accept " + shellWord(files[0]) + " --name YOURS, to let it do what the guard stops"}
	if len(files) > 1 {
		next = append(next, "assay test "+kept+shellWord(files[1]))
	}
	return next
}

func assertions(f flow.Flow) (n int) {
	for _, s := range f.Steps {
		if s.Assertion != nil {
			n++
		}
	}
	return n
}
