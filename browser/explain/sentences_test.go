package explain_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
)

// errSaid is the cause of errors that have one.
var errSaid = errors.New("it broke")

// permits is what the guard says of how its acts are permitted.
const permits = `a step of a flow file permits its own act (guard.destructive = "as-written"), and network.allowed_hosts names an origin under test; guard.destructive = "allow" in mcp.toml (--guard-destructive allow) permits everything: only on a system that may be damaged`

// sentence is what facts are made into.
type sentence struct {
	of   *explain.Error
	want string // code and message
	hint string
	page string // joined by |
}

func sentences() map[string]sentence {
	const click, shot = pagetext.Sentence("page_click #pay"), pagetext.Sentence("page_screenshot #pay")
	slow, answered, short := explain.Late(click, explain.TookLonger, nil), explain.Late(click, explain.TookLonger, nil), explain.Late(click, explain.TookLonger, nil)
	slow.SlowAddress(1500*time.Millisecond, false, nil)
	answered.SlowAddress(2*time.Second, true, []pagetext.Text{"GET /a"})
	short.SlowAddress(time.Second, false, nil)
	short.CutShort(click, time.Second, errSaid)
	file, plainFile, other, none, stays := explain.Moved(click, nil), explain.Moved(click, nil), explain.Moved(click, nil), explain.Unknown(click, "Invalid url", nil), explain.Moved(click, nil)
	file.SavesFile(click, "text/csv", errSaid)
	plainFile.SavesFile(click, "", errSaid)
	other.Overtaken(click)
	none.NoAddress()
	stays.AskedToStay()
	of := func(o explain.Obstacle) *explain.Error { return explain.Hindered(click, o, errSaid) }
	refused := func(why explain.Refusal) *explain.Error {
		return explain.Refused{Why: why, Rule: "delete", Line: `button "Delete"`, Cause: errSaid}.Explain(click)
	}
	lost := func(r explain.Recovery) *explain.Error {
		if r.Session, r.Address, r.Cause = "s1", "http://a.test/", errSaid; r.Died == "" {
			r.Died = explain.PageCrashed
		}
		return r.Explain(click)
	}
	kind := func(op string, on explain.Control) *explain.Error {
		return explain.WrongKind(click, op, on, "Element is not", errSaid)
	}
	return map[string]sentence{
		"absent, nothing near": {explain.Absent{Selector: "#pay"}.Explain(),
			"ELEMENT_NOT_FOUND: no element matches #pay",
			"if it comes later, give timeout_ms; call page_snapshot and use one of its lines", ""},
		"absent, near": {explain.Absent{Selector: "#pay", Nearest: []string{`button "Pay"`}, Alike: true}.Explain(),
			"ELEMENT_NOT_FOUND: no element matches #pay",
			"if it comes later, give timeout_ms; the nearest on the page, each a selector:", `button "Pay"`},
		"absent, first controls": {explain.Absent{Selector: "#pay", Nearest: []string{`link "Home"`}}.Explain(),
			"ELEMENT_NOT_FOUND: no element matches #pay",
			"if it comes later, give timeout_ms; nothing on the page is like it: call page_snapshot; its first controls are:", `link "Home"`},
		"absent, plain words": {explain.Absent{Selector: "Pay now", Words: "Pay now"}.Explain(),
			`ELEMENT_NOT_FOUND: "Pay now" was read as CSS tags, and matches no element: plain words are no selector`,
			`name the element by its role and name, such as button "Pay now", or by text=Pay now; if it comes later, give timeout_ms; call page_snapshot and use one of its lines`, ""},
		"not yet": {explain.NotYet{Selector: "#pay", State: "hidden", Waited: time.Second, Count: 1}.Explain(),
			"TIMEOUT: page_wait_for_selector #pay: not hidden after 1000 ms; 1 elements match",
			"look at the page with page_snapshot, or raise timeout_ms", ""},
		"not yet, absent": {explain.NotYet{Selector: "#pay", State: "visible", Waited: time.Second, Absent: &explain.Absent{Selector: "#pay", Nearest: []string{`button "Pay"`}, Alike: true}}.Explain(),
			"TIMEOUT: page_wait_for_selector #pay: not visible after 1000 ms; 0 elements match",
			"if it comes later, give timeout_ms; the nearest on the page, each a selector:", `button "Pay"`},
		"several": {explain.Several("button", 3, []string{`button "A"`, `button "B"`}, nil),
			"SELECTOR_AMBIGUOUS: 3 elements match button",
			"use one of:", `button "A"|button "B"`},
		"no selector": {explain.NoSelector("!!", "use a selector", "Unexpected token"),
			`INVALID_INPUT: selector "!!": Unexpected token`,
			"use a selector", ""},
		"no option": {explain.NoOption("Three", []pagetext.Text{`"One"`, `"Two"`}),
			`ELEMENT_NOT_FOUND: page_select: no option "Three"`,
			"its options:", `"One"|"Two"`},
		"obstacle: gone": {of(explain.Obstacle{Kind: explain.Gone}),
			"NOT_ACTIONABLE: page_click #pay: the element is there but can't be acted on: the page has taken it out",
			"look at the page again: what replaces it has another line", ``},
		"obstacle: invisible": {of(explain.Obstacle{Kind: explain.Invisible, As: "hidden"}),
			"NOT_ACTIONABLE: page_click #pay: the element is there but can't be acted on: it is not visible: visibility is hidden",
			"do first what shows it, such as opening the menu or the tab that it is in", ``},
		"obstacle: sizeless": {of(explain.Obstacle{Kind: explain.Sizeless}),
			"NOT_ACTIONABLE: page_click #pay: the element is there but can't be acted on: it is not visible: it has no size",
			"act on what is visible around it, such as its label", ``},
		"obstacle: not rendered": {of(explain.Obstacle{Kind: explain.Sizeless, None: true}),
			"NOT_ACTIONABLE: page_click #pay: the element is there but can't be acted on: it is not visible: it has no size (display: none)",
			"do first what shows it, such as opening the menu or the tab that it is in", ``},
		"obstacle: disabled": {of(explain.Obstacle{Kind: explain.Disabled}),
			"NOT_ACTIONABLE: page_click #pay: the element is there but can't be acted on: it is not enabled",
			"do first what enables it, such as filling a field that is required", ``},
		"obstacle: read-only": {of(explain.Obstacle{Kind: explain.ReadOnly}),
			"NOT_ACTIONABLE: page_click #pay: the element is there but can't be acted on: it is not editable: it is read-only",
			"change what the page computes it from", ``},
		"obstacle: moving": {of(explain.Obstacle{Kind: explain.Moving}),
			"NOT_ACTIONABLE: page_click #pay: the element is there but can't be acted on: it is not stable: it keeps moving",
			"wait until it stands still, or stop what moves it", ``},
		"obstacle: outside": {of(explain.Obstacle{Kind: explain.Outside}),
			"NOT_ACTIONABLE: page_click #pay: the element is there but can't be acted on: it is outside of the viewport, and can't be scrolled into it",
			"do first what brings it in, such as opening the menu that it is in, or take a larger window", ``},
		"obstacle: covered": {of(explain.Obstacle{Kind: explain.Covered, By: `<div id="lid"> "Cookies!"`}),
			"NOT_ACTIONABLE: page_click #pay: the element is there but can't be acted on: another element covers it and would get the act",
			"close it, or wait until it is gone:", `<div id="lid"> "Cookies!"`},
		"obstacle: covered by nothing": {of(explain.Obstacle{Kind: explain.Covered}),
			"NOT_ACTIONABLE: page_click #pay: the element is there but can't be acted on: where it is, nothing can be hit (pointer-events: none)",
			"wait until the page takes pointers again, or act on what is visible there", ``},
		"obstacle: unknown": {of(explain.Obstacle{}),
			"NOT_ACTIONABLE: page_click #pay: the element is there but can't be acted on: it could not be acted on in time",
			"look at the page, or give timeout_ms", ``},
		"another format": {explain.OtherFormat("page_fill #born", "date", nil),
			"NOT_ACTIONABLE: page_fill #born: an input of type date can't hold this value",
			"write it so: 2026-12-31 (year-month-day)", ""},
		"wrong kind: a file input": {kind("page_fill", explain.FileInput),
			"NOT_ACTIONABLE: page_click #pay: Element is not",
			`it is a file input: page_upload {"selector": "…", "paths": ["…"]} with this selector`, ""},
		"wrong kind: no select": {kind("page_select", explain.NoTextField),
			"NOT_ACTIONABLE: page_click #pay: Element is not",
			"it is no <select>: click it with page_click, then click the option that appears", ""},
		"wrong kind: a checkbox": {kind("page_fill", explain.Tick),
			"NOT_ACTIONABLE: page_click #pay: Element is not",
			"page_click ticks a checkbox and chooses a radio button", ""},
		"wrong kind: no text": {kind("page_fill", explain.NoTextField),
			"NOT_ACTIONABLE: page_click #pay: Element is not",
			"it holds no text: choose an option of a <select> with page_select, click any other control with page_click", ""},
		"wrong kind": {kind("page_click", explain.OtherControl),
			"NOT_ACTIONABLE: page_click #pay: Element is not",
			"use a control of the right kind, and a value it can hold; page_snapshot shows them", ""},
		"unfocusable": {explain.Unfocusable(click),
			"NOT_ACTIONABLE: page_click #pay: it can't take the focus, so nothing was typed",
			"type into a text field, or click first and type without selector", ""},
		"too deep": {explain.TooDeep(`frame "A" > `),
			"NOT_ACTIONABLE: what is there lies in too many frames to be looked at",
			`use a selector that leads into them: frame "A" > …`, ""},
		"unpainted: invisible": {explain.Unpainted{}.Explain(shot),
			"NOT_ACTIONABLE: page_screenshot #pay: the element is not visible",
			"show it first, or take another element", ""},
		"unpainted: no size": {explain.Unpainted{HasBox: true, Width: 3}.Explain(shot),
			"NOT_ACTIONABLE: page_screenshot #pay: the element has no size: 3×0",
			"take an element around it", ""},
		"unpainted: off the page": {explain.Unpainted{HasBox: true, OffPage: true, X: -30.5, Y: 2}.Explain(shot),
			"NOT_ACTIONABLE: page_screenshot #pay: the element is off screen: at -30.5,2, outside of the page",
			"bring it into the page first, or take another element", ""},
		"secret elsewhere": {explain.SecretElsewhere("b.test", "a.test, *.a.test"),
			"ACTION_BLOCKED: the secret was not typed: this page is of b.test, and the secret is for a.test, *.a.test",
			"a person adds the host to hosts of the secret in their own configuration, or trusts this folder: assay trust", ""},
		"secret without a host": {explain.SecretElsewhere("", "a.test"),
			"ACTION_BLOCKED: the secret was not typed: this page is of no host, and the secret is for a.test",
			"a person adds the host to hosts of the secret in their own configuration, or trusts this folder: assay trust", ""},
		"unknown key": {explain.UnknownKey("Entre"),
			`INVALID_INPUT: key "Entre" is unknown`,
			"use names such as Enter, Tab, Escape, ArrowDown, a, A, Control+A", ""},
		"other files": {explain.OtherFiles([]explain.File{{Name: "a.csv", Size: 3}}),
			"NOT_ACTIONABLE: page_upload: the input does not hold the files that it was given",
			"look at the page with page_snapshot; the input held:", "a.csv, 3 bytes"},
		"no file input": {explain.NoFileInput(),
			"NOT_ACTIONABLE: page_upload: the element is no file input, and a click on it opened no file chooser",
			"name the file input itself, such as css=input[type=file], which may be hidden, or the button that opens the chooser; where files are dropped, drop them: drop: true, in a flow the step drop", ""},
		"out of reach": {explain.OutOfReach("#basket"),
			"NOT_ACTIONABLE: page_drag: #basket is not in view while what is dragged is",
			"use a larger viewport, or drag in steps to what is in view", ""},
		"no drop zone": {explain.NoDropZone(),
			"NOT_ACTIONABLE: page_upload: the element takes no files that are dropped on it",
			"name the element that takes them, or leave drop out and name the file input or the button that opens its file chooser", ""},
		"one file": {explain.FilesRefused(false, "Non-multiple file input", errSaid),
			"NOT_ACTIONABLE: page_upload: Non-multiple file input",
			"this input takes one file", ""},
		"a folder": {explain.FilesRefused(true, "[webkitdirectory]", errSaid),
			"NOT_ACTIONABLE: page_upload: [webkitdirectory]",
			"this input takes a folder, which can't be uploaded", ""},
		"not looked": {explain.NotLooked("look at #pay", "Not an input", errSaid),
			"NOT_ACTIONABLE: look at #pay: Not an input",
			"use an assertion that fits this kind of element", ""},
		"unfit: checked": {explain.Unfit(explain.Lacks("checked")),
			"NOT_ACTIONABLE: an element that can't be checked or pressed has no such state",
			"use an assertion that fits this kind of element", ""},
		"unfit: value": {explain.Unfit(explain.Lacks("value")),
			"NOT_ACTIONABLE: the element has no value",
			"use an assertion that fits this kind of element", ""},
		"unfit: indeterminate": {explain.Unfit(explain.Lacks("indeterminate")),
			"NOT_ACTIONABLE: it is no box that could be neither on nor off",
			"use an assertion that fits this kind of element", ""},
		"unfit: expanded": {explain.Unfit(explain.Lacks("expanded")),
			"NOT_ACTIONABLE: it opens nothing: it has neither aria-expanded nor is it a details or summary",
			"use an assertion that fits this kind of element", ""},
		"unfit: pressed": {explain.Unfit(explain.Lacks("pressed")),
			"NOT_ACTIONABLE: it is no toggle button: it has no aria-pressed",
			"use an assertion that fits this kind of element", ""},
		"unfit: editable": {explain.Unfit(explain.Lacks("readonly")),
			"NOT_ACTIONABLE: nothing can be typed into it",
			"use an assertion that fits this kind of element", ""},
		"unfit: values": {explain.Unfit(explain.Lacks("values")),
			"NOT_ACTIONABLE: it has no options",
			"use an assertion that fits this kind of element", ""},
		"unfit: labels": {explain.Unfit(explain.Lacks("labels")),
			"NOT_ACTIONABLE: it has no options",
			"use an assertion that fits this kind of element", ""},
		"unfit": {explain.Unfit(explain.Lacks("name")),
			"NOT_ACTIONABLE: it has no such property",
			"use an assertion that fits this kind of element", ""},
		"secret value": {explain.SecretValue(),
			"NOT_ACTIONABLE: the value of a control that holds a password or a secret is never read",
			"check what it brings about instead", ""},
		"restless": {explain.Restless("#pay"),
			"NAVIGATION_FAILED: look at #pay: the page keeps going to other addresses",
			"wait for an element of the page you want with page_wait_for_selector", ""},
		"silent field": {explain.SilentField("#pay"),
			"TIMEOUT: look at #pay: the field does not answer",
			"look at the page with page_snapshot", ""},
		"in motion": {explain.InMotion("look at #pay", 5*time.Second, []pagetext.Text{"css=#pay: animation"}, errSaid),
			"TIMEOUT: look at #pay: it does not stand still: it was still changing after 5000 ms, so nothing about it can be decided",
			"check something of it that stands still, or check again when it has come to rest; what moves:", "css=#pay: animation"},
		"not idle": {explain.NotIdle([]pagetext.Text{"GET /slow"}),
			"TIMEOUT: computer_action wait: the network was not idle in time",
			"wait for what you need to see, with selectorVisible; still under way:", "GET /slow"},
		"script threw": {explain.ScriptThrew("Error: no", errSaid),
			"INVALID_INPUT: page_evaluate: the script threw",
			"fix the script (an expression, or a function such as () => document.title); it threw:", "Error: no"},
		"script lost": {explain.ScriptLost(errSaid),
			"NAVIGATION_FAILED: page_evaluate: the page went to another address before the script ended; its result is lost",
			"let the script end with what navigates, and read the next page in a call of its own", ""},
		"cancelled": {explain.Stopped(click, false, errSaid),
			"CANCELLED: page_click #pay was cancelled",
			"nothing to fix; call again when wanted", ""},
		"deadline": {explain.Stopped(click, true, errSaid),
			"TIMEOUT: page_click #pay: it took longer than its time-out",
			"raise timeout_ms, or look at the page with page_snapshot", ""},
		"late": {explain.Late(click, pagetext.Quoted("Timeout while waiting"), errSaid),
			"TIMEOUT: page_click #pay: Timeout while waiting",
			"raise timeout_ms, or look at the page with page_snapshot", ""},
		"silent": {explain.Silent(click, errSaid),
			"TIMEOUT: page_click #pay: the page does not answer",
			"a script of it may run without end, or this machine is overloaded: call again, or page_navigate, which starts over on a fresh page", ""},
		"silent for long": {explain.LongSilent(click, errSaid),
			"TIMEOUT: page_click #pay: the page does not answer",
			"a script of the page may run without end, or this machine is overloaded: call page_navigate, which starts over on a fresh page, or try again", ""},
		"moved": {explain.Moved(click, errSaid),
			"NAVIGATION_FAILED: page_click #pay: the page went to another address meanwhile",
			"call again", ""},
		"unknown": {explain.Unknown(click, "no idea", errSaid),
			"INTERNAL: page_click #pay: no idea",
			"look at the page with page_snapshot; if it persists, report it with the server's log", ""},
		"too many files": {explain.TooManyFiles("browser_launch", errSaid),
			"SESSION_LIMIT: browser_launch: too many files are open",
			"close sessions with browser_close, or raise the limit of open files where the server is started (ulimit -n)", ""},
		"session closed": {explain.SessionClosed(click, "s1"),
			"SESSION_NOT_FOUND: page_click #pay: session s1 is closed",
			"call browser_launch for a new one", ""},
		"page closed": {explain.PageClosed(click, errSaid),
			"PAGE_CRASHED: page_click #pay: the page closed itself",
			"a fresh page stands ready in the same session; call page_navigate to load an address", ""},
		"busy": {explain.Busy(click, "page_evaluate", errSaid),
			"TIMEOUT: page_click #pay: the page is still busy with an earlier page_evaluate",
			"call page_navigate, which starts over on a fresh page, or browser_close", ""},
		"still loading": {explain.StillLoading(click, "http://a.test/next", errSaid),
			"TIMEOUT: page_click #pay: the page is still loading its next document",
			"call again, or page_navigate to load another address; it waits for:", "http://a.test/next"},
		"crashed": {explain.Crashed(click, errSaid),
			"PAGE_CRASHED: page_click #pay: the page's renderer crashed",
			"a fresh page stands ready in the same session; call page_navigate to load the address again", ""},
		"browser gone": {explain.BrowserGone(click, errSaid),
			"BROWSER_CRASHED: page_click #pay: the browser or its driver is gone",
			"call again; if it persists, the command doctor of assay says what is missing", ""},
		"recovery: restored": {lost(explain.Recovery{}),
			"PAGE_CRASHED: page_click #pay: the page's renderer crashed; session s1 was rebuilt and its page loaded again; its cookies and storage are as they were",
			"form input is lost; look at the page and call again, or page_navigate; it is at:", "http://a.test/"},
		"recovery: rebuilding": {lost(explain.Recovery{State: explain.Rebuilding}),
			"PAGE_CRASHED: page_click #pay: the page's renderer crashed; session s1 is being rebuilt and its page loaded again; its cookies and storage are as they were",
			"form input is lost; call again: the call waits until it is ready, at:", "http://a.test/"},
		"recovery: blank": {lost(explain.Recovery{State: explain.Blank, Blank: "it did not load"}),
			"PAGE_CRASHED: page_click #pay: the page's renderer crashed; session s1 was rebuilt, but its page is blank: it did not load; its cookies and storage are as they were",
			"call page_navigate to load an address; it was at:", "http://a.test/"},
		"recovery: lost": {lost(explain.Recovery{State: explain.Lost, Said: "no driver"}),
			"PAGE_CRASHED: page_click #pay: the page's renderer crashed, and session s1 could not be rebuilt: no driver",
			"the session is lost; call browser_launch for a new one", ""},
		"recovery: browser": {lost(explain.Recovery{Died: explain.BrowserCrashed, OtherTabs: 2, Age: 1530 * time.Millisecond}),
			"BROWSER_CRASHED: page_click #pay: the browser or its driver died, and with it 2 other tabs; session s1 was rebuilt and its page loaded again; its cookies and storage are as of 1.5s before",
			"form input is lost; look at the page and call again, or page_navigate; it is at:", "http://a.test/"},
		"recovery: memory": {lost(explain.Recovery{UsedMB: 900, LimitMB: 512}),
			"PAGE_CRASHED: page_click #pay: the page used 900 MB of memory, more than limits.memory_mb allows (512), and was ended; session s1 was rebuilt and its page loaded again; its cookies and storage are as they were",
			"raise limits.memory_mb if the page needs that much; form input is lost; look at the page and call again, or page_navigate; it is at:", "http://a.test/"},
		"recovery: memory, browser": {lost(explain.Recovery{Died: explain.BrowserCrashed, UsedMB: 900, LimitMB: 512, OtherTabs: 1}),
			"BROWSER_CRASHED: page_click #pay: the page used 900 MB of memory, more than limits.memory_mb allows (512), and was ended, which its browser did not survive, and with it 1 other tab; session s1 was rebuilt and its page loaded again; its cookies and storage are as of 0s before",
			"raise limits.memory_mb if the page needs that much; form input is lost; look at the page and call again, or page_navigate; it is at:", "http://a.test/"},
		"tab closed": {explain.TabClosed(click, 2, []string{"1: http://a.test/"}),
			"TAB_CLOSED: page_click #pay: tab 2 has closed",
			"go on in an open tab:", "1: http://a.test/"},
		"no popup": {explain.NoPopup("page_tabs select", 1),
			"TIMEOUT: page_tabs select: the act before it has opened no other tab from tab 1",
			"do what opens it before", ""},
		"no tab": {explain.NoTab("page_tabs select 9", 9, false, []string{"1: http://a.test/"}),
			"INVALID_INPUT: page_tabs select 9: there is no tab 9",
			"use the id of an open tab:", "1: http://a.test/"},
		"no tab any more": {explain.NoTab("page_tabs select 2", 2, true, nil),
			"INVALID_INPUT: page_tabs select 2: tab 2 is closed",
			"use the id of an open tab:", ""},
		"unreachable": {explain.Unreachable(click, "net::ERR_CONNECTION_REFUSED", errSaid),
			"NAVIGATION_FAILED: page_click #pay: nothing answers there: connection refused (net::ERR_CONNECTION_REFUSED)",
			"nothing listens at that address: start the server, or fix host and port", ""},
		"unreachable, unknown": {explain.Unreachable(click, "net::ERR_NEW", errSaid),
			"NAVIGATION_FAILED: page_click #pay: net::ERR_NEW",
			"check that the address is reachable from this machine", ""},
		"slow address": {slow,
			"TIMEOUT: page_click #pay: it took longer than its time-out of 1.5 s",
			"the server is slow or never answers; raise timeout_ms, or use wait_until commit or domcontentloaded", ""},
		"slow address that answered": {answered,
			"TIMEOUT: page_click #pay: it has answered, and was still loading after its time-out of 2 s",
			"raise timeout_ms, or use wait_until commit or domcontentloaded", "still loading: GET /a"},
		"cut short": {short,
			"TIMEOUT: page_click #pay: the time of the whole call was over before its time-out of 1 s",
			"the server is slow or never answers; raise timeout_ms, or use wait_until commit or domcontentloaded", ""},
		"a file": {file,
			"NAVIGATION_FAILED: page_click #pay: the address is a file of type text/csv, which the browser downloads; it is not a page",
			"it was saved as below; open another address to see a page", ""},
		"a file of no type": {plainFile,
			"NAVIGATION_FAILED: page_click #pay: the address is a file, which the browser downloads; it is not a page",
			"it was saved as below; open another address to see a page", ""},
		"overtaken": {other,
			"NAVIGATION_FAILED: page_click #pay: the page went to another address before this one was loaded",
			"look where it is with page_snapshot; call again if that is not where it should be", ""},
		"no address": {none,
			"INVALID_INPUT: page_click #pay: Invalid url",
			"fix the address", ""},
		"asked to stay": {stays,
			"NAVIGATION_FAILED: page_click #pay: the page went to another address meanwhile",
			"the page asked whether to leave it, and that was dismissed, as was set: call again to leave", ""},
		"no answer in time": {explain.NoAnswerInTime("fetch http://a.test/", errSaid),
			"TIMEOUT: fetch http://a.test/: no answer in time",
			"raise the time-out, or find out why the address is slow", ""},
		"not fetched": {explain.NotFetched("fetch http://a.test/", "no route", errSaid),
			"NAVIGATION_FAILED: fetch http://a.test/: no route",
			"check that the address answers from this machine", ""},
		"host refused": {explain.HostRefused(click, "b.test", "network.deny_hosts", "it is named there"),
			"HOST_BLOCKED: page_click #pay: the host b.test is blocked by network.deny_hosts",
			"it is named there", ""},
		"host refused for good": {explain.HostRefused(click, "b.test", "metadata", ""),
			"HOST_BLOCKED: page_click #pay: the host b.test is blocked by metadata",
			"no setting opens it; use the address of a test system", ""},
		"refused by rule": {refused(explain.ByRule),
			"ACTION_BLOCKED: page_click #pay was not done: the guard takes it for destructive (rule: delete)",
			permits + "; the element:", `button "Delete"`},
		"refused, unwritten": {refused(explain.Unwritten),
			"ACTION_BLOCKED: page_click #pay was not done: the guard takes it for destructive (rule: delete), and nobody wrote it",
			permits + "; the element:", `button "Delete"`},
		"refused, nobody to ask": {refused(explain.Unasked),
			"NEEDS_HUMAN: page_click #pay was not done: it is destructive (rule: delete) and a person must permit it, but this client can't ask one",
			permits + "; the element:", `button "Delete"`},
		"refused, nobody answered": {refused(explain.Unheard),
			"NEEDS_HUMAN: page_click #pay was not done: it is destructive (rule: delete) and no person answered in time",
			"call again when somebody is there, or " + permits + "; the element:", `button "Delete"`},
		"refused, asking failed": {refused(explain.AskFailed),
			"NEEDS_HUMAN: page_click #pay was not done: it is destructive (rule: delete) and a person could not be asked: it broke",
			permits + "; the element:", `button "Delete"`},
		"refused, declined": {refused(explain.Declined),
			"ACTION_BLOCKED: page_click #pay was not done: a person declined it (rule: delete)",
			"leave it; don't look for another way to do the same; the element:", `button "Delete"`},
		"opening refused": {explain.OpeningRefused("page_navigate http://a.test/delete", "delete"),
			"ACTION_BLOCKED: page_navigate http://a.test/delete was not done: the guard takes it for destructive (rule: delete)",
			permits, ""},
		"request refused": {explain.RequestRefused("fetch http://a.test/delete", "blocked by delete"),
			"ACTION_BLOCKED: fetch http://a.test/delete: the request is destructive, blocked by delete",
			permits, ""},
		"intercepted": {explain.Intercepted(click, "intercept /a"),
			"ACTION_BLOCKED: page_click #pay: blocked by intercept /a",
			"take the rule away with network_intercept, mode observe and the same pattern", ""},
		"requests stopped": {explain.StoppedRequests{Count: 2, Listed: []pagetext.Text{"DELETE /a"}}.Explain(click),
			"ACTION_BLOCKED: page_click #pay was done, but the guard stopped 2 destructive requests meanwhile: the page did not get what it requested",
			permits + "; it stopped:", "DELETE /a"},
		"requests stopped that a person may permit": {explain.StoppedRequests{Count: 1, Listed: []pagetext.Text{"DELETE /a"}, CanPermit: true}.Explain(click),
			"NEEDS_HUMAN: page_click #pay was done, but the guard stopped 1 destructive request meanwhile: the page did not get what it requested",
			permits + "; it stopped:", "DELETE /a"},
		"shutting down": {explain.ShuttingDown(),
			"CANCELLED: start the browser: the server is shutting down",
			"nothing to fix", ""},
		"driver unready": {explain.DriverUnready("start the driver", "", errSaid),
			"DRIVER_MISSING: start the driver: it broke",
			"run: assay doctor", ""},
		"not installed": {explain.NotInstalled("chromium: missing", "", errSaid),
			"DRIVER_MISSING: chromium: missing",
			"run: assay install", ""},
		"not installed, with a remedy": {explain.NotInstalled("chromium: missing", "assay install --browser chromium", errSaid),
			"DRIVER_MISSING: chromium: missing",
			"run: assay install --browser chromium", ""},
		"not launched": {explain.NotLaunched("/bin/chromium", "exit 1", "npx -y assay-qa", errSaid),
			"BROWSER_CRASHED: launch /bin/chromium: exit 1",
			"run: npx -y assay-qa doctor", ""},
		"no gate": {explain.NoGate(errSaid),
			"INTERNAL: browser_launch: it broke",
			"free some ports of 127.0.0.1, or call again", ""},
		"no place": {explain.NoPlace(2, []string{"s1", "s2"}),
			"SESSION_LIMIT: all 2 sessions are in use: s1, s2",
			"close one with browser_close, or raise limits.max_sessions", ""},
		"no place, opening": {explain.NoPlace(2, nil),
			"SESSION_LIMIT: all 2 sessions are in use: they are still being opened",
			"close one with browser_close, or raise limits.max_sessions", ""},
		"no place, some opening": {explain.NoPlace(2, []string{"s1"}),
			"SESSION_LIMIT: all 2 sessions are in use: s1, and 1 still being opened",
			"close one with browser_close, or raise limits.max_sessions", ""},
		"no session": {explain.NoSession("", nil),
			"SESSION_NOT_FOUND: no session is open",
			"call browser_launch", ""},
		"no session of that id": {explain.NoSession("s9", []string{"s1", "s2"}),
			`SESSION_NOT_FOUND: no session "s9" is open`,
			"open sessions: s1, s2", ""},
		"several sessions": {explain.NoSession("", []string{"s1", "s2"}),
			"SESSION_NOT_FOUND: 2 sessions are open: session_id must say which",
			"open sessions: s1, s2", ""},
		"too large": {explain.TooLarge(20000, 300, 16384, 40000000),
			"IMAGE_INVALID: the picture would have 20000×300 pixels; the limits are 16384 a side and 40000000 in all",
			"take the viewport (full_page false) or one element (selector)", ""},
		"no picture": {explain.NoPicture(errSaid),
			"IMAGE_INVALID: page_screenshot: the browser returned no picture: it broke",
			"call again", ""},
		"unreadable": {explain.Unreadable("page_screenshot", errSaid),
			"IMAGE_INVALID: page_screenshot: the browser's picture can't be read: it broke",
			"call again", ""},
		"incomplete": {explain.Incomplete(shot, 2, []pagetext.Text{`"Total" at css=#t`}, errSaid),
			"TIMEOUT: page_screenshot #pay: the picture would lack 2 parts that the page shows only where it is scrolled to, and takes out again",
			"mask these, or scroll to them and take the viewport (full_page false):", `"Total" at css=#t`},
		"no rest": {explain.NoRest(shot, 5*time.Second, 2, nil, errSaid),
			"TIMEOUT: page_screenshot #pay: the page does not come to rest: no two pictures in a row were equal in 5s",
			"mask what keeps moving, or stop it before", ""},
		"no rest, one picture": {explain.NoRest(shot, 5*time.Second, 1, nil, errSaid),
			"TIMEOUT: page_screenshot #pay: there was time for 1 picture in 5s: whether the page is at rest takes two",
			"take the viewport (full_page false) or one element (selector), or call again when the machine has less to do", ""},
		"no rest, waits": {explain.NoRest(shot, 5*time.Second, 1, []pagetext.Text{"a font"}, errSaid),
			"TIMEOUT: page_screenshot #pay: after 5s the page still waits for something to be shown",
			"fix what does not come, or give it more time; the page waits for:", "a font"},
		"invalid": {explain.Invalid("fix it", "%d is no %s", 3, "name"),
			"INVALID_INPUT: 3 is no name",
			"fix it", ""},
	}
}

