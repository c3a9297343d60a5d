package testrun

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Slot is one pass over tests.
type Slot struct {
	Name  string
	Tests []SlotTest // none: all that the request selects
	// Late is how much later than otherwise documents and answers to scripts come in it.
	Late time.Duration
}

// SlotTest is one test of a slot.
type SlotTest struct {
	File   string
	Titles []string // none: all tests of the file
}

// slotConfig is a slot as the configuration gets it.
type slotConfig struct {
	Name string `json:"name"`
	Grep string `json:"grep,omitempty"`
	Late int64  `json:"late,omitempty"` // in milliseconds
}

// writeSlots prepares the slots. Where all their tests are named, it writes files that load
// the tests of each slot again, and returns their folder: then workers go on from slot to
// slot. Else the slots are projects, each with workers of its own.
func (r Request) writeSlots() (configs []slotConfig, again string, err error) {
	if len(r.Slots) > 0 && !slices.ContainsFunc(r.Slots, func(s Slot) bool { return len(s.Tests) == 0 }) {
		again = filepath.Join(r.Scratch, "slots")
	}
	for i, slot := range r.Slots {
		c := slotConfig{Name: slot.Name, Late: slot.Late.Milliseconds()}
		var titles, files []string
		for _, t := range slot.Tests {
			title := ""
			if len(t.Titles) > 0 {
				title = regexp.QuoteMeta(strings.Join(t.Titles, " ")) + "(?= |$)"
			}
			if !slices.Contains(files, t.File) {
				files = append(files, t.File)
			}
			if again != "" {
				title = fmt.Sprintf(`%03d-%s[\\/]%d\.[cm]js `, i, regexp.QuoteMeta(slot.Name), slices.Index(files, t.File)) + title
			}
			titles = append(titles, title)
		}
		c.Grep = strings.Join(titles, "|")
		configs = append(configs, c)
		if again == "" {
			continue
		}
		dir := filepath.Join(again, fmt.Sprintf("%03d-%s", i, slot.Name))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, "", err
		}
		for n, file := range files {
			name, text, err := loadsAgain(file, slot.Name)
			if err != nil {
				return nil, "", err
			}
			if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(n)+name), []byte(text), 0o600); err != nil {
				return nil, "", err
			}
		}
	}
	return configs, again, nil
}

// loadsAgain returns a file that loads a test file again, and how its name ends. An ES
// module is loaded once for each query of its address. The runner keeps where the lines of
// its text came from when it is asked for the module's preflight, by the address alone;
// versions of the runner without one answer that there is no such module.
func loadsAgain(file, slot string) (ending, text string, err error) {
	module, err := isModule(file)
	if err != nil || !module {
		return ".cjs", fmt.Sprintf("const file = require.resolve(%s);\ndelete require.cache[file];\nrequire(file);\n", jsString(file)), err
	}
	return ".mjs", fmt.Sprintf("import { pathToFileURL } from 'node:url';\nconst { href } = pathToFileURL(%s);\n"+
		"await import(href + '.esm.preflight').catch(() => undefined);\nawait import(href + %s);\n", jsString(file), jsString(slotQuery+slot)), nil
}

// slotQuery begins the query of the address by which an ES module is loaded for a slot. The
// runner takes it for a file of its own in stacks: see asWritten in author/prove/js/hook.cjs.
const slotQuery = "?assay-slot="
