package testrun

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// writeSlots prepares the slots. Where it can, it writes files that load the tests of
// each slot again, and returns their folder: then workers go on from slot to slot. ES
// modules are loaded once, so their slots are projects, each with workers of its own.
func (r Request) writeSlots() (configs []slotConfig, again string, err error) {
	if reloadable, err := r.reloadable(); err != nil {
		return nil, "", err
	} else if reloadable {
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
				title = fmt.Sprintf(`%03d-%s[\\/]%d\.cjs `, i, regexp.QuoteMeta(slot.Name), slices.Index(files, t.File)) + title
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
			text := fmt.Sprintf("const file = require.resolve(%s);\ndelete require.cache[file];\nrequire(file);\n", jsString(file))
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.cjs", n)), []byte(text), 0o600); err != nil {
				return nil, "", err
			}
		}
	}
	return configs, again, nil
}

// reloadable reports whether all tests of all slots are named, and none is in an ES
// module.
func (r Request) reloadable() (bool, error) {
	for _, slot := range r.Slots {
		if len(slot.Tests) == 0 {
			return false, nil
		}
		for _, t := range slot.Tests {
			if module, err := isModule(t.File); module || err != nil {
				return false, err
			}
		}
	}
	return len(r.Slots) > 0, nil
}
