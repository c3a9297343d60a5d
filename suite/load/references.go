package load

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/rules"
	"github.com/assay-qa/assay/tools/workspace"
)

// CheckReferences refuses cases that name what nothing leads to: secrets, their sources, files to
// upload, and hosts. A browser would find that out, after a sign-in and minutes of work.
func (r Reader) CheckReferences(ctx context.Context, cases []Case) error {
	policy, err := egress.NewPolicy(r.Network)
	if err != nil {
		return config.Usage("%w", err)
	}
	var problems flow.Problems
	for _, c := range cases {
		problems = append(problems, references{r, policy}.of(ctx, c)...)
	}
	return nothingRun(problems)
}

// references checks what cases name.
type references struct {
	Reader
	policy *egress.Policy
}

func (r references) of(ctx context.Context, c Case) (problems flow.Problems) {
	role := ""
	switch {
	case c.Flow != nil:
		role = c.Flow.Role
		problems = append(problems, r.checkAddress(c.Path, "start_url", c.Flow.StartURL)...)
		for i, s := range c.Flow.Steps {
			where := c.Path
			if i < len(c.Flow.Origins) {
				where = c.Flow.Origins[i]
			}
			problems = append(problems, r.checkStep(ctx, where, s)...)
		}
	case c.Task != nil:
		role = c.Task.Role
		for _, one := range c.Task.Ranges {
			for _, s := range one.Steps {
				problems = append(problems, r.checkStep(ctx, fmt.Sprintf("%s: range %q", c.Path, one.Name), s)...)
			}
		}
	case c.Spec != nil:
		role = c.Spec.Role
		for _, name := range c.Spec.Secrets {
			problems = append(problems, r.checkSecret(ctx, c.Path, name)...)
		}
	}
	if login := r.Target.Roles[role].Login; login != nil && !signedIn(r.Target.Roles[role]) {
		for _, s := range login.Steps {
			problems = append(problems, r.checkStep(ctx, fmt.Sprintf("%s: the login flow of role %s", c.Path, role), s)...)
		}
	}
	return problems
}

func (r references) checkStep(ctx context.Context, where string, s qa.FlowStep) (problems flow.Problems) {
	for _, name := range flow.Secrets(s.Value) {
		problems = append(problems, r.checkSecret(ctx, where, name)...)
	}
	if s.Action == "upload" || s.Action == "drop" {
		if err := rules.Upload(r.UploadRoots, strings.Split(s.Value, "\n")); err != nil {
			problems = append(problems, flow.Problem{Where: where, Message: s.Action + ": " + err.Error()})
		}
	}
	return append(problems, r.checkAddress(where, "url", s.URL)...)
}

// checkSecret reports a secret that is not configured, or whose source is not there. No program is
// run for it. What is withheld is told by [Reader.CheckWithheld].
func (r references) checkSecret(ctx context.Context, where, name string) flow.Problems {
	switch {
	case r.Withheld[name] != "":
		return nil
	case !slices.Contains(r.Secrets, name):
		return flow.Problems{{Where: where, Message: fmt.Sprintf("secret %q is not configured%s: add it to [secrets] in mcp.toml", name, text.Hint(name, r.Secrets))}}
	case r.Source == nil:
		return nil
	}
	err := r.Source(ctx, name)
	if err == nil {
		return nil
	}
	said := err.Error()
	if hinted := (interface{ Hint() string })(nil); errors.As(err, &hinted) {
		said += ": " + hinted.Hint()
	}
	return flow.Problems{{Where: where, Message: said}}
}

// checkAddress reports an address that no page may reach.
func (r references) checkAddress(where, field, address string) flow.Problems {
	host := hostOf(address)
	if host == "" {
		return nil
	}
	rule := r.policy.CheckPage(host)
	if rule == "" {
		return nil
	}
	return flow.Problems{{Where: where, Message: fmt.Sprintf("%s: no page may reach %s, by %s: change one of the two", field, host, rule)}}
}

// signedIn reports whether a sign-in of a role is stored: its login flow may not be needed then.
func signedIn(role workspace.Role) bool {
	if role.State == nil {
		return false
	}
	_, err := role.State.Read()
	return err == nil
}
