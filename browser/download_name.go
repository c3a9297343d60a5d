package browser

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxFileName = 100  // bytes
	maxSameName = 1000 // files of one name
)

// reservedName are the names that Windows gives to devices, with any ending.
var reservedName = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$`)

// safeName makes a file name of what a page suggests: one that names a plain
// file in the folder it is put into, on every system.
func safeName(suggested string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, strings.ContainsRune(`/\:*?"<>|`, r), unicode.IsControl(r):
			return '_'
		case unicode.Is(unicode.Cf, r): // could show the name as another one
			return -1
		}
		return r
	}, strings.ToValidUTF8(suggested, "_"))
	name = strings.TrimLeft(strings.TrimRight(name, ". "), ". ")
	ext := filepath.Ext(name)
	if len(ext) > 20 {
		ext = ""
	}
	base := strings.TrimSuffix(name, ext)
	for len(base)+len(ext) > maxFileName {
		_, last := utf8.DecodeLastRuneInString(base)
		base = base[:len(base)-last]
	}
	name = strings.TrimRight(base, ". ") + ext
	switch {
	case strings.Trim(name, "_.") == "":
		return "download"
	case reservedName.MatchString(name):
		return "_" + name
	}
	return name
}

// createFree creates a new file of that name, or of name-2 and so on.
func createFree(root *os.Root, name string) (*os.File, string, error) {
	ext := filepath.Ext(name)
	free := name
	for n := 2; n < maxSameName; n++ {
		file, err := root.OpenFile(free, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil || !errors.Is(err, fs.ErrExist) {
			return file, free, err
		}
		free = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
	}
	return nil, "", fmt.Errorf("%d files are named like %s", maxSameName, name)
}
