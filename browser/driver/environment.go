package driver

import (
	"slices"
	"strings"
)

// variable is one of the environment that driver and browser get, with the reason. A name
// that ends with * stands for all that begin so.
type variable struct{ name, why string }

// passed lists what driver and browser get of the environment: what they need to run on
// this machine, and nothing that changes what a page does in them or what they say.
func passed() []variable {
	const (
		programs     = "where programs are"
		home         = "whose files, caches and certificates are used"
		temporary    = "where temporary files go"
		locale       = "the language of messages and file names"
		zone         = "the time zone that a session without one of its own has"
		proxy        = "the way to the network where there is no direct one"
		certificates = "who is trusted on this machine's network"
		display      = "where windows are shown"
		fonts        = "which fonts pages are drawn with"
		libraries    = "where a browser finds its libraries on systems that keep them elsewhere"
		windows      = "what programs need of Windows to start"
		mac          = "what programs need of macOS to read file names"
		ours         = "which browsers and which Node the person chose"
	)
	return []variable{
		{"PATH", programs},
		{"HOME", home}, {"USER", home}, {"LOGNAME", home}, {"XDG_CACHE_HOME", home}, {"XDG_CONFIG_HOME", home}, {"XDG_DATA_HOME", home},
		{"TMPDIR", temporary}, {"TMP", temporary}, {"TEMP", temporary},
		{"LANG", locale}, {"LANGUAGE", locale}, {"LC_*", locale},
		{"TZ", zone}, {"TZDIR", zone},
		{"HTTP_PROXY", proxy}, {"HTTPS_PROXY", proxy}, {"ALL_PROXY", proxy}, {"NO_PROXY", proxy},
		{"http_proxy", proxy}, {"https_proxy", proxy}, {"all_proxy", proxy}, {"no_proxy", proxy},
		{"SSL_CERT_FILE", certificates}, {"SSL_CERT_DIR", certificates}, {"NODE_EXTRA_CA_CERTS", certificates}, {"NODE_USE_SYSTEM_CA", certificates},
		{"DISPLAY", display}, {"WAYLAND_DISPLAY", display}, {"XAUTHORITY", display}, {"XDG_RUNTIME_DIR", display}, {"XDG_SESSION_TYPE", display}, {"DBUS_SESSION_BUS_ADDRESS", display},
		{"FONTCONFIG_FILE", fonts}, {"FONTCONFIG_PATH", fonts}, {"FONTCONFIG_SYSROOT", fonts}, {"XDG_DATA_DIRS", fonts},
		{"LD_LIBRARY_PATH", libraries}, {"NIX_LD", libraries}, {"NIX_LD_LIBRARY_PATH", libraries},
		{"PLAYWRIGHT_BROWSERS_PATH", ours}, {"PLAYWRIGHT_NODEJS_PATH", ours},
		{"SystemRoot", windows}, {"SystemDrive", windows}, {"windir", windows}, {"ComSpec", windows}, {"PATHEXT", windows},
		{"USERPROFILE", windows}, {"HOMEDRIVE", windows}, {"HOMEPATH", windows}, {"USERNAME", windows}, {"USERDOMAIN", windows},
		{"APPDATA", windows}, {"LOCALAPPDATA", windows}, {"ProgramData", windows}, {"ALLUSERSPROFILE", windows}, {"PUBLIC", windows},
		{"ProgramFiles*", windows}, {"ProgramW6432", windows}, {"CommonProgram*", windows},
		{"COMPUTERNAME", windows}, {"NUMBER_OF_PROCESSORS", windows}, {"PROCESSOR_*", windows}, {"OS", windows}, {"SESSIONNAME", windows},
		{"__CF_USER_TEXT_ENCODING", mac},
	}
}

// telling lists what the driver, its Node and browsers behave differently with: the
// variables that a person is told of when they are left out. What nobody would expect to
// count, such as the version of Node that an image names, is left out without a word.
func telling() []string {
	return []string{
		"PW_*", "PWDEBUG*", "PWTEST*", "PWPAUSE", "PWMCP*", "PLAYWRIGHT_*", "SELENIUM_REMOTE_*", "WK_DISABLE_FRAME_SESSIONS",
		"DEBUG", "DEBUG_FILE", "DEBUGP", "npm_config_playwright_*", "npm_package_config_playwright_*",
		"NODE_OPTIONS", "NODE_PATH", "NODE_DEBUG", "NODE_DEBUG_NATIVE", "NODE_ENV", "NODE_ICU_DATA", "NODE_PRESERVE_SYMLINKS*", "NODE_REDIRECT_WARNINGS", "NODE_PENDING_DEPRECATION",
		"NODE_TLS_REJECT_UNAUTHORIZED", "NODE_USE_ENV_PROXY", "NODE_V8_COVERAGE", "NODE_COMPILE_CACHE", "NODE_CHANNEL_*", "UV_*", "OPENSSL_CONF", "SSLKEYLOGFILE",
		"CHROME_DEVEL_SANDBOX", "CHROME_HEADLESS", "CHROME_LOG_FILE", "CHROME_WRAPPER", "MOZ_*", "WEBKIT_*", "LD_PRELOAD", "LD_AUDIT", "DYLD_*",
	}
}

// whereFrom lists what says where browsers are fetched from, and for which system: the
// driver gets it while it installs, and only then.
func whereFrom() []string {
	return []string{"PLAYWRIGHT_DOWNLOAD_HOST", "PLAYWRIGHT_CHROMIUM_DOWNLOAD_HOST", "PLAYWRIGHT_FIREFOX_DOWNLOAD_HOST", "PLAYWRIGHT_WEBKIT_DOWNLOAD_HOST",
		"PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT", "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "PLAYWRIGHT_HOST_PLATFORM_OVERRIDE"}
}

// readHere lists what this program reads itself, so that it counts although the driver
// that runs pages doesn't get it.
func readHere() []string { return append(whereFrom(), "PLAYWRIGHT_DRIVER_PATH") }

// Environment returns what of an environment, listed as os.Environ does, driver and
// browser get, and the names of the variables that would change how they behave and that
// they don't get. Anything else is left out without a word. On Windows (goos) case makes
// no difference.
func Environment(environ []string, goos string) (kept, leftOut []string) {
	pass, here, tell := passed(), readHere(), telling()
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		switch {
		case name == "": // Windows keeps the folder of each drive so
		case slices.ContainsFunc(pass, func(v variable) bool { return names(v.name, name, goos) }):
			kept = append(kept, entry)
		case slices.ContainsFunc(here, func(row string) bool { return names(row, name, goos) }):
		case slices.ContainsFunc(tell, func(row string) bool { return names(row, name, goos) }):
			leftOut = append(leftOut, name)
		}
	}
	return kept, leftOut
}

// names reports whether a row of a table is about the variable.
func names(row, variable, goos string) bool {
	if goos == "windows" {
		row, variable = strings.ToUpper(row), strings.ToUpper(variable)
	}
	prefix, open := strings.CutSuffix(row, "*")
	return row == variable || open && strings.HasPrefix(variable, prefix)
}
