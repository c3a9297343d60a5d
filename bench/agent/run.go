package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/internal/wiretest"
	"github.com/assay-qa/assay/qa"
)

// bench runs the program on files of its own.
type bench struct {
	assay, dir, site string
	stderr           io.Writer
}

// Folders and files below bench.dir.
const (
	taskFile = "conversation.task.toml"
	specs    = "specs"
	recorded = "recorded"
	specFile = "dashboard.md"
)

// specCount sets how many specs the contract has, and atATime how many of them run at a time.
const specCount, atATime = 20, 5

// prepare writes the configuration, the task and the specs.
func (b bench) prepare() error {
	files := map[string]string{
		"mcp.toml":                        fmt.Sprintf("schema_version = 1\n[secrets]\n%s = \"env:%[1]s\"\n[network]\nallowed_hosts = [\"127.0.0.1\"]\n", password),
		taskFile:                          task(),
		filepath.Join(recorded, specFile): spec(0),
	}
	for i := range specCount {
		files[filepath.Join(specs, fmt.Sprintf("dashboard-%02d.md", i+1))] = spec(i + 1)
	}
	for name, text := range files {
		path := filepath.Join(b.dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			return err
		}
	}
	return nil
}

// provider wraps a scripted provider and measures its time.
type provider struct {
	*wiretest.Server
	wire wiretest.Wire
	http *httptest.Server
	busy atomic.Int64 // nanoseconds between requests read and answers written
}

const providerKey = "key-of-the-scripted-provider"

// provide starts a provider. A local server asks for no key.
func (b bench) provide(w wiretest.Wire, says []wiretest.Say) (*provider, error) {
	key := providerKey
	if w == wiretest.Chat {
		key = ""
	}
	s, err := wiretest.New(w, wiretest.Fixed(says...), wiretest.Options{Key: key, Model: "scripted", Secrets: []string{demo.Password}})
	if err != nil {
		return nil, err
	}
	p := &provider{Server: s, wire: w}
	p.http = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		began := time.Now()
		s.ServeHTTP(rw, r)
		p.busy.Add(int64(time.Since(began)))
	}))
	return p, nil
}

// flags lead the program to the provider.
func (p *provider) flags() ([]string, error) {
	u, err := url.Parse(p.URL())
	if err != nil {
		return nil, err
	}
	return []string{"--agent-provider", string(p.wire), "--agent-base-url", p.http.URL + u.Path, "--agent-model", "scripted", "--agent-computer", "off"}, nil
}

// end ends the provider, and fails if it has objections.
func (p *provider) end() error {
	p.http.Close()
	err := p.Close()
	if found := p.Problems(); len(found) > 0 {
		err = errors.Join(err, fmt.Errorf("%s: %d requests break the protocol: %s", p.wire, len(found), found[0]))
	}
	return err
}

// keyVariable names the variable in which the program looks for a wire's key.
func keyVariable(w wiretest.Wire) string {
	switch w {
	case wiretest.OpenAI:
		return "OPENAI_API_KEY"
	case wiretest.Azure:
		return "AZURE_OPENAI_API_KEY"
	case wiretest.Anthropic:
		return "ANTHROPIC_API_KEY"
	case wiretest.Gemini:
		return "GEMINI_API_KEY"
	default:
		return "NO_KEY_IS_NEEDED"
	}
}

// suite runs what is at path, with a provider or without one, and returns how
// long that took from start to exit, with the result. All of it must pass.
func (b bench) suite(ctx context.Context, p *provider, path string, flags ...string) (took time.Duration, result qa.TestResult, err error) {
	args := append([]string{"run", filepath.Join(b.dir, path), "--json", "--base-url", b.site, "--config", filepath.Join(b.dir, "mcp.toml"), "--data-dir", filepath.Join(b.dir, "data")}, flags...)
	env := append(os.Environ(), password+"="+demo.Password, "XDG_CONFIG_HOME="+filepath.Join(b.dir, "own"))
	trust := exec.CommandContext(ctx, b.assay, "trust", "--yes", "--config", filepath.Join(b.dir, "mcp.toml"))
	if trust.Env = env; trust.Run() != nil {
		return 0, result, errors.New("assay trust has failed")
	}
	if p != nil {
		more, err := p.flags()
		if err != nil {
			return 0, result, err
		}
		args, env = append(args, more...), append(env, keyVariable(p.wire)+"="+providerKey)
	}
	var answer, log bytes.Buffer
	c := exec.CommandContext(ctx, b.assay, args...)
	c.Env, c.Stdout, c.Stderr = env, &answer, &log
	started := time.Now()
	runErr := c.Run()
	took = time.Since(started)
	if err := json.Unmarshal(answer.Bytes(), &result); err != nil {
		return took, result, errors.Join(runErr, err, errors.New(strings.TrimSpace(log.String())))
	}
	if result.Status != qa.TestPassed {
		return took, result, fmt.Errorf("the suite has %s: %s\n%s", result.Status, answer.String(), log.String())
	}
	return took, result, nil
}
