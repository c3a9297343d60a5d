package e2e_test

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// E1: assay demo --serve serves the variant that was asked for at the address
// that it prints, writes the tasks for that address, and ends when interrupted.
func TestDemoServes(t *testing.T) {
	t.Parallel()
	needsBinary(t)
	if runtime.GOOS == "windows" {
		t.Skip("no interrupt can be sent to one process there")
	}
	temp := t.TempDir()
	tasks := filepath.Join(temp, "tasks")
	cmd := exec.CommandContext(t.Context(), binary(t), "demo", "--serve", "--variant", "locale", "--tasks", tasks, "--data-dir", filepath.Join(temp, "data"))
	cmd.Env = environment(temp)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	address := ""
	for lines := bufio.NewScanner(out); address == "" && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "http://127.0.0.1:") {
			address, _, _ = strings.Cut(lines.Text(), " ")
		}
	}
	config, err := os.ReadFile(filepath.Join(tasks, "mcp.toml"))
	if err != nil || !strings.Contains(string(config), `"`+address+`"`) {
		t.Errorf("the tasks are not for %s: %s %v", address, config, err)
	}
	answer, err := http.Get(address + "/login")
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(answer.Body)
	if err := answer.Body.Close(); err != nil {
		t.Error(err)
	}
	if err != nil || !strings.Contains(string(page), "Sign in") {
		t.Errorf("%s answers %s %v", address, page, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, out); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("interrupted, it ends with %v", err)
	}
	if _, err := http.Get(address + "/login"); err == nil {
		t.Error("something still listens at " + address)
	}
}
