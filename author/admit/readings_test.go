package admit_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser"
)

// C4: our engine reads each selector as readings.txt says. The end-to-end tests hold
// Playwright's locators, as tests have them, to the same table.
func TestReadings(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs the browser; -short leaves it out")
	}
	testdata := filepath.Join("..", "testfile", "testdata")
	server := httptest.NewServer(http.FileServer(http.Dir(testdata)))
	t.Cleanup(server.Close)
	table, err := os.ReadFile(filepath.Join(testdata, "readings.txt"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := shared.Launch(t.Context(), browser.LaunchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Navigate(t.Context(), server.URL+"/readings.html", "load", 10*time.Second); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		selector, ids, row := strings.Cut(strings.TrimSpace(line), " ->")
		if !row || strings.HasPrefix(selector, "#") {
			continue
		}
		look, err := s.Look(t.Context(), selector, browser.FactAttribute, "id")
		if err != nil {
			t.Errorf("%s: %v", selector, err)
			continue
		}
		var found []string
		if look.Value != nil {
			found = []string{*look.Value}
		}
		if want := strings.Fields(ids); !slices.Equal(found, want) || look.Count != len(want) {
			t.Errorf("%s leads to %d, %q, want %q", selector, look.Count, found, want)
		}
	}
}
