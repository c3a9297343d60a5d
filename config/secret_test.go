package config_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/assay-qa/assay/config"
)

func TestSecretHidesItself(t *testing.T) { // E6
	cfg := config.Default()
	cfg.Notify.Webhook = "hunter2"
	cfg.Secrets = map[string]config.SecretSource{"PIN": {From: "cmd:echo hunter2"}}

	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		fmt.Fprintf(&out, verb+"\n", cfg)
		fmt.Fprintf(&out, verb+"\n", cfg.Notify.Webhook)
	}
	slog.New(slog.NewJSONHandler(&out, nil)).Info("m", "secret", cfg.Notify.Webhook, "config", cfg)
	slog.New(slog.NewTextHandler(&out, nil)).Info("m", "secret", cfg.Notify.Webhook, "config", cfg)
	if err := json.NewEncoder(&out).Encode(cfg); err != nil {
		t.Fatal(err)
	}
	for _, leak := range []string{"hunter2", fmt.Sprintf("%x", "hunter2")} {
		if strings.Contains(out.String(), leak) {
			t.Errorf("%q is shown in:\n%s", leak, out.String())
		}
	}
	if !strings.Contains(out.String(), "[hidden]") {
		t.Errorf("nothing says that something is hidden:\n%s", out.String())
	}
	if got := string(cfg.Notify.Webhook); got != "hunter2" {
		t.Errorf("the content is %q", got)
	}
}
