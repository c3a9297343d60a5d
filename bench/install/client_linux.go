package install

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/assay-qa/assay/bench/wire"
)

// extension is the folder, in the root, into which the client unpacks the bundle.
const extension = person + "/extensions/assay"

// asClient opens the bundle as a client does, calls a tool, does what the answer says, and works
// a run to its verdict.
func (m machine) asClient(ctx context.Context, at root, r *round) {
	began := time.Now()
	var start string
	if r.err = at.network.in(func() (err error) {
		start, err = unpackBundle(at.path())
		return err
	}); r.err != nil {
		return
	}
	server, err := at.start(ctx, start)
	if err != nil {
		r.err = err
		return
	}
	defer func() { r.err = errors.Join(r.err, server.Stop()) }()
	if _, err := server.Within(func() (wire.Answer, error) { return server.Client.Initialize() }); err != nil {
		r.err = err
		return
	}
	first, err := server.Within(func() (wire.Answer, error) { return server.Client.Tool(navigate("http://localhost:3000/")) })
	if err != nil {
		r.err = err
		return
	}
	remedy := regexp.MustCompile(`run: (\S+ install)`).FindStringSubmatch(first.Text)
	if !first.Failed || remedy == nil {
		r.err = fmt.Errorf("the first call names no command that installs the driver: %s", first.Text)
		return
	}
	said, code, c, err := at.run(ctx, remedy[1])
	if err != nil || code != 0 {
		r.err = errors.Join(err, fmt.Errorf("%s ended with %d: %s", remedy[1], code, lastLines(said)))
		return
	}
	r.commands = append(r.commands, c)
	if r.healthy, r.err = judge(server, "http://localhost:3000/"); r.err != nil {
		return
	}
	r.took = time.Since(began)
	r.wrong, r.err = judge(server, "http://localhost:3000/broken")
}

func navigate(url string) wire.Call {
	return wire.Call{Name: "page_navigate", Arguments: map[string]any{"url": url}}
}

// judge works a run on one page, and returns its verdict.
func judge(server *wire.Process, url string) (string, error) {
	var last wire.Answer
	for _, call := range []wire.Call{
		{Name: "run_start", Arguments: map[string]any{"goal": "the page is fine", "route": url, "expectations": []map[string]any{{"text": "the console stays clean"}}}},
		navigate(url),
		{Name: "verify_assertion", Arguments: map[string]any{"expects": []string{"E1"}}},
		{Name: "run_finish", Arguments: map[string]any{"summary": "looked at the page"}},
	} {
		var err error
		if last, err = server.Within(func() (wire.Answer, error) { return server.Client.Tool(call) }); err != nil {
			return "", fmt.Errorf("%s: %w", call.Name, err)
		}
	}
	var report struct{ Status string }
	if err := last.Data(&report); err != nil {
		return "", fmt.Errorf("run_finish: %w: %s", err, last.Text)
	}
	return report.Status, nil
}

// start starts the bundle's server in the root, on its pipes.
func (r root) start(ctx context.Context, line string) (server *wire.Process, err error) {
	program := wire.Program{Name: "the bundle's server", Argv: r.argv("exec " + line), Dir: r.stage}
	err = r.network.in(func() (err error) {
		server, err = program.Start(ctx)
		return err
	})
	return server, err
}

// unpackBundle unpacks the bundle into the client's folder below a root, and returns the line that
// starts its server by its manifest.
func unpackBundle(root string) (line string, err error) {
	bundle, err := zip.OpenReader(filepath.Join(root, person, "assay.mcpb"))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, bundle.Close()) }()
	var manifest struct {
		Server struct {
			Config struct {
				Command string
				Args    []string
				Env     map[string]string
			} `json:"mcp_config"`
		}
	}
	for _, f := range bundle.File {
		content, err := unzipped(f)
		if err != nil {
			return "", err
		}
		if f.Name == "manifest.json" {
			if err := json.Unmarshal(content, &manifest); err != nil {
				return "", err
			}
		}
		to := filepath.Join(root, extension, filepath.FromSlash(path.Clean("/"+f.Name)))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(to, content, f.Mode().Perm()); err != nil {
			return "", err
		}
	}
	config := manifest.Server.Config
	if config.Env["ASSAY_DATA_DIR"] == "" {
		return "", errors.New("the manifest gives the server no folder for runs")
	}
	words := append([]string{"env", "ASSAY_DATA_DIR=" + person + "/assay", strings.ReplaceAll(config.Command, "${__dirname}", extension)}, config.Args...)
	return strings.Join(words, " "), nil
}

func unzipped(f *zip.File) (content []byte, err error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return io.ReadAll(r)
}
