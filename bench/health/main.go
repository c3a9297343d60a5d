// Package health checks pages of public templates by "assay check" and counts
// what the judge of page health says of them. Those pages are fine: each
// certain finding is a false alarm. Their own error and placeholder pages are
// left out by name. The packages lie in the folder that -packages names: install
// them there with npm.
package health

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// leftOut matches pages that show what they are there to show: errors,
// nothing, what is still to come, and parts of pages.
var leftOut = regexp.MustCompile(`(?i)(^|[/_-])(40\d|50\d|error|errors|blank|empty|starter|offline|maintenance|coming-?soon|placeholder|placeholders|spinners?|loaders?|preloader|lock-?screen|examples?|templates?|partials?|includes?|layouts?|fragments?|test|tests|spec|demo-empty)([/_.-]|$)`)

const batch = 10 // pages a process

// Run parses args, measures and writes a table.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	f := flag.NewFlagSet("health", flag.ContinueOnError)
	f.SetOutput(stderr)
	program := f.String("assay", "bin/assay", "the program")
	folder := f.String("packages", "bench/node_modules", "the packages whose pages are checked")
	limit := f.Int("max", 500, "pages at most")
	each := f.Int("each", 60, "pages of one package at most")
	if err := f.Parse(args); err != nil {
		return err
	}
	b := bench{stderr: stderr, found: map[string][]pagetext.Text{}}
	if b.assay, err = filepath.Abs(*program); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "assay-health-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	pages, err := pagesIn(*folder, *each)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: http.FileServer(http.Dir(*folder)), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }() // it ends when it is closed
	defer func() { err = errors.Join(err, server.Close()) }()
	for chunk := range slices.Chunk(pages[:min(len(pages), *limit)], batch) {
		if err := b.check(ctx, "http://"+listener.Addr().String(), chunk); err != nil {
			b.print(stdout) // what was looked at until then
			return err
		}
		fmt.Fprintf(stderr, "%d of %d\n", b.looked+b.blind, len(pages))
	}
	b.print(stdout)
	return nil
}

// pagesIn lists the pages of the packages in a folder, evenly from each.
func pagesIn(folder string, each int) ([]string, error) {
	perPackage := map[string][]string{}
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && path != "." && entry.Name() == "node_modules" {
			return fs.SkipDir
		}
		owner, rest, _ := strings.Cut(path, "/")
		if strings.HasPrefix(owner, "@") {
			scoped, inner, _ := strings.Cut(rest, "/")
			owner, rest = owner+"/"+scoped, inner
		}
		if strings.HasSuffix(path, ".html") && !leftOut.MatchString(rest) && whole(filepath.Join(folder, path)) {
			perPackage[owner] = append(perPackage[owner], path)
		}
		return nil
	})
	var out []string
	for _, paths := range perPackage {
		slices.Sort(paths)
		step := max(1, (len(paths)+each-1)/each)
		for i := 0; i < len(paths); i += step {
			out = append(out, paths[i])
		}
	}
	slices.Sort(out)
	return out, err
}

// whole reports whether a file is a page, and no part or source of one.
func whole(path string) bool {
	data, err := os.ReadFile(path)
	lower := bytes.ToLower(data)
	return err == nil && bytes.Contains(lower, []byte("</body>")) && bytes.Contains(lower, []byte("<title")) && !bytes.Contains(data, []byte("{{> ")) && !bytes.Contains(data, []byte("{% include"))
}

type bench struct {
	assay, dir    string
	stderr        io.Writer
	looked, blind int
	certain       int                        // pages with a certain finding
	likely        int                        // pages with likely ones
	found         map[string][]pagetext.Text // pages, by finding
}

// check has pages checked and counts what was said of them.
func (b *bench) check(ctx context.Context, site string, pages []string) error {
	args := []string{"check", "--json", "--browser-trace=false", "--network-block-external=true", "--data-dir=" + b.dir}
	for _, p := range pages {
		args = append(args, site+"/"+p)
	}
	command := exec.CommandContext(ctx, b.assay, args...)
	command.Dir, command.Stderr = b.dir, b.stderr
	out, err := command.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return fmt.Errorf("assay check: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 16<<20)
	for i := 0; lines.Scan() && i < len(pages); i++ {
		var report qa.QAReport
		if err := json.Unmarshal(lines.Bytes(), &report); err != nil {
			return fmt.Errorf("read the report of %s: %w", pages[i], err)
		}
		b.count(pages[i], report)
	}
	return lines.Err()
}

func (b *bench) count(page string, r qa.QAReport) {
	ran, certain, likely := false, false, false
	for _, c := range r.Checks {
		ran = ran || c.Kind == "health"
		if !c.Passed && c.Expected == "no "+c.Kind {
			certain = true
			b.found["CERTAIN "+c.Kind] = append(b.found["CERTAIN "+c.Kind], pagetext.Text(page+": ")+c.Observed)
		}
	}
	for _, f := range r.Findings {
		if name, ok := f.Assertion.CutPrefix("the page is healthy: "); ok {
			likely = true
			b.found["likely "+string(name)] = append(b.found["likely "+string(name)], pagetext.Text(page+": ")+f.Observed)
		}
	}
	switch {
	case !ran:
		b.blind++
		fmt.Fprintf(b.stderr, "not looked at: %s: %s\n", page, r.StatusReason)
		return
	case certain:
		b.certain++
	case likely:
		b.likely++
	}
	b.looked++
}

func (b *bench) print(w io.Writer) {
	share := func(n int) float64 { return 100 * float64(n) / float64(max(1, b.looked)) }
	fmt.Fprintf(w, "%d pages: %d with a certain finding (%.1f %%), %d with likely ones only (%.1f %%), %d not looked at\n", b.looked, b.certain, share(b.certain), b.likely, share(b.likely), b.blind)
	names := make([]string, 0, len(b.found))
	for name := range b.found {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, page := range b.found[name] {
			fmt.Fprintf(w, "%s: %s\n", name, page)
		}
	}
}