// Each sentence of an error is made of facts alone, and says what failed, on what, why, and
// what to do next.
func TestSentences(t *testing.T) {
	t.Parallel()
	for name, c := range sentences() {
		if got := c.of.Error(); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", name, got, c.want)
		}
		if c.of.Hint != c.hint || c.hint == "" {
			t.Errorf("%s: hint\n%s, want\n%s", name, c.of.Hint, c.hint)
		}
		if got := string(pagetext.Join(c.of.Page, "|")); got != c.page {
			t.Errorf("%s: page\n%s, want\n%s", name, got, c.page)
		}
	}
}

// What has no row in the table above fails here.
func TestEachSentenceIsTested(t *testing.T) {
	t.Parallel()
	rows, err := os.ReadFile("sentences_test.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() || fn.Name.Name == "Explain" || !makesError(fn) {
				continue
			}
			found++
			if !strings.Contains(string(rows), "."+fn.Name.Name+"(") {
				t.Errorf("%s: %s has no row", file, fn.Name.Name)
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d functions were found", found)
	}
}

// makesError reports whether a function returns an *Error.
func makesError(fn *ast.FuncDecl) bool {
	if fn.Type.Results == nil {
		return false
	}
	star, ok := fn.Type.Results.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	name, ok := star.X.(*ast.Ident)
	return ok && name.Name == "Error"
}
