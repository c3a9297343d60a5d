package driver

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pattern"
)

const (
	packagesTimeout = 10 * time.Minute
	stepOSPackages  = "OS packages"
)

// packageInstaller installs packages of Debian and Ubuntu.
type packageInstaller struct {
	*stepLog
	host    *hostSystem
	allowed bool // by the caller
}

// fontPackages returns Debian's and Ubuntu's names for: the metric twins of the usual web fonts, every other
// script, and emoji.
func fontPackages() []string {
	return []string{"fonts-liberation", "fonts-dejavu-core", "fonts-noto-core", "fonts-noto-cjk", "fonts-noto-color-emoji"}
}

// whyNot reports what forbids installing packages, "" when nothing does.
func (p packageInstaller) whyNot() string {
	switch {
	case !p.allowed:
		return "only with --with-deps"
	case !p.host.isDebianLike():
		return "this system is neither Debian nor Ubuntu"
	case !p.host.root:
		return "installing packages needs root"
	}
	if _, ok := p.host.lookPath("apt-get"); !ok {
		return "no program named apt-get on the PATH"
	}
	return ""
}

// install installs packages. One that apt does not know is named and left out, unless it is the
// first, for whose sake the others are installed.
func (p packageInstaller) install(ctx context.Context, packages []string) bool {
	p.record(stepOSPackages, OutcomeTrying, nil, "apt-get install %s", strings.Join(packages, " "))
	if _, err := p.apt("update").run(ctx); err != nil {
		// Old lists may still do; if not, the installation reports it.
		p.record(stepOSPackages, OutcomeFailed, err, "the package lists could not be renewed")
	}
	install := append([]string{"install", "-y", "--no-install-recommends"}, packages...)
	printed, err := p.apt(install...).run(ctx)
	if unknown := unknownPackages(printed); err != nil && len(unknown) > 0 && !slices.Contains(unknown, packages[0]) {
		p.record(stepOSPackages, OutcomeMissing, nil, "apt has no %s", strings.Join(unknown, ", "))
		known := slices.DeleteFunc(slices.Clone(install), func(name string) bool { return slices.Contains(unknown, name) })
		_, err = p.apt(known...).run(ctx)
	}
	if err != nil {
		p.record(stepOSPackages, OutcomeFailed, err, "")
		return false
	}
	p.record(stepOSPackages, OutcomeInstalled, nil, "%s", strings.Join(packages, " "))
	return true
}

func (p packageInstaller) apt(args ...string) installCommand {
	path, _ := p.host.lookPath("apt-get") // whyNot made sure of it
	bounds := []string{"-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20", "-o", "DPkg::Lock::Timeout=60"}
	return installCommand{
		path:    path,
		args:    append(bounds, args...),
		environ: p.host.environ,
		env:     []string{"DEBIAN_FRONTEND=noninteractive"},
		timeout: packagesTimeout,
	}
}

var unknownPackagePattern = pattern.New(`(?m)^E: (?:Unable to locate package (\S+)|Package '([^']+)' has no installation candidate)`)

// unknownPackages returns the packages that apt says it does not have.
func unknownPackages(printed string) []string {
	var names []string
	for _, match := range unknownPackagePattern.FindAllStringSubmatch(printed, -1) {
		names = append(names, match[1]+match[2])
	}
	return names
}
