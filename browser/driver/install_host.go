package driver

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// hostSystem describes what the search depends on besides the environment, in one place so that each
// system's layout can be tested on any of them.
type hostSystem struct {
	goos, goarch string
	root         bool   // may install OS packages
	filesystem   string // prefix for absolute system paths; empty outside tests
}

func thisHost() hostSystem {
	return hostSystem{goos: runtime.GOOS, goarch: runtime.GOARCH, root: os.Geteuid() == 0}
}

// osRelease returns what the system says of itself, e.g. "debian" and "Debian GNU/Linux 12 (bookworm)".
func (in *installer) osRelease() (ids []string, pretty string) {
	f, err := os.Open(filepath.Join(in.host.filesystem, "/etc/os-release"))
	if err != nil {
		return nil, ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), "=")
		value = strings.Trim(value, `"'`)
		switch key {
		case "ID", "ID_LIKE":
			ids = append(ids, strings.Fields(value)...)
		case "PRETTY_NAME":
			pretty = value
		}
	}
	return ids, pretty
}

func (in *installer) isDebianLike() bool {
	ids, _ := in.osRelease()
	return in.host.goos == "linux" && (slices.Contains(ids, "debian") || slices.Contains(ids, "ubuntu"))
}

// sudo prefixes a command that needs root, for a reader who is not.
func (in *installer) sudo(command string) string {
	if in.host.root {
		return command
	}
	return "sudo " + command
}

// installLine returns our own command for what is wanted here.
func (in *installer) installLine(flags string) string {
	line := "assay install"
	if in.Browser != "chromium" {
		line += " --browser " + in.Browser
	}
	if in.Headed {
		line += " --headed"
	}
	return line + flags
}

// driverRemedy: an install that may fetch, or the npm that it lacked, or the same again once the
// network is back, which no command of ours can do.
func (in *installer) driverRemedy() string {
	if _, ok := in.lookPath("npm"); !ok && !in.NoDownload {
		return in.nodeRemedy()
	}
	return in.installLine("")
}

func (in *installer) nodeRemedy() string {
	if in.Getenv("PLAYWRIGHT_NODEJS_PATH") != "" {
		if in.host.goos == "windows" {
			return "set PLAYWRIGHT_NODEJS_PATH="
		}
		return "unset PLAYWRIGHT_NODEJS_PATH"
	}
	return in.packageLine(systemPackages{
		apt: "nodejs npm", dnf: "nodejs npm", pacman: "nodejs npm", apk: "nodejs npm",
		brew: "node", winget: "OpenJS.NodeJS.LTS",
	}, "assay doctor")
}

// browserRemedy returns another way than the one that just failed.
func (in *installer) browserRemedy() string {
	again := in.installLine("")
	switch {
	case in.NoDownload:
		return again
	case in.Browser != "chromium": // only Playwright has them
		return "PLAYWRIGHT_DOWNLOAD_HOST=<a mirror you can reach> " + again
	case in.isDebianLike() && in.host.root && !in.WithDeps:
		return in.installLine(" --with-deps")
	}
	packages := systemPackages{
		apt: in.browserPackage(), dnf: "chromium-headless", pacman: "chromium", apk: "chromium",
		brew: "--cask google-chrome", winget: "Google.Chrome",
	}
	if in.Headed {
		packages.dnf = "chromium"
	}
	if ids, _ := in.osRelease(); slices.Contains(ids, "ubuntu") {
		packages.apt = "" // only a snap there, which cannot be driven
	}
	return in.packageLine(packages, "PLAYWRIGHT_DOWNLOAD_HOST=<a mirror you can reach> "+again)
}

// depsRemedy installs the libraries of a browser that is there and does not start.
func (in *installer) depsRemedy(driver DriverInfo) string {
	if in.isDebianLike() && in.host.root && !in.WithDeps {
		return in.installLine(" --with-deps")
	}
	cli := filepath.Join(driver.Dir, "package", "cli.js")
	return in.sudo(fmt.Sprintf("%s %s install-deps %s", driver.Node, cli, in.Browser))
}

func (in *installer) fontRemedy() string {
	return in.packageLine(systemPackages{
		apt:    "--no-install-recommends " + strings.Join(fontPackages(), " "),
		dnf:    "liberation-fonts dejavu-sans-fonts google-noto-sans-cjk-fonts google-noto-color-emoji-fonts",
		pacman: "ttf-liberation ttf-dejavu noto-fonts noto-fonts-cjk noto-fonts-emoji",
		apk:    "font-liberation font-dejavu font-noto font-noto-cjk font-noto-emoji",
	}, "")
}

// systemPackages holds one thing's names in each packager, "" where it has none.
type systemPackages struct{ apt, dnf, pacman, apk, brew, winget string }

// packageLine returns the command that installs packages on this system, or otherwise the given one.
func (in *installer) packageLine(p systemPackages, otherwise string) string {
	ids, _ := in.osRelease()
	is := func(id string) bool { return in.host.goos == "linux" && slices.Contains(ids, id) }
	switch {
	case in.host.goos == "darwin" && p.brew != "":
		return "brew install " + p.brew
	case in.host.goos == "windows" && p.winget != "":
		return "winget install " + p.winget
	case in.isDebianLike() && p.apt != "":
		return in.sudo("apt-get install -y " + p.apt)
	case (is("fedora") || is("rhel")) && p.dnf != "":
		return in.sudo("dnf install -y " + p.dnf)
	case is("arch") && p.pacman != "":
		return in.sudo("pacman -S --noconfirm " + p.pacman)
	case is("alpine") && p.apk != "":
		return in.sudo("apk add " + p.apk)
	}
	return otherwise
}
