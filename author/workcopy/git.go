package workcopy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// gitLimit bounds one command of git.
const gitLimit = 5 * time.Minute

// git runs git where nobody's configuration counts.
type git struct {
	path    string // of the search for programs
	home    string // empty folder
	program string
}

func newGit(environ []string, home string) (git, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return git{}, errors.New("there is no program named git on the PATH: install git 2.38 or newer; the author works on a copy of a repository")
	}
	g := git{home: home, program: program}
	for _, entry := range environ {
		if name, value, _ := strings.Cut(entry, "="); strings.EqualFold(name, "PATH") {
			g.path = value
		}
	}
	return g, nil
}

// environ is the environment of git: no variable of the user but the PATH.
func (g git) environ() []string {
	out := []string{
		"PATH=" + g.path, "HOME=" + g.home, "XDG_CONFIG_HOME=" + filepath.Join(g.home, "xdg"), "LC_ALL=C", "TERM=dumb",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_SYSTEM=" + os.DevNull, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1", "GIT_LITERAL_PATHSPECS=1", "GIT_ALLOW_PROTOCOL=file",
		"GIT_EDITOR=false", "GIT_PAGER=cat", "GIT_ASKPASS=false", "GIT_SSH_COMMAND=false",
		"GIT_AUTHOR_NAME=assay", "GIT_AUTHOR_EMAIL=assay@localhost", "GIT_COMMITTER_NAME=assay", "GIT_COMMITTER_EMAIL=assay@localhost",
	}
	if runtime.GOOS == "windows" {
		out = append(out, "USERPROFILE="+g.home)
	}
	return out
}

// settings win over those of a repository.
func settings() []string {
	var out []string
	for _, s := range []string{
		"core.hooksPath=" + os.DevNull, "core.attributesFile=" + os.DevNull, "core.excludesFile=" + os.DevNull, "core.fsmonitor=false", "core.untrackedCache=false",
		"core.protectNTFS=true", "core.protectHFS=true", "core.autocrlf=false", "core.safecrlf=false", "core.quotePath=false", "core.logAllRefUpdates=true",
		"gc.auto=0", "maintenance.auto=false", "submodule.recurse=false", "fetch.recurseSubmodules=false", "commit.gpgSign=false", "log.showSignature=false", "format.signature=",
		"advice.detachedHead=false", "diff.noprefix=false", "diff.mnemonicPrefix=false",
	} {
		out = append(out, "-c", s)
	}
	return out
}

// run runs git in a folder and returns what it prints.
func (g git) run(ctx context.Context, folder, input string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, g.program, slices.Concat([]string{"-C", folder}, settings(), args)...)
	cmd.Env = g.environ()
	cmd.Stdin = strings.NewReader(input)
	cmd.WaitDelay = 5 * time.Second
	var said, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &failed
	err := cmd.Run()
	if ctx.Err() != nil {
		return "", fmt.Errorf("git %s: %w", args[0], ctx.Err())
	}
	if err != nil {
		return said.String(), &gitError{command: args[0], said: strings.TrimSpace(failed.String()), err: err}
	}
	return said.String(), nil
}

// line runs git and returns its only line.
func (g git) line(ctx context.Context, folder string, args ...string) (string, error) {
	out, err := g.run(ctx, folder, "", args...)
	return strings.TrimRight(out, "\r\n"), err
}

// gitError is a command of git that failed.
type gitError struct {
	command, said string
	err           error
}

func (e *gitError) Error() string {
	if e.said == "" {
		return fmt.Sprintf("git %s: %v", e.command, e.err)
	}
	return fmt.Sprintf("git %s: %s", e.command, e.said)
}

func (e *gitError) Unwrap() error { return e.err }
