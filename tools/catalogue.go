package tools

import (
	"slices"

	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// Catalogue returns the tools on offer, in the order of the contract.
func Catalogue(d *workspace.Workspace) []tool.Tool {
	all := []tool.Tool{
		browserLaunch(d), browserClose(d),
		pageNavigate(d), pageSnapshot(d),
		pageClick(d), pageFill(d), pageSelect(d), pagePress(d), pageHover(d),
		pageWaitForSelector(d), pageScreenshot(d), pageEvaluate(d),
		computerAction(d), domSnapshot(d),
		pageGetConsoleLogs(d), pageGetNetworkLogs(d), networkIntercept(d),
		verifyPageLoads(d), verifyElementExists(d), verifyAssertion(d), verifyUserFlow(d), analyzeConsoleErrors(d),
		captureVisualBaseline(d), compareVisualRegression(d),
		kpiOracle(d), checkKPIs(d),
		assert(d), runStart(d), runFinish(d),
	}
	if d.Suites != nil {
		all = append(all, runSuite(d), runStatus(d), runCancel(d))
	}
	return slices.DeleteFunc(all, func(t tool.Tool) bool {
		return !slices.Contains(d.Sets, string(t.Set)) || t.Spec.Off
	})
}
