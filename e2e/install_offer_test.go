package e2e_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Issue 34, item 3: a server that has no driver asks the person at the client once, installs it
// after a yes, with progress, and answers the call that it was asked for. After a no the call says
// what is missing, and the command.
func TestPersonIsOfferedTheDriver(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	npmCache, err := exec.Command("npm", "config", "get", "cache").Output()
	if err != nil {
		t.Fatalf("npm fetches the driver: %v", err)
	}
	for _, c := range []struct{ answers, code, says string }{{"accept", "", "The person agreed that the Playwright driver is installed"}, {"decline", "DRIVER_MISSING", "and declined"}} {
		t.Run(c.answers, func(t *testing.T) {
			var asked, notes atomic.Int64
			client := mcp.NewClient(&mcp.Implementation{Name: "e2e-offer", Version: "1"}, &mcp.ClientOptions{
				ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					asked.Add(1)
					if !strings.Contains(r.Params.Message, "Playwright driver") {
						t.Errorf("the person is asked %q", r.Params.Message)
					}
					return &mcp.ElicitResult{Action: c.answers}, nil
				},
				ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
					if strings.Contains(r.Params.Message, "npm playwright-core@") {
						notes.Add(1)
					}
				},
			})
			home := t.TempDir()
			cmd := serving(t, t.TempDir())
			cmd.Env = append(cmd.Env, "HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "PLAYWRIGHT_DRIVER_PATH=", "npm_config_cache="+strings.TrimSpace(string(npmCache)))
			session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := session.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
			}()
			url, _ := destructible(t)
			params := &mcp.CallToolParams{Name: "page_navigate", Arguments: map[string]any{"url": url}}
			params.SetProgressToken("offer")
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
			defer cancel()
			first, err := session.CallTool(ctx, params)
			if err != nil {
				t.Fatalf("the call that installs the driver (npm's registry must be reachable, or its cache have the driver): %v", err)
			}
			if text, ok := first.Content[0].(*mcp.TextContent); !ok || !strings.Contains(text.Text, c.says) {
				t.Errorf("the first answer doesn't begin with %q (npm's registry must be reachable, or its cache have the driver): %+v", c.says, first.Content[0])
			}
			if got, said := code(t, session, "page_navigate", map[string]any{"url": url}); first.IsError != (c.code != "") || got != c.code {
				t.Errorf("the calls: an error %v, then %q %s; want %q", first.IsError, got, said, c.code)
			}
			if asked.Load() != 1 || (notes.Load() > 0) != (c.code == "") {
				t.Errorf("the person was asked %d times, and told %d times how npm is doing", asked.Load(), notes.Load())
			}
			_, err = os.Stat(filepath.Join(home, "cache", "assay", "driver"))
			if (err == nil) != (c.code == "") {
				t.Errorf("the driver's folder: %v", err)
			}
		})
	}
}
