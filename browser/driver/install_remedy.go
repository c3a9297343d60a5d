package driver

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// installLine returns our own command for what is wanted here.
func (in *installer) installLine(flags string) string {
	line := in.Program + " install"
	if in.Browser != "chromium" {
		line += " --browser " + in.Browser
	}
	if in.Headed {
		line += " --headed"
	}
	return line + flags
}

// driverRemedy: an install that may fetch, or the npm that it lacked, or the same again once the
// network is back, which no command of ours can do. A cache that can't be written is replaced.
func (in *installer) driverRemedy() string {
	if in.noCache {
		return in.host.cacheElsewhere() + " " + in.installLine("")
	}
	if _, ok := in.host.lookPath("npm"); !ok && !in.NoDownload {
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
	return in.host.packageLine(systemPackages{
		apt: "nodejs npm", dnf: "nodejs npm", pacman: "nodejs npm", apk: "nodejs npm",
		brew: "node", winget: "OpenJS.NodeJS.LTS",
	}, in.Program+" doctor")
}

// browserRemedy returns another way than the one that just failed.
func (in *installer) browserRemedy() string {
	again := in.installLine("")
	switch {
	case in.NoDownload:
		return again
	case in.Browser != "chromium": // only Playwright has them
		return "PLAYWRIGHT_DOWNLOAD_HOST=<a mirror you can reach> " + again
	case in.host.isDebianLike() && in.host.root && !in.WithDeps:
		return in.installLine(" --with-deps")
	}
	packages := systemPackages{
		apt: in.browserPackage(), dnf: "chromium-headless", pacman: "chromium", apk: "chromium",
		brew: "--cask google-chrome", winget: "Google.Chrome",
	}
	if in.Headed {
		packages.dnf = "chromium"
	}
	if ids, _ := in.host.osRelease(); slices.Contains(ids, "ubuntu") {
		packages.apt = "" // only a snap there, which cannot be driven
	}
	return in.host.packageLine(packages, "PLAYWRIGHT_DOWNLOAD_HOST=<a mirror you can reach> "+again)
}

// depsRemedy installs the libraries of a browser that is there and does not start.
func (in *installer) depsRemedy(driver DriverInfo) string {
	if in.host.isDebianLike() && in.host.root && !in.WithDeps {
		return in.installLine(" --with-deps")
	}
	cli := filepath.Join(driver.Dir, "package", "cli.js")
	return in.host.sudo(fmt.Sprintf("%s %s install-deps %s", driver.Node, cli, in.Browser))
}

func (in *installer) fontRemedy() string {
	return in.host.packageLine(systemPackages{
		apt:    "--no-install-recommends " + strings.Join(fontPackages(), " "),
		dnf:    "liberation-fonts dejavu-sans-fonts google-noto-sans-cjk-fonts google-noto-color-emoji-fonts",
		pacman: "ttf-liberation ttf-dejavu noto-fonts noto-fonts-cjk noto-fonts-emoji",
		apk:    "font-liberation font-dejavu font-noto font-noto-cjk font-noto-emoji",
	}, "")
}

// systemPackages holds one thing's names in each packager, "" where it has none.
type systemPackages struct{ apt, dnf, pacman, apk, brew, winget string }

// packageLine returns the command that installs packages on this system, or otherwise the given one.
func (h hostSystem) packageLine(p systemPackages, otherwise string) string {
	ids, _ := h.osRelease()
	is := func(id string) bool { return h.goos == "linux" && slices.Contains(ids, id) }
	switch {
	case h.goos == "darwin" && p.brew != "":
		return "brew install " + p.brew
	case h.goos == "windows" && p.winget != "":
		return "winget install " + p.winget
	case h.isDebianLike() && p.apt != "":
		return h.sudo("apt-get install -y " + p.apt)
	case (is("fedora") || is("rhel")) && p.dnf != "":
		return h.sudo("dnf install -y " + p.dnf)
	case is("arch") && p.pacman != "":
		return h.sudo("pacman -S --noconfirm " + p.pacman)
	case is("alpine") && p.apk != "":
		return h.sudo("apk add " + p.apk)
	}
	return otherwise
}
