package tools

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/qa"
)

// What an answer carries of a long flow. All steps are in flow.json, all
// messages in the run's console.jsonl.
const (
	maxFlowShots   = 50
	maxFlowEntries = 30
)

// answer says what came of the flow: short, and what to do next.
func (r *flowRun) answer() verifyUserFlowOutput {
	c, res := r.c, r.result
	out := verifyUserFlowOutput{
		Success: res.Status == qa.Passed, Status: res.Status, StepsCompleted: res.Completed(), TotalSteps: len(r.flow.Steps),
		FailureReason: res.Reason, Screenshots: r.shots(), ConsoleLogs: r.entries(), DurationMS: res.Duration.Milliseconds(),
		Evidence: flowEvidence{Hash: r.record.SHA256, Timestamp: r.record.Time}, Flaky: res.Flaky, Attempts: res.Attempts,
	}
	c.say("%s: %d of %d steps in %d ms", strings.ToUpper(string(res.Status)), out.StepsCompleted, out.TotalSteps, out.DurationMS)
	for _, retry := range res.Retries {
		c.say("attempt %d ended at %s by a transient fault (%s); started over", retry.Attempt, retry.Step, retry.Code)
	}
	if res.Flaky {
		c.say("flaky: it passed, but not at once")
	}
	if s := res.Failed; s != nil {
		out.FailureStep = s.Index
		out.FailureReason = s.Name() + ": " + res.Reason
		c.say("stopped at %s", s.Name())
		c.quote("%s", engine.OneLine(res.Reason))
		for _, line := range s.Candidates {
			c.quote("%s", line)
		}
		if s.Seen != nil {
			c.quote("page: %s %q", s.Seen.URL, s.Seen.Title)
			for _, e := range s.Seen.Errors {
				c.quote("visible: %s", e)
			}
		}
		if s.Fault != nil && s.Fault.Hint != "" {
			c.say("next: %s", s.Fault.Hint)
		}
		if refs := r.files.stored(s.Shots); len(refs) > 0 {
			c.shot = &refs[len(refs)-1]
		}
		if s.Action == "visual" && r.shown != nil {
			c.shot = r.shown
		}
	} else if res.Reason != "" {
		c.quote("%s", engine.OneLine(res.Reason))
	}
	if res.Watched != "" {
		c.quote("%s", res.Watched)
	}
	for _, note := range r.notes {
		c.say("%s", note)
	}
	c.say("result: %s", filepath.Join(c.run.Dir(), r.record.Name))
	return out
}

// shots lists the pictures of the attempt that decided, the newest if there
// are too many.
func (r *flowRun) shots() []flowShot {
	out := []flowShot{}
	seen := map[int]bool{}
	for _, s := range r.result.Steps {
		for _, n := range s.Shots {
			if seen[n] {
				continue
			}
			seen[n] = true
			for _, ref := range r.files.stored([]int{n}) {
				out = append(out, flowShot{Step: s.Index, Name: ref.Name, URI: ref.URI, Path: ref.Path})
			}
		}
	}
	return out[max(0, len(out)-maxFlowShots):]
}

// entries returns the newest messages of the console, each cut to a line.
func (r *flowRun) entries() []browser.LogEntry {
	out := append([]browser.LogEntry{}, slices.Clone(r.console[max(0, len(r.console)-maxFlowEntries):])...)
	for i := range out {
		out[i].Text = engine.OneLine(out[i].Text)
	}
	return out
}
