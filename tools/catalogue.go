// Package tools is the catalogue: one file a tool, with its input, output,
// description and handler, and the list of them.
//
// A tool composes: it asks the browser to look or act, hands what was seen to
// the judgement, and files the proof. It refuses to answer in sentences what
// it has not looked at: what could not be looked at is an error with a code,
// and counts in the run's verdict as not looked at.
package tools

import (
	"slices"

	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// Catalogue returns the tools on offer, in the order of the contract.
func Catalogue(ws *workspace.Workspace) []tool.Tool {
	all := []tool.Tool{
		browserLaunch(ws), browserClose(ws),
		pageNavigate(ws), pageSnapshot(ws),
		pageClick(ws), pageFill(ws), pageSelect(ws), pagePress(ws), pageHover(ws), pageDrag(ws),
		pageTabs(ws), pageDialog(ws), pageUpload(ws),
		pageWaitForSelector(ws), pageScreenshot(ws), pageEvaluate(ws),
		computerAction(ws), domSnapshot(ws),
		pageGetConsoleLogs(ws), pageGetNetworkLogs(ws), networkIntercept(ws),
		verifyPageLoads(ws), verifyElementExists(ws), verifyAssertion(ws), verifyUserFlow(ws), analyzeConsoleErrors(ws),
		captureVisualBaseline(ws), compareVisualRegression(ws),
		kpiOracle(ws), checkKPIs(ws),
		assert(ws), runStart(ws), runFinish(ws),
	}
	if ws.Suites != nil {
		all = append(all, runSuite(ws), runStatus(ws), runCancel(ws))
	}
	if ws.Explorations != nil {
		all = append(all, exploreSite(ws))
	}
	if ws.Generations != nil {
		all = append(all, generateTests(ws))
	}
	if ws.TestRuns != nil {
		all = append(all, runTests(ws))
	}
	if ws.Heals != nil {
		all = append(all, healTests(ws))
	}
	if ws.Draft != nil {
		all = append(all, fsWritePatch(ws), lintFormat(ws), gitPropose(ws))
	}
	return slices.DeleteFunc(all, func(t tool.Tool) bool { return !offers(ws.Sets, t.Set) || t.Spec.Off })
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
