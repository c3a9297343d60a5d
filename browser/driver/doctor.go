package driver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// minTempBytes sets what five sessions with video and downloads may need for a while.
const minTempBytes = 512 << 20

// Health names the result of one check of Diagnose.
type Health string

// The results of a check.
const (
	HealthOK   Health = "ok"
	HealthWarn Health = "warn" // works, with the stated limit
	HealthFail Health = "fail" // assay cannot work like this
)

// Diagnosis describes one thing that Diagnose looked at.
type Diagnosis struct {
	Name   string
	Health Health
	Detail string
	Remedy string // the one command that fixes it, where there is one
}

// Diagnose looks at everything that a browser session needs and changes nothing. It launches the browser
// to ask for its version, and to see whether it shows an empty page.
func Diagnose(ctx context.Context, opts Options) []Diagnosis {
	opts.NoDownload, opts.Report = true, nil
	return (&doctor{newInstaller(opts)}).diagnose(ctx)
}

// doctor diagnoses the installation that an installer finds, as a session would use it.
type doctor struct{ *installer }

func (d *doctor) diagnose(ctx context.Context) []Diagnosis {
	report := []Diagnosis{d.diagnoseSystem()}
	driver, driverChecks := d.diagnoseDriver(ctx)
	report = append(report, driverChecks...)
	report = append(report,
		d.diagnoseBrowser(ctx, driver),
		d.diagnoseSandbox(ctx, driver),
		d.diagnoseFonts(),
		d.diagnoseDir("cache folder", d.CacheDir, d.host.cacheElsewhere()),
	)
	if d.DataDir != "" {
		report = append(report, d.diagnoseDir("data folder", d.DataDir, "--data-dir FOLDER"))
	}
	return append(report, d.diagnoseTemp(), d.diagnoseOpenFiles())
}

func (d *doctor) diagnoseSystem() Diagnosis {
	detail := d.host.goos + "/" + d.host.goarch
	if _, pretty := d.host.osRelease(); pretty != "" {
		detail += ", " + pretty
	}
	zone := d.Getenv("TZ")
	if zone == "" {
		zone = "the system's"
	}
	locale := d.Getenv("LC_ALL")
	if locale == "" {
		locale = d.Getenv("LANG")
	}
	if locale == "" {
		locale = "none set"
	}
	return Diagnosis{Name: "system", Health: HealthOK, Detail: fmt.Sprintf("%s, time zone %s, locale %s", detail, zone, locale)}
}

// diagnoseDriver reports the driver and the Node that runs it. Without a driver Node still matters.
func (d *doctor) diagnoseDriver(ctx context.Context) (DriverInfo, []Diagnosis) {
	start := len(d.steps)
	driver, found := d.findDriver()
	check := Diagnosis{Name: "driver", Health: HealthOK, Detail: fmt.Sprintf("Playwright %s in %s (%s)", driverVersion, driver.Dir, driver.Source)}
	if !found {
		check.Health, check.Remedy = HealthFail, d.driverRemedy()
		check.Detail = fmt.Sprintf("no Playwright driver %s: %s", driverVersion, joinSteps(d.since(start)))
	}
	start = len(d.steps)
	node := Diagnosis{Name: "node", Health: HealthOK}
	path, version, err := d.node(ctx, driver.Dir)
	if err == nil {
		driver.Node, driver.NodeVersion = path, version
		node.Detail = fmt.Sprintf("version %s, %s", version, path)
	} else {
		node.Health, node.Remedy = HealthFail, d.nodeRemedy()
		node.Detail = fmt.Sprintf("no Node.js %d or newer: %s", minNodeMajor, joinSteps(d.since(start)))
	}
	return driver, []Diagnosis{node, check}
}

