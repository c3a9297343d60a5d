package driver

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// fontSet describes which scripts a page can show. It goes by file names, which distributions agree on;
// asking fontconfig would need a program that minimal systems lack.
type fontSet struct {
	system            string // set where the operating system brings its own fonts
	latin, cjk, emoji bool
}

const maxFontFiles = 20_000

// findFonts looks through the folders that fontconfig reads by default.
func (h hostSystem) findFonts() fontSet {
	if h.goos != "linux" {
		return fontSet{system: h.goos, latin: true, cjk: true, emoji: true}
	}
	dirs := h.absolute("/usr/share/fonts", "/usr/local/share/fonts")
	if h.home != "" {
		dirs = append(dirs, filepath.Join(h.home, ".fonts"), filepath.Join(h.home, ".local", "share", "fonts"))
	}
	var set fontSet
	for _, dir := range dirs {
		set.addFolder(dir)
	}
	return set
}

func (f *fontSet) addFolder(dir string) {
	seen := 0
	// The walk's own error is of no use here: a folder that cannot be read holds no font for the browser.
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if seen++; err != nil || seen > maxFontFiles {
			return fs.SkipDir
		}
		if !entry.IsDir() {
			f.add(strings.ToLower(entry.Name()))
		}
		return nil
	})
}

func (f *fontSet) add(name string) {
	switch {
	case containsAny(name, "cjk", "wqy", "sourcehan", "droidsansfallback", "ipag", "takao", "uming", "ukai", "vlgothic"):
		f.cjk = true
	case containsAny(name, "emoji", "twemoji"):
		f.emoji = true
	case containsAny(name, "liberation", "dejavu", "arimo", "arial", "helvet", "notosans-", "roboto", "opensans"):
		f.latin = true
	}
}

func containsAny(s string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}

// missing names the scripts that would show as boxes.
func (f fontSet) missing() []string {
	var names []string
	if !f.latin {
		names = append(names, "Latin")
	}
	if !f.cjk {
		names = append(names, "Chinese/Japanese/Korean")
	}
	if !f.emoji {
		names = append(names, "emoji")
	}
	return names
}

func (f fontSet) String() string {
	if f.system != "" {
		return "the fonts of " + f.system
	}
	if missing := f.missing(); len(missing) > 0 {
		return "no font for " + strings.Join(missing, ", ") + ": such text shows as boxes"
	}
	return "Latin, Chinese/Japanese/Korean and emoji"
}
