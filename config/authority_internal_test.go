package config

import (
	"slices"
	"testing"
)

// B18: a setting that is added gets its row, or this fails: whether a folder may say it is decided when it is made.
func TestEveryKeyHasItsAuthority(t *testing.T) {
	var rows []string
	for _, row := range authorities() {
		if slices.Contains(rows, row.key) {
			t.Errorf("%s has two rows in the table of authorities", row.key)
		}
		rows = append(rows, row.key)
	}
	var known []string
	for _, key := range Keys() {
		row, found := authorityOf(key.Name)
		if !found {
			t.Errorf("%s has no row in authority.go: say whether a folder may set it, which may come from a stranger", key.Name)
		}
		known = append(known, row.key)
	}
	for _, key := range rows {
		if !slices.Contains(known, key) {
			t.Errorf("the table of authorities has a row for %s, which is no setting", key)
		}
	}
}

// A key that nobody decided on is a person's.
func TestAnUnknownKeyIsAPersons(t *testing.T) {
	if row, found := authorityOf("browser.extra_arguments"); found || row.why == "" || row.counts == nil {
		t.Errorf("%+v, %v", row, found)
	}
}
