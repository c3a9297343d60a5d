package driver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

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
// only to ask for its version.
func Diagnose(ctx context.Context, opts Options) []Diagnosis {
	opts.NoDownload, opts.Report = true, nil
	return newInstaller(opts).diagnose(ctx)
}

func (in *installer) diagnose(ctx context.Context) []Diagnosis {
	report := []Diagnosis{in.diagnoseSystem()}
	driver, driverChecks := in.diagnoseDriver(ctx)
	report = append(report, driverChecks...)
	report = append(report,
		in.diagnoseBrowser(ctx, driver),
		in.diagnoseSandbox(),
		in.diagnoseFonts(),
		in.diagnoseDir("cache folder", in.CacheDir),
	)
	if in.DataDir != "" {
		report = append(report, in.diagnoseDir("data folder", in.DataDir))
	}
	return append(report, in.diagnoseTemp())
}

func (in *installer) diagnoseSystem() Diagnosis {
	detail := in.host.goos + "/" + in.host.goarch
	if _, pretty := in.osRelease(); pretty != "" {
		detail += ", " + pretty
	}
	zone := in.Getenv("TZ")
	if zone == "" {
		zone = "the system's"
	}
	locale := in.Getenv("LC_ALL")
	if locale == "" {
		locale = in.Getenv("LANG")
	}
	if locale == "" {
		locale = "none set"
	}
	return Diagnosis{Name: "system", Health: HealthOK, Detail: fmt.Sprintf("%s, time zone %s, locale %s", detail, zone, locale)}
}

// diagnoseDriver reports the driver and the Node that runs it. Without a driver Node still matters.
func (in *installer) diagnoseDriver(ctx context.Context) (DriverInfo, []Diagnosis) {
	start := len(in.steps)
	driver, found := in.findDriver()
	check := Diagnosis{Name: "driver", Health: HealthOK, Detail: fmt.Sprintf("Playwright %s in %s (%s)", driverVersion, driver.Dir, driver.Source)}
	if !found {
		check.Health, check.Remedy = HealthFail, in.driverRemedy()
		check.Detail = fmt.Sprintf("no Playwright driver %s: %s", driverVersion, joinSteps(in.since(start)))
	}
	start = len(in.steps)
	node := Diagnosis{Name: "node", Health: HealthOK}
	path, version, err := in.node(ctx, driver.Dir)
	if err == nil {
		driver.Node, driver.NodeVersion = path, version
		node.Detail = fmt.Sprintf("version %s, %s", version, path)
	} else {
		node.Health, node.Remedy = HealthFail, in.nodeRemedy()
		node.Detail = fmt.Sprintf("no Node.js %d or newer: %s", minNodeMajor, joinSteps(in.since(start)))
	}
	return driver, []Diagnosis{node, check}
}

func (in *installer) diagnoseBrowser(ctx context.Context, driver DriverInfo) Diagnosis {
	check := Diagnosis{Name: "browser", Health: HealthOK}
	start := len(in.steps)
	info, found, err := in.findBrowser(driver)
	var broken *InstallError
	switch {
	case errors.As(err, &broken):
		check.Health, check.Detail, check.Remedy = HealthFail, broken.What+": "+joinSteps(broken.Tried), broken.Remedy
		return check
	case !found:
		check.Health, check.Remedy = HealthFail, in.browserRemedy()
		check.Detail = in.noBrowser() + ": " + joinSteps(in.since(start))
		return check
	}
	version, err := in.probeBrowser(ctx, info)
	if err != nil {
		check.Health, check.Remedy = HealthFail, in.depsRemedy(driver)
		check.Detail = fmt.Sprintf("%s does not start: %v", info.Path, err)
		return check
	}
	if version == "" {
		version = "unknown"
	}
	check.Detail = fmt.Sprintf("%s, version %s, %s (%s)", info.Type, version, info.Path, info.Source)
	return check
}

// diagnoseSandbox reports whether the browser's own sandbox will be on. It is off only where Chromium
// refuses to start with it.
func (in *installer) diagnoseSandbox() Diagnosis {
	check := Diagnosis{Name: "sandbox", Health: HealthOK, Detail: "on"}
	if in.Browser != "chromium" || in.host.goos == "windows" {
		return check
	}
	if in.host.root {
		check.Health = HealthWarn
		check.Detail = "off: Chromium refuses its sandbox to root; run assay as an ordinary user to have it"
		return check
	}
	for _, limit := range []struct{ path, bad, remedy string }{
		{"/proc/sys/user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=15000"},
		{"/proc/sys/kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"},
		{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"},
	} {
		value, err := os.ReadFile(filepath.Join(in.host.filesystem, limit.path))
		if err == nil && strings.TrimSpace(string(value)) == limit.bad {
			check.Health, check.Remedy = HealthWarn, in.sudo(limit.remedy)
			check.Detail = fmt.Sprintf("the kernel may refuse it (%s is %s): then the browser does not start", limit.path, limit.bad)
			return check
		}
	}
	return check
}

func (in *installer) diagnoseFonts() Diagnosis {
	fonts := in.findFonts()
	check := Diagnosis{Name: "fonts", Health: HealthOK, Detail: fonts.String()}
	if len(fonts.missing()) > 0 {
		check.Health, check.Remedy = HealthWarn, in.fontRemedy()
	}
	return check
}

// diagnoseDir makes sure that a folder, or the nearest one above it that exists, can be written.
func (in *installer) diagnoseDir(name, dir string) Diagnosis {
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
		check.Detail = fmt.Sprintf("%s cannot be written: %v", dir, err)
		if in.host.goos != "windows" {
			check.Remedy = in.sudo(fmt.Sprintf("chown -R \"$(id -un)\" %q", existing))
		}
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
