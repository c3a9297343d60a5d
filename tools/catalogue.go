package tools

import (
	_ "embed" // of the instructions, which are a file, so that they can be read as one
	"slices"

	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// Catalogue returns the tools on offer, in the order of the contract.
func Catalogue(ws *workspace.Workspace) []tool.Tool {
	all := []tool.Tool{
		browserLaunch(ws), browserClose(ws),
		pageNavigate(ws), pageSnapshot(ws),
		pageClick(ws), pageFill(ws), pageSelect(ws), pagePress(ws), pageHover(ws),
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
	if ws.Heals != nil {
		all = append(all, healTests(ws))
	}
	if ws.Draft != nil {
		all = append(all, fsWritePatch(ws), lintFormat(ws), gitPropose(ws))
	}
	return slices.DeleteFunc(all, func(t tool.Tool) bool {
		return !slices.Contains(ws.Sets, string(t.Set)) || t.Spec.Off
	})
}

//go:embed instructions.md
var instructions string

// Instructions returns the server's instructions for a model that attaches.
func Instructions() string { return instructions }
