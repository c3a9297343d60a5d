package text

import "strings"

// ShellWord returns a text as one word of a POSIX shell's command line, in single quotes.
func ShellWord(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
