package kpi_test

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/assay-qa/assay/qa/kpi"
	"github.com/assay-qa/assay/qa/kpi/kpitest"
)

// intlValues are what the figures show.
func intlValues() []float64 {
	return []float64{7, 999, 1_234, 12_345, 123_456, 1_234_567, 5_000_000, 98_765_432, 250_000_000, 1_234_567_890, 47_000_000_000, 2_500_000_000_000, -1_234_567, -45_600_000_000}
}

var intl = sync.OnceValues(func() (map[string]kpitest.Language, error) {
	return kpitest.Ask(context.Background(), kpitest.Languages(), intlValues())
})

// languages returns what node's Intl says of each language.
func languages(t testing.TB) map[string]kpitest.Language {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	all, err := intl()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// writing returns how a language writes; "" is none declared.
func writing(t testing.TB, lang string) kpi.Writing {
	t.Helper()
	if lang == "" {
		return kpi.Writing{}
	}
	return languages(t)[lang].Writing
}
