package starter

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// maxRead bounds what is read of a project's own files, in bytes.
const maxRead = 1 << 20

// An address, or a port, as files of a project write it in so many letters. What they compute is
// not run.
var (
	testBase  = pattern.New(`\bbaseURL\s*:\s*["'\x60](https?://[^"'\x60$]+)["'\x60]`)
	testSite  = pattern.New(`\bwebServer\s*:[\s\S]*?\burl\s*:\s*["'\x60](https?://[^"'\x60$]+)["'\x60]`)
	testPort  = pattern.New(`\bwebServer\s*:[\s\S]*?\bport\s*:\s*(\d{2,5})\b`)
	vitePort  = pattern.New(`\bserver\s*:\s*\{[^}]*?\bport\s*:\s*(\d{2,5})\b`)
	npmScript = pattern.New(`"(?:dev|start|serve)"\s*:\s*"[^"\n]*?(?:--port[ =]|-p |PORT=)(\d{2,5})\b`)
)

// AddressOf returns the address of the site that a project's own files name, and the file; empty
// where none does.
func AddressOf(dir string) (address, file string) {
	for _, kind := range []struct {
		files []string
		says  []*pattern.Pattern
	}{
		{[]string{"playwright.config.ts", "playwright.config.js", "playwright.config.mts", "playwright.config.mjs", "playwright.config.cjs"}, []*pattern.Pattern{testBase, testSite, testPort}},
		{[]string{"vite.config.ts", "vite.config.js", "vite.config.mts", "vite.config.mjs", "vite.config.cjs"}, []*pattern.Pattern{vitePort}},
		{[]string{"package.json"}, []*pattern.Pattern{npmScript}},
	} {
		for _, name := range kind.files {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || len(data) > maxRead {
				continue
			}
			text := withoutComments(string(data))
			for _, p := range kind.says {
				m := p.FindStringSubmatch(text)
				switch {
				case m == nil:
				case strings.HasPrefix(m[1], "http"):
					return m[1], name
				default:
					return "http://localhost:" + m[1], name
				}
			}
		}
	}
	return "", ""
}

// withoutComments returns a script without its comments.
func withoutComments(script string) string {
	var out []byte
	quote := byte(0)
	for i := 0; i < len(script); i++ {
		c, two := script[i], script[i:min(i+2, len(script))]
		switch {
		case quote != 0:
			if out = append(out, c); c == '\\' && i+1 < len(script) {
				i++
				out = append(out, script[i])
			} else if c == quote {
				quote = 0
			}
		case two == "//":
			for i+1 < len(script) && script[i+1] != '\n' {
				i++
			}
		case two == "/*":
			for i += 2; i+1 < len(script) && script[i:i+2] != "*/"; i++ {
			}
			i++
		default:
			if out = append(out, c); c == '"' || c == '\'' || c == '`' {
				quote = c
			}
		}
	}
	return string(out)
}
