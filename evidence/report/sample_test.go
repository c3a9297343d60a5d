package report_test

import (
	"strconv"
	"testing"

	"github.com/assay-qa/assay/qa"
)

func itoa(n int) string { return strconv.Itoa(n) }

func atoi(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// kpiReport is a report with all that a dashboard's sanity run leaves.
func kpiReport() qa.QAReport {
	r := failedReport()
	r.Task.Goal = "The sales dashboard shows what the oracle says"
	r.KPITable = []qa.KPIRow{
		{Label: "Revenue", Range: "today", Expected: "1234.00", Observed: "$1,234.00", Difference: "0", Status: qa.KPIOk, Selector: `region "Revenue"`, ScreenshotRef: "screenshots/001-cart.png"},
		{Label: "Revenue", Range: "7d", Expected: "8421.50", Observed: "$1,234.00", Difference: "−7187.5", Status: qa.KPIMismatch, Cause: qa.CauseStale,
			Selector: `region "Revenue"`, ScreenshotRef: "002-total.png", NetworkRequestID: "r17"},
		{Label: "Orders", Range: "7d", Expected: "42", Status: qa.KPIMissing, Cause: qa.CauseNotShown},
		{Label: "Conversion", Range: "7d", Expected: "0.021", Observed: "1,234", Status: qa.KPIAmbiguous},
		{Label: "Visitors", Range: "7d", Expected: "900", Observed: "899", Status: qa.KPIUnsettled},
	}
	r.Timeline = []qa.TimelineEntry{
		{Step: 1, Name: "page_navigate", Detail: "http://shop.test/cart", StartedAt: at(0), DurationMS: 820},
		{Step: 2, Name: "verify_user_flow", Detail: "sign in", StartedAt: at(1), DurationMS: 3100, Screenshot: "001-cart.png"},
		{Step: 2, Name: "step 1 click", Detail: `button "Sign in"`, StartedAt: at(1), DurationMS: 600},
		{Step: 2, Name: "step 2 fill", Detail: `textbox "Mail"`, StartedAt: at(2), DurationMS: 1500},
		{Step: 5, Name: "page_click", Detail: `button "7d"`, StartedAt: at(5), DurationMS: 5000, ErrorCode: "ELEMENT_NOT_FOUND", Screenshot: "screenshots/002-total.png"},
	}
	r.Console = []qa.ConsoleEntry{
		{Level: "warning", Text: "slow", URL: "http://shop.test/app.js", Line: 3, Time: at(3)},
		{Level: "exception", Text: "TypeError: null is not an object", URL: "http://shop.test/app.js", Line: 17, Time: at(4)},
	}
	r.Network = []qa.NetworkEntry{
		{RequestID: "r9", Method: "GET", URL: "http://shop.test/favicon.ico", Status: 404, Type: "image", Time: at(1), DurationMS: 12},
		{RequestID: "r17", Method: "GET", URL: "http://shop.test/api/kpi?range=7d", Status: 500, Type: "fetch", Time: at(5), DurationMS: 340},
		{RequestID: "r18", Method: "POST", URL: "http://shop.test/beacon", Type: "ping", Time: at(6), Failure: "net::ERR_CONNECTION_REFUSED"},
	}
	r.Omitted = &qa.Omitted{Console: 12, Network: 3, Timeline: 1}
	r.Artifacts = append(r.Artifacts, qa.Artifact{Name: "trace.zip", SHA256: r.Artifacts[0].SHA256, Size: 900123, MIMEType: "application/zip", Time: at(9)})
	r.Links = qa.Links{ReportURL: "report.html", TraceURL: "trace.zip", ScreenshotsGalleryURL: "report.html#pictures"}
	r.Environment.Name, r.Environment.BaseURL, r.Environment.Viewport, r.Environment.Locale, r.Environment.Timezone = "staging", "http://shop.test", "1366×768", "en-US", "Europe/Berlin"
	return r
}