func (d *doctor) diagnoseBrowser(ctx context.Context, driver DriverInfo) Diagnosis {
	check := Diagnosis{Name: "browser", Health: HealthOK}
	start := len(d.steps)
	info, found, err := d.findBrowser(driver)
	var broken *InstallError
	switch {
	case errors.As(err, &broken):
		check.Health, check.Detail, check.Remedy = HealthFail, broken.What+": "+joinSteps(broken.Tried), broken.Remedy
		return check
	case !found:
		check.Health, check.Remedy = HealthFail, d.browserRemedy()
		check.Detail = d.noBrowser() + ": " + joinSteps(d.since(start))
		return check
	}
	version, err := d.probeBrowser(ctx, info)
	if err != nil {
		check.Health, check.Remedy = HealthFail, d.depsRemedy(driver)
		check.Detail = fmt.Sprintf("%s does not start: %v", info.Path, err)
		return check
	}
	if version == "" {
		version = "unknown"
	}
	check.Detail = fmt.Sprintf("%s, version %s, %s (%s)", info.Type, version, info.Path, info.Source)
	return check
}

// diagnoseSandbox has the browser show an empty page as a session starts it, and reports whether its
// own sandbox is on.
func (d *doctor) diagnoseSandbox(ctx context.Context, driver DriverInfo) Diagnosis {
	check := Diagnosis{Name: "sandbox", Health: HealthOK}
	switch {
	case d.Browser != "chromium":
		check.Detail = "not tried, as the browser is " + d.Browser
		return check
	case d.host.goos == "windows":
		check.Detail = "not tried on Windows"
		return check
	}
	browser, found, err := d.findBrowser(driver)
	if err != nil || !found {
		check.Detail = "not tried, as there is no browser"
		return check
	}
	profiles, err := os.MkdirTemp("", "assay-doctor-*")
	if err != nil {
		check.Health, check.Detail = HealthFail, fmt.Sprintf("not tried, as no folder can be made for the browser's profile: %v", err)
		return check
	}
	check = d.trySandbox(browser.Path, func(more ...string) error { return showBlank(ctx, browser.Path, profiles, more...) })
	if err := os.RemoveAll(profiles); err != nil {
		check.Detail += fmt.Sprintf("; the browser's profile could not be removed: %v", err)
		if check.Health == HealthOK {
			check.Health = HealthWarn
		}
	}
	return check
}

// trySandbox reports what starts of a browser say of its sandbox. It is at fault only where the browser
// fails with it, works without it, and then fails with it again in time: the first start of a browser may
// be slow.
func (d *doctor) trySandbox(path string, show func(more ...string) error) Diagnosis {
	const without = "--no-sandbox"
	check := Diagnosis{Name: "sandbox", Health: HealthFail}
	if d.host.root {
		if err := show(without); err != nil {
			check.Detail = fmt.Sprintf("off, and %s does not show a page: %v", path, err)
			return check
		}
		check.Health = HealthWarn
		check.Detail = "off: Chromium refuses its sandbox to root; run assay as an ordinary user to have it"
		return check
	}
	first := show()
	if first == nil {
		check.Health, check.Detail = HealthOK, "on"
		return check
	}
	if show(without) != nil {
		check.Detail = fmt.Sprintf("not tried, as %s does not show a page: %v", path, first)
		return check
	}
	switch again := show(); {
	case again == nil:
		check.Health, check.Detail = HealthWarn, fmt.Sprintf("on, but %s showed a page only at its second start: %v", path, first)
	case errors.Is(again, context.DeadlineExceeded):
		check.Detail = fmt.Sprintf("not known, as %s does not show a page in time: %v", path, again)
	default:
		check.Detail = "Chromium can't make it here, so no browser starts"
		cause, remedy := d.noNamespaces()
		if cause != "" {
			check.Detail += ": " + cause
		}
		check.Remedy = remedy
	}
	return check
}

// showBlank has a browser show an empty page, with a new profile in a folder.
func showBlank(ctx context.Context, path, profiles string, more ...string) error {
	profile, err := os.MkdirTemp(profiles, "*")
	if err != nil {
		return err
	}
	args := append([]string{"--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--user-data-dir=" + profile}, more...)
	_, err = installCommand{path: path, args: append(args, "--dump-dom", "about:blank"), timeout: browserProbeTimeout}.run(ctx)
	return err
}

