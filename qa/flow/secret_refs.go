package flow

import (
	"fmt"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// secretMark begins a reference to a secret: ${secret:NAME}.
const secretMark = "${secret:"

var secretRef = pattern.New(`\$\{secret:([A-Za-z_][A-Za-z0-9_]*)\}`)

// Fresh stands in a value, a selector or an expected text of a generated test for a text
// that is another one each time that the test runs: letters and digits, the same one all
// through a test.
const Fresh = "${fresh}"

// Secrets lists the names of the secrets that a value refers to.
func Secrets(value string) []string {
	var names []string
	for _, m := range secretRef.FindAllStringSubmatch(value, -1) {
		names = append(names, m[1])
	}
	return names
}

// referenceProblem says what is wrong with the references in a value, or "".
func referenceProblem(value string) string {
	rest := secretRef.ReplaceAllString(value, "")
	if !strings.Contains(rest, secretMark) {
		return ""
	}
	return fmt.Sprintf("has a reference that is none: write %sNAME}, with letters, digits and _", secretMark)
}
