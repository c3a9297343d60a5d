package workcopy_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/author/workcopy"
)

const spec = "tests/login.spec.ts"

// run runs a program in a folder, without the configuration of whoever runs the tests.
func run(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b", "GIT_OPTIONAL_LOCKS=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// first is a project with one commit, of which the tests take copies: git is a
// process for each step.
var first struct {
	made sync.Once
	dir  string
}

func TestMain(m *testing.M) {
	code := m.Run()
	if err := os.RemoveAll(first.dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// repository is a project with one commit.
func repository(t *testing.T) string {
	t.Helper()
	first.made.Do(func() {
		dir, err := os.MkdirTemp("", "assay-workcopy-test-") //nolint:usetesting // other tests copy it
		if err != nil {
			t.Fatal(err)
		}
		first.dir = dir
		run(t, dir, "git", "init", "-q", "--template=", "-b", "main")
		write(t, dir, spec, "one\ntwo\n")
		write(t, dir, "package.json", "{}\n")
		write(t, dir, "src/app.ts", "app\n")
		run(t, dir, "git", "add", "-A")
		run(t, dir, "git", "commit", "-q", "-m", "first")
	})
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(first.dir)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// hashes returns the hash of everything in a folder, .git included.
func hashes(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		var content []byte
		switch {
		case info.Mode().IsRegular():
			if content, err = os.ReadFile(path); err != nil {
				return err
			}
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			if err != nil {
				return err
			}
			content = []byte(to)
		}
		all[filepath.ToSlash(name)] = fmt.Sprintf("%v %x", info.Mode(), sha256.Sum256(content))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// unchanged holds a folder to what it was. What is new may only be objects and the
// proposed branch.
func unchanged(t *testing.T, dir string, before map[string]string, branch string) {
	t.Helper()
	after := hashes(t, dir)
	for name, hash := range before {
		if after[name] != hash {
			t.Errorf("%s is not as before", name)
		}
	}
	for name := range after {
		if before[name] != "" {
			continue
		}
		ours := branch != "" && (strings.HasPrefix(name, ".git/objects/") || strings.HasPrefix(".git/refs/heads/"+branch+"/", name+"/") || strings.HasPrefix(".git/logs/refs/heads/"+branch+"/", name+"/"))
		if !ours {
			t.Errorf("%s is new", name)
		}
	}
}

func options(dir, cache string) workcopy.Options {
	return workcopy.Options{Folder: dir, Cache: cache, Environ: os.Environ(), Rules: workcopy.Rules{TestDir: "tests"}}
}

func open(t *testing.T, dir string) *workcopy.Copy {
	t.Helper()
	c, err := workcopy.Open(t.Context(), options(dir, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func proposal() workcopy.Proposal {
	return workcopy.Proposal{Branch: "assay/run-1", Prefix: "assay/", Title: "Test the sign-in", Body: "Covers the form."}
}

// TestProposeIsOneNewBranch shows that a proposal is a branch with a commit, and that
// the user's files, index, head and branches stay byte for byte (A16). Each case is a
// state that a user's repository may be in.
func TestProposeIsOneNewBranch(t *testing.T) {
	for name, prepare := range states() {
		t.Run(name, func(t *testing.T) {
			dir := repository(t)
			folder := prepare(t, dir)
			before := hashes(t, dir)
			head := run(t, folder, "git", "rev-parse", "HEAD")
			c := open(t, folder)
			if err := c.Write(spec, []byte("one\nthree\n")); err != nil {
				t.Fatal(err)
			}
			if err := c.Write("tests/new.spec.ts", []byte("new\n")); err != nil {
				t.Fatal(err)
			}
			unchanged(t, dir, before, "")
			out, err := c.Propose(t.Context(), proposal())
			if err != nil {
				t.Fatal(err)
			}
			unchanged(t, dir, before, "assay/run-1")
			if now := run(t, folder, "git", "rev-parse", "HEAD"); now != head || c.Base != head {
				t.Errorf("head was %s, is %s, the copy is of %s", head, now, c.Base)
			}
			if got := run(t, folder, "git", "log", "--format=%H %P %s", "-1", "assay/run-1"); got != out.Commit+" "+head+" Test the sign-in" {
				t.Errorf("the branch holds %q", got)
			}
			for _, text := range []string{out.Diff, out.Patch} {
				if !strings.Contains(text, "-two\n+three\n") || !strings.Contains(text, "new file mode 100644") {
					t.Errorf("the change is not in:\n%s", text)
				}
			}
			if !strings.Contains(out.PullRequest, "git push origin assay/run-1") {
				t.Errorf("the pull request says:\n%s", out.PullRequest)
			}
			run(t, dir, "git", "fsck", "--no-progress")
			if _, err := c.Propose(t.Context(), proposal()); err == nil || !strings.Contains(err.Error(), "there already") {
				t.Errorf("the same branch again: %v", err)
			}
		})
	}
}

// states prepares repositories, and returns the project's folder in each.
func states() map[string]func(t *testing.T, dir string) string {
	return map[string]func(t *testing.T, dir string) string{
		"clean": func(_ *testing.T, dir string) string { return dir },
		"dirty, with a detached head": func(t *testing.T, dir string) string {
			run(t, dir, "git", "checkout", "-q", "--detach")
			write(t, dir, spec, "mine\n")
			write(t, dir, "src/app.ts", "staged\n")
			run(t, dir, "git", "add", "src/app.ts")
			write(t, dir, "tests/new.spec.ts", "mine too\n")
			return dir
		},
		"on the branch assay/other, without Playwright, with packed and borrowed objects": func(t *testing.T, dir string) string {
			run(t, dir, "git", "checkout", "-q", "-b", "assay/other")
			run(t, dir, "git", "rm", "-q", "package.json")
			run(t, dir, "git", "commit", "-q", "-m", "none")
			other := t.TempDir()
			run(t, other, "git", "clone", "-q", "--shared", dir, "b")
			run(t, dir, "git", "gc", "-q")
			return dir
		},
		"a project below the root, with a merge in the middle": func(t *testing.T, dir string) string {
			write(t, dir, "apps/web/tests/login.spec.ts", "one\ntwo\n")
			run(t, dir, "git", "add", "-A")
			run(t, dir, "git", "commit", "-q", "-m", "web")
			run(t, dir, "git", "checkout", "-q", "-b", "b")
			write(t, dir, spec, "b\n")
			run(t, dir, "git", "commit", "-qam", "b")
			run(t, dir, "git", "checkout", "-q", "main")
			run(t, dir, "git", "commit", "-q", "--allow-empty", "-m", "c")
			run(t, dir, "git", "merge", "-q", "--no-commit", "--no-ff", "b")
			return filepath.Join(dir, "apps", "web")
		},
		"hooks and drivers": func(t *testing.T, dir string) string {
			boom := "touch '" + filepath.Join(dir, "BOOM") + "'; cat"
			for _, hook := range []string{"pre-commit", "post-checkout", "post-commit", "reference-transaction", "commit-msg", "prepare-commit-msg", "post-index-change", "pre-push", "applypatch-msg", "pre-auto-gc"} {
				write(t, dir, ".git/hooks/"+hook, "#!/bin/sh\n"+boom+"\n")
				if err := os.Chmod(filepath.Join(dir, ".git/hooks", hook), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			write(t, dir, ".gitattributes", "* filter=boom diff=boom merge=boom\n")
			run(t, dir, "git", "add", "-A")
			run(t, dir, "git", "-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "attributes")
			settings := "\n"
			for _, key := range []string{"filter.boom.clean", "filter.boom.smudge", "diff.boom.textconv", "diff.boom.command", "merge.boom.driver", "core.fsmonitor", "core.sshCommand", "core.editor", "core.pager", "gpg.program", "diff.external", "credential.helper", "uploadpack.packObjectsHook"} {
				section, name := key[:strings.LastIndexByte(key, '.')], key[strings.LastIndexByte(key, '.')+1:]
				if kind, sub, named := strings.Cut(section, "."); named {
					section = kind + " \"" + sub + "\""
				}
				settings += fmt.Sprintf("[%s]\n\t%s = \"sh -c \\\"%s\\\"\"\n", section, name, boom)
			}
			settings += "[filter \"boom\"]\n\trequired = true\n[commit]\n\tgpgSign = true\n"
			config, err := os.ReadFile(filepath.Join(dir, ".git", "config"))
			if err != nil {
				t.Fatal(err)
			}
			write(t, dir, ".git/config", string(config)+settings)
			if got := run(t, dir, "git", "config", "filter.boom.clean"); got != "sh -c \""+boom+"\"" {
				t.Fatalf("the configuration of the test reads %q", got)
			}
			if err := os.RemoveAll(filepath.Join(dir, "BOOM")); err != nil {
				t.Fatal(err)
			}
			return dir
		},
	}
}

// TestShallowAndLinkedRepositories shows that other kinds of working copies serve too.
func TestShallowAndLinkedRepositories(t *testing.T) {
	from := repository(t)
	write(t, from, "src/app.ts", "second\n")
	run(t, from, "git", "commit", "-qam", "second")
	shallow, linked := filepath.Join(t.TempDir(), "shallow"), filepath.Join(t.TempDir(), "linked")
	run(t, from, "git", "clone", "-q", "--depth", "1", "file://"+from, shallow)
	run(t, from, "git", "worktree", "add", "-q", "--detach", linked)
	for _, dir := range []string{shallow, linked} {
		c := open(t, dir)
		if err := c.Write(spec, []byte("three\n")); err != nil {
			t.Fatal(err)
		}
		out, err := c.Propose(t.Context(), proposal())
		if err != nil {
			t.Fatal(err)
		}
		if got := run(t, dir, "git", "show", "--format=%s", "--name-only", "assay/run-1"); !strings.Contains(got, spec) || out.Commit == "" {
			t.Errorf("got %q", got)
		}
	}
}

// TestNothingToCopy shows that an author says what is missing (A16).
func TestNothingToCopy(t *testing.T) {
	empty := t.TempDir()
	unborn := t.TempDir()
	run(t, unborn, "git", "init", "-q")
	bare := t.TempDir()
	run(t, bare, "git", "init", "-q", "--bare")
	file := filepath.Join(empty, "file")
	write(t, empty, "file", "x")
	for dir, says := range map[string]string{empty: "no git repository", unborn: "no commit yet", bare: "no git repository", file: "is no folder", filepath.Join(empty, "none"): "is no folder"} {
		cache := t.TempDir()
		_, err := workcopy.Open(t.Context(), options(dir, cache))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, without %q", dir, err, says)
		}
		if left, err := filepath.Glob(filepath.Join(cache, "copy-*")); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v %v", left, err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := workcopy.Open(t.Context(), options(empty, t.TempDir())); err == nil || !strings.Contains(err.Error(), "install git") {
		t.Errorf("without git: %v", err)
	}
}

// TestLinksAreNotFollowed shows that no link of a repository leads a file elsewhere (A16).
func TestLinksAreNotFollowed(t *testing.T) {
	dir, outside := repository(t), t.TempDir()
	write(t, outside, "a.spec.ts", "outside\n")
	for link, to := range map[string]string{"tests/out": outside, "tests/a.spec.ts": filepath.Join(outside, "a.spec.ts"), "tests/up": "../src", "test-plan": outside, "tests/git": "../.git"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir, "tests/Case.spec.ts", "x\n")
	write(t, dir, "tests/Sub/x.spec.ts", "x\n")
	write(t, dir, "tests/run.spec.ts", "x\n")
	if err := os.Chmod(filepath.Join(dir, "tests/run.spec.ts"), 0o755); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "git", "add", "-A")
	run(t, dir, "git", "commit", "-q", "-m", "links")
	before, elsewhere := hashes(t, dir), hashes(t, outside)
	c := open(t, dir)
	for name, says := range map[string]string{
		"tests/out/x.spec.ts": "no folder", "tests/a.spec.ts": "no regular file", "tests/up/x.spec.ts": "no folder", "test-plan/x.md": "no folder", "tests/git/x.spec.ts": "no folder",
		"tests/case.spec.ts": "case of letters", "tests/sub/y.spec.ts": "case of letters", "tests/run.spec.ts": "is a program", "package.json": "below tests/", "tests/login.spec.ts/x.spec.ts": "no folder",
	} {
		if err := c.Write(name, []byte("x")); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, without %q", name, err, says)
		}
		if _, _, err := c.Read(name); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	unchanged(t, dir, before, "")
	unchanged(t, outside, elsewhere, "")
}

// TestProposalsAreChecked shows what is refused of a proposal, each with its reason.
func TestProposalsAreChecked(t *testing.T) {
	dir := repository(t)
	c := open(t, dir)
	if _, err := c.Propose(t.Context(), proposal()); err == nil || !strings.Contains(err.Error(), "nothing to propose") {
		t.Errorf("nothing written: %v", err)
	}
	if err := c.Write(spec, []byte("one\ntwo\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Propose(t.Context(), proposal()); err == nil || !strings.Contains(err.Error(), "as they were") {
		t.Errorf("nothing changed: %v", err)
	}
	if err := c.Write(spec, []byte("three\n")); err != nil {
		t.Fatal(err)
	}
	before := hashes(t, dir)
	for what, change := range map[string]func(*workcopy.Proposal){
		"main":                func(p *workcopy.Proposal) { p.Branch = "main" },
		"another prefix":      func(p *workcopy.Proposal) { p.Branch = "feature/a" },
		"only the prefix":     func(p *workcopy.Proposal) { p.Branch = "assay/" },
		"dots":                func(p *workcopy.Proposal) { p.Branch = "assay/../main" },
		"an option":           func(p *workcopy.Proposal) { p.Branch, p.Prefix = "--force", "" },
		"a refspec":           func(p *workcopy.Proposal) { p.Branch = "assay/a:refs/heads/main" },
		"a lock":              func(p *workcopy.Proposal) { p.Branch = "assay/a.lock" },
		"blanks":              func(p *workcopy.Proposal) { p.Branch = "assay/a b" },
		"no title":            func(p *workcopy.Proposal) { p.Title = " " },
		"two lines":           func(p *workcopy.Proposal) { p.Title = "a\nb" },
		"a file not written":  func(p *workcopy.Proposal) { p.Paths = []string{"tests/other.spec.ts"} },
		"a file of the user":  func(p *workcopy.Proposal) { p.Paths = []string{"package.json"} },
		"an option as a file": func(p *workcopy.Proposal) { p.Paths = []string{"--all"} },
	} {
		p := proposal()
		change(&p)
		if out, err := c.Propose(t.Context(), p); err == nil {
			t.Errorf("%s: proposed %+v", what, out)
		}
	}
	unchanged(t, dir, before, "")
}

// TestGitJudgesPatches shows that git has to see the files that were seen here.
func TestGitJudgesPatches(t *testing.T) {
	dir := repository(t)
	write(t, dir, "apps/web/"+spec, "one\ntwo\n")
	run(t, dir, "git", "add", "-A")
	run(t, dir, "git", "commit", "-q", "-m", "web")
	for _, folder := range []string{dir, filepath.Join(dir, "apps", "web")} {
		judgesPatches(t, open(t, folder))
	}
}

func judgesPatches(t *testing.T, c *workcopy.Copy) {
	t.Helper()
	fits := "diff --git a/" + spec + " b/" + spec + "\n--- a/" + spec + "\n+++ b/" + spec + "\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n"
	if err := c.CheckPatch(t.Context(), fits, []string{spec}); err != nil {
		t.Error(err)
	}
	for _, c2 := range []struct {
		text  string
		paths []string
	}{
		{fits, []string{"tests/other.spec.ts"}}, {strings.Replace(fits, "-two", "-other", 1), []string{spec}}, {fits + strings.ReplaceAll(fits, spec, "package.json"), []string{spec}}, {"x", []string{spec}},
	} {
		if err := c.CheckPatch(t.Context(), c2.text, c2.paths); err == nil {
			t.Errorf("accepted for %v:\n%s", c2.paths, c2.text)
		}
	}
}

// TestKilledCopyIsRemoved shows that a process that is killed leaves the user's
// repository as it was, and its copy only until the next one is opened (A16).
func TestKilledCopyIsRemoved(t *testing.T) {
	dir, cache := repository(t), t.TempDir()
	before := hashes(t, dir)
	held, err := workcopy.Open(t.Context(), options(dir, cache)) // stays, because its process lives
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestHelperOpensAndHangs$")
	cmd.Env = append(os.Environ(), "WORKCOPY_FOLDER="+dir, "WORKCOPY_CACHE="+cache)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "written in ") {
		t.Fatalf("the helper said %q, %v", line, err)
	}
	left := strings.TrimSpace(strings.TrimPrefix(line, "written in "))
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if _, err := os.Stat(left); err != nil {
		t.Fatalf("the test proves nothing: %v", err)
	}
	unchanged(t, dir, before, "")
	next, err := workcopy.Open(t.Context(), options(dir, cache))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("the killed copy is still there: %v", err)
	}
	if _, err := os.Stat(held.Dir); err != nil {
		t.Errorf("the copy of a living process is gone: %v", err)
	}
	for _, c := range []*workcopy.Copy{held, next} {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	unchanged(t, dir, before, "")
}

// TestHelperOpensAndHangs is the process that TestKilledCopyIsRemoved kills.
func TestHelperOpensAndHangs(t *testing.T) {
	folder := os.Getenv("WORKCOPY_FOLDER")
	if folder == "" {
		return
	}
	c, err := workcopy.Open(context.Background(), options(folder, os.Getenv("WORKCOPY_CACHE")))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Write(spec, []byte("half\n")); err != nil {
		t.Fatal(err)
	}
	fmt.Printf("written in %s\n", c.Dir)
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
}

// TestPackagesAreSeenAndNotProposed shows that tests in the copy find the packages that are
// installed in the user's folders, through links that no proposal has (A16).
func TestPackagesAreSeenAndNotProposed(t *testing.T) {
	dir := repository(t)
	write(t, dir, "node_modules/lib/index.js", "1\n")
	c := open(t, dir)
	for range 2 { // each round asks again
		linked, err := c.LinkPackages()
		if err != nil || len(linked) != 1 {
			t.Fatalf("%v, %v", linked, err)
		}
		if err := c.OfferPackages(filepath.Join(dir, "node_modules")); err != nil {
			t.Fatal(err)
		}
	}
	for _, at := range []string{filepath.Join(c.Root(), "node_modules", "lib", "index.js"), filepath.Join(c.Around(), "node_modules", "lib", "index.js")} {
		if text, err := os.ReadFile(at); err != nil || string(text) != "1\n" {
			t.Errorf("%s: %q, %v", at, text, err)
		}
	}
	if err := c.Write("node_modules/a.spec.ts", []byte("x")); err == nil {
		t.Error("a package was written")
	}
	if err := c.Write(spec, []byte("new\n")); err != nil {
		t.Fatal(err)
	}
	p, err := c.Propose(t.Context(), proposal())
	if err != nil || len(p.Paths) != 1 || strings.Contains(p.Diff, "node_modules") {
		t.Errorf("%+v, %v", p, err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "lib", "index.js")); err != nil {
		t.Errorf("what the link led to is gone: %v", err)
	}
}
