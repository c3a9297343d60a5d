package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assay-qa/assay/config"
)

// TestStderrHidesSecrets: neither the log nor the last word of the program
// shows a secret (E6).
func TestStderrHidesSecrets(t *testing.T) {
	t.Parallel()
	for format, end := range map[string]string{"": "\"\n", "json": "}\n"} {
		var stderr bytes.Buffer
		a := &app{stderr: &stderr, logFormat: format, getenv: func(string) string { return `hunter"2` }}
		log := a.logger() // made before there is a vault
		v := a.vaultOf(config.Config{Secrets: map[string]config.SecretSource{"PIN": {From: "env:PIN"}}})
		if _, err := v.Reveal(context.Background(), "PIN"); err != nil {
			t.Fatal(err)
		}
		log.Error(`it is hunter"2`, "err", errors.New(`not hunter"2`), "url", "http://x/?q=hunter%222")
		if got := stderr.String(); strings.Contains(got, "hunter") || strings.Count(got, "${secret:PIN}") != 3 || !strings.HasSuffix(got, end) {
			t.Errorf("--log %q: %s", format, got)
		}
	}
}
