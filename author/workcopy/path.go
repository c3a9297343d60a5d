package workcopy

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// PlanDir is the folder of test plans.
const PlanDir = "test-plan"

// Rules say where files may be written.
type Rules struct {
	TestDir string // below the project's folder, such as "tests"
}

// segment is a name that every file system keeps as it is and no program takes for
// something of its own: no dot in front, no dot or blank at the end, no ~ of a short
// name, no colon of a stream.
var segment = pattern.New(`^[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9_-])?$`)

// device is a name that Windows keeps for itself, whatever follows its first dot.
var device = pattern.New(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$)(\.|$)`)

// testFile is how a file with tests is called.
var testFile = pattern.New(`\.(spec|test)\.(js|mjs|ts|mts)$`)

// IsTest reports whether a path is that of a file with tests.
func IsTest(name string) bool { return testFile.MatchString(name) }

// instructions are files that coding agents follow.
var instructions = pattern.New(`(?i)^(agents|claude|gemini|copilot-instructions|skill)\.md$`)

// maxPath bounds a path, in bytes.
const maxPath = 200

// Valid refuses a test folder that can't be one.
func (r Rules) Valid() error {
	if err := plainPath(r.TestDir); err != nil {
		return fmt.Errorf("the test folder: %w", err)
	}
	if strings.EqualFold(r.TestDir, PlanDir) {
		return fmt.Errorf("the test folder can't be %s, which is for plans", PlanDir)
	}
	return nil
}

// CheckPath refuses the path of a file that may not be written: slashes part it, and it
// begins below the project's folder.
func (r Rules) CheckPath(name string) error {
	if err := r.Valid(); err != nil {
		return err
	}
	if err := plainPath(name); err != nil {
		return err
	}
	base := path.Base(name)
	switch {
	case strings.HasPrefix(name, r.TestDir+"/"):
		if !testFile.MatchString(base) {
			return fmt.Errorf("%s: only files that end in .spec or .test and .js, .mjs, .ts or .mts are written below %s/", name, r.TestDir)
		}
	case strings.HasPrefix(name, PlanDir+"/"):
		if path.Ext(base) != ".md" {
			return fmt.Errorf("%s: only .md files are written below %s/", name, PlanDir)
		}
		if instructions.MatchString(base) {
			return fmt.Errorf("%s: coding agents follow this file, so it is not written", name)
		}
	default:
		return fmt.Errorf("%s: files are written below %s/ and %s/ only (the case of letters counts)", name, r.TestDir, PlanDir)
	}
	return nil
}

// plainPath refuses a path that could mean another place than it says.
func plainPath(name string) error {
	if name == "" {
		return errors.New("a path is needed, such as tests/login.spec.ts")
	}
	if len(name) > maxPath {
		return fmt.Errorf("the path has %d bytes, more than %d", len(name), maxPath)
	}
	for _, s := range strings.Split(name, "/") {
		switch {
		case !segment.MatchString(s):
			return fmt.Errorf("%q in the path %q: names are of letters, digits, dots, hyphens and underscores, with no dot at either end; slashes part them", s, name)
		case device.MatchString(s):
			return fmt.Errorf("%q in the path %q is a device on Windows", s, name)
		case strings.EqualFold(s, "node_modules"):
			return fmt.Errorf("%q: packages are never written", name)
		}
	}
	return nil
}