// noNamespaces says why a process of this user can make no namespace, as Chromium's sandbox
// does, and what helps; empty: nothing is known.
func (d *doctor) noNamespaces() (cause, remedy string) {
	for _, limit := range []struct{ path, bad, remedy string }{
		{"/proc/sys/user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=15000"},
		{"/proc/sys/kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"},
		{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"},
	} {
		value, err := os.ReadFile(filepath.Join(d.host.filesystem, limit.path))
		if err == nil && strings.TrimSpace(string(value)) == limit.bad {
			return fmt.Sprintf("%s is %s", limit.path, limit.bad), d.host.sudo(limit.remedy)
		}
	}
	for _, mark := range []string{"/.dockerenv", "/run/.containerenv"} { // of Docker, and of Podman
		if _, err := os.Stat(filepath.Join(d.host.filesystem, mark)); err == nil {
			return "this container may make no namespaces", "docker run --security-opt seccomp=unconfined …"
		}
	}
	return "", ""
}

func (d *doctor) diagnoseFonts() Diagnosis {
	fonts := d.host.findFonts()
	check := Diagnosis{Name: "fonts", Health: HealthOK, Detail: fonts.String()}
	if len(fonts.missing()) > 0 {
		check.Health, check.Remedy = HealthWarn, d.fontRemedy()
	}
	return check
}

// diagnoseDir makes sure that a folder, or the nearest one above it that exists, can be written.
// instead says how another one is named.
func (d *doctor) diagnoseDir(name, dir, instead string) Diagnosis {
	check := Diagnosis{Name: name, Health: HealthOK, Detail: dir}
	if dir == "" {
		check.Health, check.Detail = HealthFail, "none given: the driver has no place to be kept"
		return check
	}
	existing := dir
	for {
		if _, err := os.Stat(existing); err == nil || filepath.Dir(existing) == existing {
			break
		}
		existing = filepath.Dir(existing)
	}
	if err := tryWriting(existing); err != nil {
		check.Health = HealthFail
		check.Detail = fmt.Sprintf("%s cannot be written: %v; name another one: %s", dir, err, instead)
	}
	return check
}

// diagnoseTemp looks at the room for the browser's shared memory and profiles. Playwright launches
// Chromium with --disable-dev-shm-usage, so both are in the temp folder and a small /dev/shm, as
// containers have it, does no harm.
func (d *doctor) diagnoseTemp() Diagnosis {
	check := Diagnosis{Name: "temp folder", Health: HealthOK, Detail: d.TempDir}
	if d.TempDir == "" {
		check.Health, check.Detail = HealthWarn, "none given, so not looked at"
		return check
	}
	if written := d.diagnoseDir(check.Name, d.TempDir, "TMPDIR=FOLDER"); written.Health != HealthOK {
		return written
	}
	free, known := freeBytes(d.TempDir)
	if known {
		check.Detail = fmt.Sprintf("%s, %d MB free", d.TempDir, free>>20)
		if free < minTempBytes {
			check.Health = HealthWarn
			check.Detail += fmt.Sprintf(": below %d MB downloads and videos may fail", minTempBytes>>20)
			check.Remedy = "TMPDIR=<a folder with room> assay serve"
		}
	}
	if shm, ok := freeBytes("/dev/shm"); ok && d.host.goos == "linux" {
		check.Detail += fmt.Sprintf("; /dev/shm %d MB free, not needed", shm>>20)
	}
	return check
}

func tryWriting(dir string) error {
	probe, err := os.CreateTemp(dir, ".assay-doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

func joinSteps(steps []Step) string {
	lines := make([]string, len(steps))
	for i, step := range steps {
		lines[i] = step.String()
	}
	return strings.Join(lines, "; ")
}
