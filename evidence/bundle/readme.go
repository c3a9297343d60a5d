package bundle

import (
	_ "embed"
	"fmt"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
)

//go:embed readme.md.tmpl
var readmeText string

// What stands in a command that somebody pastes can't end its quotes.
var plainKey = pattern.New(`^[A-Za-z0-9+/=._-]+$`)

// readme returns the instructions: what the bundle is, and how to check it by hand.
func (p *pack) readme() (string, error) {
	shown := map[string]any{
		"Run": p.run, "Facts": p.facts(), "Left": p.left, "Sealed": p.record != nil, "Log": p.newest != nil, "Key": "VERIFIER", "NewestKey": "VERIFIER",
		"Authority": "", // quoted; "" where there is no time-stamp
	}
	for _, key := range p.trust.Keys() {
		one, err := attest.ParseTrust(key)
		if err != nil || !plainKey.MatchString(key) {
			continue // what it signed can't be checked with a command from here
		}
		if p.record != nil {
			if _, err := one.OpenEnvelope(p.record.Envelope); err == nil {
				shown["Key"] = key
			}
		}
		if _, _, err := one.OpenCheckpoint(p.newest); err == nil {
			shown["NewestKey"] = key
		}
	}
	if p.record != nil && p.record.Timestamp != nil && len(p.record.Timestamp.Token) > 0 {
		shown["Authority"] = onOneLine(p.record.Timestamp.Authority)
	}
	text, err := text.Fill(readmeText, shown)
	if err != nil {
		return "", fmt.Errorf("%s: %w", attest.BundleReadme, err)
	}
	return text, nil
}
