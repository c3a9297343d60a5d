package flow

import (
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// secretRef is a reference to a secret, ${secret:NAME}, or to the one-time code of an authenticator
// whose key is a secret, ${totp:NAME}.
var secretRef = pattern.New(`\$\{(secret|totp):([A-Za-z_][A-Za-z0-9_]*)\}`)

// Fresh stands in a value, a selector or an expected text of a generated test for a text
// that is another one each time that the test runs: letters and digits, the same one all
// through a test.
const Fresh = "${fresh}"

// HoldsSecret reports whether a text holds a reference to a secret, or what begins one.
func HoldsSecret(text string) bool {
	return strings.Contains(text, "${secret:") || strings.Contains(text, "${totp:")
}

// SecretRef is a reference to a secret in a text.
type SecretRef struct {
	Text string // as it stands there
	Name string // of the secret
	Code bool   // the one-time code is meant, which the secret is the key of
}

// SecretRefs returns the references in a text, in their order.
func SecretRefs(text string) (refs []SecretRef) {
	for _, m := range secretRef.FindAllStringSubmatch(text, -1) {
		refs = append(refs, SecretRef{Text: m[0], Name: m[2], Code: m[1] == "totp"})
	}
	return refs
}

// Secrets lists the names of the secrets that a value refers to.
func Secrets(value string) []string {
	var names []string
	for _, ref := range SecretRefs(value) {
		names = append(names, ref.Name)
	}
	return names
}

// referenceProblem says what is wrong with the references in a value, or "".
func referenceProblem(value string) string {
	if !HoldsSecret(secretRef.ReplaceAllString(value, "")) {
		return ""
	}
	return "has a reference that is none: write ${secret:NAME} or ${totp:NAME}, with letters, digits and _"
}
