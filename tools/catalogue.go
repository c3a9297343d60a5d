// Package tools is the catalogue: one file a tool, with its input, output,
// description and handler, and the list of them.
//
// A tool composes: it asks the browser to look or act, hands what was seen to
// the judgement, and files the proof. It refuses to answer in sentences what
// it has not looked at: what could not be looked at is an error with a code,
// and counts in the run's verdict as not looked at.
package tools

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// Catalogue returns the tools on offer, in the order of the contract.
func Catalogue(ws *workspace.Workspace) []tool.Tool {
	var out []tool.Tool
	for _, t := range every(ws) {
		if t.there && offers(ws.Sets, t.Set) && !t.Spec.Off {
			out = append(out, t.Tool)
		}
	}
	return out
}

// Unknown says of a name that no tool on offer has what its caller can do.
func Unknown(ws *workspace.Workspace, name string) string {
	var offered []string
	for _, t := range every(ws) {
		switch {
		case t.there && offers(ws.Sets, t.Set) && !t.Spec.Off:
			offered = append(offered, t.Spec.Name)
		case t.Spec.Name == name && !offers(ws.Sets, t.Set):
			return fmt.Sprintf("tool %q is of the toolset %s, which is not on offer: a person adds %q to sets below [tools] in mcp.toml and starts the server again", name, t.Set, t.Set)
		case t.Spec.Name == name:
			return fmt.Sprintf("tool %q is not on offer in this project", name)
		}
	}
	alike := text.Likely(name, offered)
	if len(alike) == 0 {
		return fmt.Sprintf("there is no tool %q; tools/list has those on offer", name)
	}
	return fmt.Sprintf("there is no tool %q; those most like it: %s", name, strings.Join(alike, ", "))
}

// part holds a tool, and whether this project has what it works with.
type part struct {
	tool.Tool
	there bool
}

// every returns all tools, on offer or not, in the order of the contract.
func every(ws *workspace.Workspace) []part {
	var out []part
	add := func(there bool, tools ...tool.Tool) {
		for _, t := range tools {
			out = append(out, part{t, there})
		}
	}
	add(true, browserLaunch(ws), browserClose(ws),
		pageNavigate(ws), pageSnapshot(ws),
		pageClick(ws), pageFill(ws), pageSelect(ws), pagePress(ws), pageHover(ws), pageDrag(ws),
		pageTabs(ws), pageDialog(ws), pageUpload(ws),
		pageWaitForSelector(ws), pageScreenshot(ws), pageEvaluate(ws),
		computerAction(ws), domSnapshot(ws),
		pageGetConsoleLogs(ws), pageGetNetworkLogs(ws), networkIntercept(ws),
		verifyPageLoads(ws), verifyElementExists(ws), verifyAssertion(ws), verifyUserFlow(ws), analyzeConsoleErrors(ws),
		captureVisualBaseline(ws), compareVisualRegression(ws),
		kpiOracle(ws), checkKPIs(ws),
		assert(ws), runStart(ws), runFinish(ws))
	add(ws.Suites != nil, runSuite(ws), runStatus(ws), runCancel(ws))
	add(ws.Explorations != nil, exploreSite(ws))
	add(ws.Generations != nil, generateTests(ws))
	add(ws.TestRuns != nil, runTests(ws))
	add(ws.Heals != nil, healTests(ws))
	add(ws.Draft != nil, fsWritePatch(ws), lintFormat(ws), gitPropose(ws))
	return out
}

// offers reports whether configured toolsets have the tools of one; full has those of core.
func offers(configured []string, set tool.Set) bool {
	return slices.Contains(configured, string(set)) || set == tool.Core && slices.Contains(configured, string(tool.Full))
}

// The lists of tools leave out fields that few callers need. They are accepted, and
// the schemas that descriptions name have them.

// rareOfOracle lists those of an oracle.
func rareOfOracle(path string) []string {
	return below(path, "params", "map", "timeoutMs", "units", "selectors", "sums")
}

// rareOfAssertion lists those of an assertion outside of verify_assertion.
func rareOfAssertion(path string) []string {
	return below(path, "whole_words", "url", "op", "value", "order", "as", "other")
}

func below(path string, names ...string) []string {
	for i, name := range names {
		names[i] = path + "." + name
	}
	return names
}
