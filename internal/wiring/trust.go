package wiring

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/trust"
	"github.com/assay-qa/assay/server"
)

// Folder says how far a person trusted the working folder, and what follows. Its zero value is a folder that nobody
// trusted and that says nothing.
type Folder struct {
	Trust    config.Trust
	Withheld []config.Claim      // what it says that does not count
	TypedOn  map[string][]string // the only hosts on whose pages secrets are typed, by name
	Folders  []trust.Folder      // that are trusted whole: what they have may be run
	Place    trust.Place         // its configuration, and where relative paths of programs lead from
	Own      string              // folder of the person's own configuration; empty: there is none
}

// UntrustedError says that something needs what a folder says and nobody has trusted.
type UntrustedError struct {
	Needs  string // what needs it
	Claims []config.Claim
}

func (e *UntrustedError) Error() string {
	parts := make([]string, len(e.Claims))
	for i, c := range e.Claims {
		parts[i] = c.Where + " " + c.Key
	}
	verb := "does"
	if len(parts) > 1 {
		verb = "do"
	}
	return fmt.Sprintf("nobody has trusted this folder, so %s %s not count, which %s needs: a person who knows the folder runs assay trust "+
		"once (in CI: CI=true and --config FILE), or sets it in their own configuration, by a variable or a flag",
		strings.Join(parts, ", "), verb, e.Needs)
}

// Check returns an error about a key of the folder that does not count; nil where it counts, or the folder does
// not say it.
func (f Folder) Check(key, needs string) error {
	i := slices.IndexFunc(f.Withheld, func(c config.Claim) bool { return c.Key == key })
	if i < 0 {
		return nil
	}
	return config.Usage("%w", &UntrustedError{Needs: needs, Claims: f.Withheld[i : i+1]})
}

// CheckRun refuses a run that takes a setting which the folder says and nobody has trusted. Those that only some
// cases take (secrets, the provider of a model) are asked for with these cases.
func (f Folder) CheckRun(env string) error {
	var needed []config.Claim
	for _, c := range f.Withheld {
		if takesPart(c.Key, env) {
			needed = append(needed, c)
		}
	}
	if len(needed) == 0 {
		return nil
	}
	return config.Usage("%w", &UntrustedError{Needs: "a run", Claims: needed})
}

// takesPart reports whether every run in an environment takes a setting.
func takesPart(key, env string) bool {
	if own, ok := strings.CutPrefix(key, "env."+env+"."); ok {
		key = own
	} else if strings.HasPrefix(key, "env.") {
		return false
	}
	section, _, _ := strings.Cut(key, ".")
	switch section {
	case "secrets", "explore", "author", "tools":
		return false
	case "agent":
		return strings.HasSuffix(key, ".redact") || strings.HasSuffix(key, ".store")
	}
	return !ofProvider(key) && key != "compliance.trusted_keys" && key != "compliance.evidence_retention_days"
}

// ofProvider reports whether a claim is about a variable of a provider of models, and no setting.
func ofProvider(key string) bool { return !strings.Contains(key, ".") && key != "data_dir" }

// CheckModel refuses a model whose provider, key or address the folder says and nobody has trusted.
func (f Folder) CheckModel(env string) error {
	var needed []config.Claim
	for _, c := range f.Withheld {
		key := strings.TrimPrefix(c.Key, "env."+env+".")
		if strings.HasPrefix(key, "agent.") || ofProvider(key) {
			needed = append(needed, c)
		}
	}
	if len(needed) == 0 {
		return nil
	}
	return config.Usage("%w", &UntrustedError{Needs: "a model", Claims: needed})
}

// withheldSecrets returns where the folder says secrets that do not count, by name.
func (f Folder) withheldSecrets() map[string]string {
	out := map[string]string{}
	for _, c := range f.Withheld {
		if name, ok := strings.CutPrefix(c.Key, "secrets."); ok {
			name, _, _ = strings.Cut(name, ".")
			out[name] = c.Where
		}
	}
	return out
}

