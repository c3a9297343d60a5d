package wiring

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/secrets"
	"github.com/assay-qa/assay/internal/starter"
	"github.com/assay-qa/assay/internal/trust"
)

// maxSettings bounds a file of settings, and maxDotEnv a .env file, in bytes.
const (
	maxSettings = 4 << 20
	maxDotEnv   = 1 << 20
)

// Places says where settings are read, and whose they are.
type Places struct {
	// Config names the configuration that was chosen by --config or ASSAY_CONFIG; empty: the mcp.toml of the working
	// folder, or of the nearest folder above it in the same repository, if there is one.
	Config string
	// Own is the folder of the person's own configuration of this program; empty: there is none.
	Own string
	// CI says that the environment itself has CI=true. With a chosen configuration that is trust: who starts a job
	// has chosen what it runs.
	CI bool
	// DotEnv holds the variables of the .env of the working folder or of the nearest folder above it in the same repository.
	DotEnv map[string]config.Variable
}

// Loaded is the configuration with what a folder claims in it.
type Loaded struct {
	config.Loaded
	// Path of the folder's configuration; empty: it has none.
	Path string
	// Place is where it was found, as a person trusts it.
	Place trust.Place
	// Folders that a person trusted whole: what they have may be run.
	Folders []trust.Folder
	// DataDirPassed names the data folder beside a configuration that was found above the working folder, where the
	// working folder has one of its own, which is used; empty elsewhere.
	DataDirPassed string

	dataDirFrom string // folder that the data folder leads from; empty: the working folder
}

// TrustIn returns the store of trusted folders of a person's own configuration.
func TrustIn(own string) trust.Store {
	if own == "" {
		return trust.Store{}
	}
	return trust.Store{Dir: filepath.Join(own, "trust")}
}

// Settings loads the configuration: the person's own file, then the folder's file and its .env as far as they count,
// then the environment, then flags. What is wrong in it stops the program before anything runs.
func Settings(at Places, src config.Source) (Loaded, error) {
	var out Loaded
	if err := readOwn(at.Own, &src); err != nil {
		return out, err
	}
	above := ""
	if at.Config == "" {
		var err error
		if above, err = settingsAbove(); err != nil {
			return out, err
		}
	}
	path := cmp.Or(at.Config, above, starter.Settings)
	data, err := disk.ReadPath(path, maxSettings)
	switch {
	case err == nil && sameFile(path, src.Name):
	case err == nil:
		out.Path, src.Folder.Name, src.Folder.File = path, path, data
	case at.Config != "" || !errors.Is(err, os.ErrNotExist):
		return out, config.Usage("read configuration: %w", err)
	}
	out.Place = trust.Place{Work: ".", Config: out.Path}
	if above != "" && out.Path == above {
		out.Place.Work = filepath.Dir(above)
	}
	src.Folder.DotEnv = at.DotEnv
	src.Folder.Trust = func(claims []config.Claim) (config.Trust, error) {
		var trusted config.Trust
		trusted, out.Folders, err = at.trust(out.Place, claims)
		return trusted, err
	}
	if out.Loaded, err = config.Read(src); err != nil {
		return out, config.Usage("%w", err)
	}
	if c, program, found := trust.Relative(out.Own); found {
		return out, config.Usage("%s: %s starts %q, which would lead into whichever folder assay works in: give its full path", c.Where, c.Key, program)
	}
	ResolvePaths(out.Config, filepath.Dir(path))
	if out.Place.Work != "." {
		err = out.leadFrom(out.Place.Work, src)
	}
	return out, err
}

// trust says how far a person trusted a place, and which folders may run what they have.
func (at Places) trust(place trust.Place, claims []config.Claim) (config.Trust, []trust.Folder, error) {
	work, err := trust.RealPath(".")
	if err != nil {
		return config.Untrusted, nil, err
	}
	if at.CI && at.Config != "" {
		folder, err := trust.RealPath(filepath.Dir(at.Config))
		return config.TrustedWhole, []trust.Folder{{Path: work, Any: true}, {Path: folder, Any: true}}, err
	}
	kept, trusted, err := TrustIn(at.Own).Trusts(place, claims)
	switch folders := []trust.Folder{{Path: kept.Folder, Tests: kept.Tests}}; {
	case err != nil || !trusted:
		return config.Untrusted, nil, err
	case !kept.Whole:
		return config.TrustedSettings, nil, nil
	case !trust.Within(work, trust.Paths(folders)): // a configuration from elsewhere, in a folder that may be a stranger's
		return config.TrustedSettings, folders, nil
	default:
		return config.TrustedWhole, folders, nil
	}
}

// CheckDataFolder refuses a data folder below a folder that nobody trusted, if a symbolic link there leads what is stored
// elsewhere: the folder would choose where.
func (l Loaded) CheckDataFolder() error {
	below := filepath.Clean(l.Config.DataDir)
	if l.dataDirFrom != "" {
		below, _ = disk.Inside(l.dataDirFrom, below) // it was joined to it
	}
	if l.Trust != config.Untrusted || filepath.IsAbs(below) {
		return nil
	}
	dir := filepath.Join(l.dataDirFrom, below)
	looked := []string{dir}
	for above := filepath.Dir(below); above != "."; above = filepath.Dir(above) {
		looked = append(looked, filepath.Join(l.dataDirFrom, above))
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil // whoever stores there says what is wrong with it
	}
	for _, e := range entries {
		looked = append(looked, filepath.Join(dir, e.Name()))
	}
	for _, path := range looked {
		if isLink(path) {
			return config.Usage("the data folder: %s is a symbolic link, and nobody has trusted this folder, so it does not choose where results are "+
				"stored: a person who knows the folder runs assay trust, or names a data folder with --data-dir", path)
		}
	}
	return nil
}

// isLink reports whether a path leads elsewhere; a junction of Windows is irregular.
func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0
}

// readOwn reads the person's own file, where there is one.
func readOwn(folder string, src *config.Source) error {
	if folder == "" {
		return nil
	}
	path := filepath.Join(folder, starter.Settings)
	data, err := disk.ReadPath(path, maxSettings)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return config.Usage("read your own configuration: %w", err)
	}
	src.Name, src.File = path, data
	return nil
}

// sameFile reports whether two paths lead to one file.
func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil || b == "" {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// ReadDotEnv returns what a .env says of this program; nothing without a name. A file that is too large is refused.
func ReadDotEnv(name string) (map[string]config.Variable, error) {
	if name == "" {
		return nil, nil
	}
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil // a folder, or a pipe without a writer
	}
	data, err := disk.ReadPath(name, maxDotEnv)
	if err != nil {
		return nil, config.Usage("read %s: %w", name, err)
	}
	return config.DotEnv(data, provider.Credentials())
}

// Vault makes the vault of the configured secrets.
func Vault(cfg config.Config, getenv func(string) string) *secrets.Vault {
	references := map[string]string{}
	for name, reference := range cfg.Secrets {
		references[name] = string(reference.From)
	}
	return secrets.New(references, getenv)
}

// DiagnoseSecrets says which configured secrets have a source, never a value.
// A missing one keeps nothing from working until it is used.
func DiagnoseSecrets(ctx context.Context, v *secrets.Vault) []driver.Diagnosis {
	var out []driver.Diagnosis
	for _, s := range v.Check(ctx) {
		d := driver.Diagnosis{Name: "secret " + s.Name, Health: driver.HealthOK, Detail: "found"}
		if !s.Found {
			d.Health, d.Detail = driver.HealthWarn, "missing: "+s.Problem+"; "+s.Hint
		}
		out = append(out, d)
	}
	return out
}
