package workcopy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/assay-qa/assay/internal/pattern"
)

// Proposal is what a person is asked to take over.
type Proposal struct {
	Branch string   // new in the user's repository
	Prefix string   // that the branch has to begin with, such as "assay/"
	Title  string   // of the commit: one line
	Body   string   // of the commit
	Paths  []string // files to propose; none: all that were written
}

// Proposed is what became of it.
type Proposed struct {
	Branch      string
	Commit      string
	Paths       []string
	Diff        string
	Patch       string // as a mail, for git am
	PullRequest string // text in Markdown
}

// Limits of a commit's texts.
const (
	maxTitle = 100
	maxBody  = 8 << 10
)

// branchName is a name that every system and every shell takes as it is.
var branchName = pattern.New(`^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)+$`)

// Propose commits files on a new branch of the user's repository. The user's files,
// index, head and other branches stay as they are; nothing is pushed.
func (c *Copy) Propose(ctx context.Context, p Proposal) (Proposed, error) {
	if err := c.checkProposal(ctx, &p); err != nil {
		return Proposed{}, err
	}
	if err := c.stage(ctx, p.Paths); err != nil {
		return Proposed{}, err
	}
	if err := c.checkStaged(ctx, p.Paths); err != nil {
		return Proposed{}, err
	}
	tree, err := c.git.line(ctx, c.root, "write-tree")
	if err != nil {
		return Proposed{}, err
	}
	message := p.Title + "\n"
	if p.Body != "" {
		message += "\n" + strings.TrimSpace(p.Body) + "\n"
	}
	id, err := c.git.run(ctx, c.root, message, "commit-tree", tree, "-p", c.Base, "-F", "-")
	if err != nil {
		return Proposed{}, err
	}
	out := Proposed{Branch: p.Branch, Commit: strings.TrimSpace(id), Paths: p.Paths}
	if out.Diff, err = c.Diff(ctx, p.Paths...); err != nil {
		return Proposed{}, err
	}
	if out.Patch, err = c.git.run(ctx, c.root, "", "format-patch", "-1", "--stdout", "--no-signature", "--no-ext-diff", "--no-textconv", "--text", out.Commit); err != nil {
		return Proposed{}, err
	}
	if err := c.handOver(ctx, out); err != nil {
		return Proposed{}, err
	}
	out.PullRequest = c.pullRequest(p, out)
	return out, nil
}

// handOver makes the branch in the user's repository, and changes nothing else there.
func (c *Copy) handOver(ctx context.Context, out Proposed) error {
	const ref = "refs/heads/proposal"
	if _, err := c.git.run(ctx, c.root, "", "update-ref", ref, out.Commit); err != nil {
		return err
	}
	_, err := c.git.run(ctx, c.user, "", "fetch", "--quiet", "--no-tags", "--no-write-fetch-head",
		"--no-auto-maintenance", "--no-recurse-submodules", "--no-prune", "--no-write-commit-graph", "--refmap=",
		c.root, ref+":refs/heads/"+out.Branch)
	if err != nil {
		return fmt.Errorf("make the branch %s in %s: %w", out.Branch, c.user, err)
	}
	return nil
}

func (c *Copy) checkProposal(ctx context.Context, p *Proposal) error {
	switch {
	case !branchName.MatchString(p.Branch) || !strings.HasPrefix(p.Branch, p.Prefix):
		return fmt.Errorf("the branch %q has to begin with %q and go on with letters, digits, dots, hyphens and underscores", p.Branch, p.Prefix)
	case strings.TrimSpace(p.Title) == "" || len(p.Title) > maxTitle || strings.ContainsFunc(p.Title, unicode.IsControl):
		return fmt.Errorf("the title has to be one line of 1 to %d bytes", maxTitle)
	case len(p.Body) > maxBody || strings.ContainsRune(p.Body, 0):
		return fmt.Errorf("the body has to be a text of at most %d bytes", maxBody)
	}
	if _, err := c.git.run(ctx, c.root, "", "check-ref-format", "refs/heads/"+p.Branch); err != nil {
		return fmt.Errorf("git takes no branch named %q", p.Branch)
	}
	if _, err := c.git.run(ctx, c.user, "", "show-ref", "--verify", "--quiet", "refs/heads/"+p.Branch); err == nil {
		return fmt.Errorf("the branch %s is there already: choose another name", p.Branch)
	}
	if len(p.Paths) == 0 {
		p.Paths = c.Written()
	}
	if len(p.Paths) == 0 {
		return errors.New("no file was written yet, so there is nothing to propose")
	}
	for _, path := range p.Paths {
		if !c.written[path] {
			return fmt.Errorf("%s was not written here, so it is not proposed", path)
		}
	}
	return nil
}

// checkStaged holds what would be committed to what was asked for: these files, added
// or changed, regular, within the limits.
func (c *Copy) checkStaged(ctx context.Context, paths []string) error {
	out, err := c.git.run(ctx, c.root, "", "diff-index", "--cached", "--raw", "-z", "--no-renames", c.Base)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, p := range c.inCopy(paths) {
		wanted[p] = true
	}
	fields := strings.Split(strings.TrimRight(out, "\x00"), "\x00")
	size := 0
	for i := 0; i+1 < len(fields); i += 2 {
		entry, name := strings.Fields(strings.TrimPrefix(fields[i], ":")), fields[i+1]
		if len(entry) != 5 || !wanted[name] || entry[1] != "100644" || entry[4] != "A" && entry[4] != "M" {
			return fmt.Errorf("%s would change in a way that was not asked for (%s)", name, fields[i])
		}
		content, _, err := c.Read(strings.TrimPrefix(name, c.prefix))
		if err != nil {
			return err
		}
		size += len(content)
	}
	switch changed := len(fields) / 2; {
	case changed == 0:
		return errors.New("the files are as they were, so there is nothing to propose")
	case changed > MaxFiles:
		return fmt.Errorf("%d files are more than %d: propose them in parts", changed, MaxFiles)
	case size > MaxBytes:
		return fmt.Errorf("the files have %d bytes, more than %d: propose them in parts", size, MaxBytes)
	}
	return nil
}

// pullRequest writes what a person pastes into a pull request.
func (c *Copy) pullRequest(p Proposal, out Proposed) string {
	var text strings.Builder
	fmt.Fprintf(&text, "# %s\n\n", p.Title)
	if body := strings.TrimSpace(p.Body); body != "" {
		fmt.Fprintf(&text, "%s\n\n", body)
	}
	text.WriteString("Files:\n\n")
	for _, path := range out.Paths {
		fmt.Fprintf(&text, "- `%s`\n", path)
	}
	fmt.Fprintf(&text, "\nThe branch `%s` (commit %.12s, on %.12s) is in your repository and was not pushed. To publish it: `git push origin %s`\n", out.Branch, out.Commit, c.Base, out.Branch)
	return text.String()
}