// CheckReports refuses a folder of reports that nobody named and that is a link, where nobody has trusted the folder
// that has it.
func (f Folder) CheckReports(dir string) error {
	if f.Trust != config.Untrusted || dir == "" || !isLink(dir) {
		return nil
	}
	return config.Usage("%s is a symbolic link, and nobody has trusted this folder, so it does not choose where reports are written: a "+
		"person who knows the folder runs assay trust, or names a folder with --report-dir", dir)
}

// whole returns which of the folders that a person trusted whole, and of some others, are trusted now: a yes counts at
// once, and so does its end.
func (f Folder) whole(others ...string) ([]trust.Folder, error) {
	var out []trust.Folder
	for _, known := range f.Folders {
		if known.Any { // a job's: nobody trusts it later
			out = append(out, known)
			continue
		}
		others = append(others, known.Path)
	}
	for _, path := range others {
		now, trusted, err := TrustIn(f.Own).TrustsFolder(path)
		if err != nil {
			return nil, err
		}
		if trusted {
			out = append(out, now)
		}
	}
	return out, nil
}

// checkTests refuses to run what a folder has, unless a person trusted it, or it lies in the working folder that a
// person trusted.
func (f Folder) checkTests(folder string) error {
	folders, err := f.whole(folder)
	if err != nil {
		return err
	}
	return testrun.CheckTrusted(folder, folders)
}

// Limits of a notice: the folder's words are a stranger's, and instructions are short.
const (
	maxNoticeClaims = 4
	maxNoticeValue  = 60
	maxAskedValue   = 200
)

// Notice tells a client what of the folder does not count; empty where all does.
func (f Folder) Notice() string {
	if len(f.Withheld) == 0 {
		return ""
	}
	return "Nobody has trusted this folder, so these settings of it do not count: " + f.withheldShort() +
		". What needs none of them works. A person who knows the folder runs `assay trust` in it, and starts the server again."
}

// withheldShort lists place, key and value of the first claims that do not count.
func (f Folder) withheldShort() string {
	var lines []string
	for i, c := range f.Withheld {
		if i == maxNoticeClaims {
			lines = append(lines, fmt.Sprintf("and %d more", len(f.Withheld)-i))
			break
		}
		lines = append(lines, fmt.Sprintf("%s %s = %s", c.Where, c.Key, text.Shorten(c.Value, maxNoticeValue)))
	}
	return strings.Join(lines, "; ")
}

// firstWords returns what the first answer of a server begins with: what of the folder does not count. A client that
// can ask its person does so before; nil where all counts.
func (f Folder) firstWords(now func() time.Time, log *slog.Logger) func(context.Context) string {
	if len(f.Withheld) == 0 {
		return nil
	}
	return func(ctx context.Context) string {
		trusted, err := f.askTrust(ctx, now)
		switch {
		case err != nil:
			log.Warn("the folder is not trusted", "err", err)
		case trusted:
			return "The person trusted this folder. Its own tests may be run from now on. Its settings count once the server is started " +
				"again, since sessions, keys and folders are made of them at its start; until then they do not: " + f.withheldShort() + "."
		}
		return f.Notice()
	}
}

// askTrust asks the person at the client, and keeps the answer.
func (f Folder) askTrust(ctx context.Context, now func() time.Time) (bool, error) {
	record, err := trust.Look(f.Place, f.Withheld)
	if err != nil {
		return false, err
	}
	lines := []string{"Trust the folder " + record.Folder + "? Only if you know where it comes from. Its own Playwright tests may be run then, secrets of " +
		"your own configuration typed on any page, and these settings count:"}
	for _, c := range f.Withheld {
		lines = append(lines, fmt.Sprintf("- %s %s = %s (%s)", c.Where, c.Key, text.Shorten(c.Value, maxAskedValue), c.Why))
	}
	for _, file := range record.Files {
		lines = append(lines, "- starts "+file.Path)
	}
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	accepted, err := server.Ask(ctx, strings.Join(lines, "\n"))
	if errors.Is(err, server.ErrCannotAsk) || err == nil && !accepted {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	record.Whole, record.Since = true, now().UTC()
	return true, TrustIn(f.Own).Keep(record)
}
