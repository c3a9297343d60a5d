package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/suite/runner"
)

// appWith is an app whose environment has only these variables.
func appWith(vars map[string]string) (*app, *bytes.Buffer) {
	var stderr bytes.Buffer
	a := &app{stdin: bytes.NewReader(nil), stdout: &bytes.Buffer{}, stderr: &stderr, getenv: func(name string) string { return vars[name] }, now: time.Now}
	a.log = a.logger()
	return a, &stderr
}

// E6: a provider's key is shown nowhere once it is known.
func TestProviderKeyIsHidden(t *testing.T) {
	t.Parallel()
	const key = "sk-test-0123456789abcdef"
	a, stderr := appWith(map[string]string{"OPENAI_API_KEY": key})
	a.vaultOf(config.Config{})
	if _, err := a.program().Provider(config.Agent{Provider: "openai"}); err != nil {
		t.Fatal(err)
	}
	a.log.WarnContext(context.Background(), "the provider said: wrong key "+key)
	if strings.Contains(stderr.String(), key) || stderr.Len() == 0 {
		t.Errorf("the log reads %s", stderr)
	}
	redact, err := runner.Redactor(a.vault.Load(), []string{`[a-z]+@[a-z.]+`})
	if err != nil {
		t.Fatal(err)
	}
	if got := redact("mail anna@shop.test about " + key); got != "mail [redacted] about ${secret:sign-in}" {
		t.Errorf("redacted: %q", got)
	}
}
