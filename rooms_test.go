// Package assay_test holds the laws of the tree: which room may import what,
// where the outside world may enter, and what shape a file has. They read the
// source with the standard library alone and need no installed tool.
//
// A law refuses without appeal to taste: each failure carries its reason, and
// each law is shown to fail on a source that breaks it.
package assay_test

import (
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// room is a row of ARCHITECTURE.md: what a folder may import of ours, and why
// no more than that.
type room struct {
	folder string
	duty   string
	may    []string // "*" is everything
	why    string
}

func rooms() []room {
	return []room{
		{"cmd/assay", "flags, configuration, logger, signals, exit codes", []string{"*"}, "it calls whatever a command is about"},
		{"wiring", "settings, and the pool, stores, workspace, provider, runner and server made from them", []string{"agent/provider", "auth", "author/explore", "author/frontier", "author/testrun", "browser", "browser/driver", "browser/egress", "browser/guard", "browser/memory", "browser/scan", "config", "disk", "evidence", "evidence/attest", "evidence/baseline", "evidence/blob", "evidence/ledger", "evidence/paths", "evidence/report", "evidence/retain", "evidence/verify", "qa", "qa/flow", "secrets", "server", "starter", "suite", "suite/accept", "suite/load", "suite/notify", "suite/publish", "suite/runner", "tools", "tools/author", "tools/pagehealth", "tools/resources", "tools/workspace", "author/choose", "author/confine", "author/draft", "author/loop", "author/patch", "author/workcopy", "tools/tool", "author/heal", "texts", "trust"}, "files, variables and flags in, the values that commands work with out: flags, terminals and exit codes are the command's"},
		{"server", "MCP over stdio", []string{"texts"}, "it takes tools as values: the protocol must be replaceable without touching what it serves"},
		{"auth", "stored sign-ins of roles: where, sealed, whose turn", []string{"disk"}, "where sign-ins lie and how they are sealed: how one is had, and what a page does with it, is not its business"},
		{"address", "patterns of addresses and of requests, what is one site", nil, "patterns and addresses in, a yes or a no out: one meaning for all who ask, so it belongs to none of them"},
		{"tools", "the catalogue, one file a tool", []string{"address", "author/draft", "author/workcopy", "browser", "browser/driver", "engine", "engine/assertion", "engine/flowpage", "engine/kpicheck", "engine/rules", "engine/visualcheck", "evidence/baseline", "nearest", "qa", "qa/code", "qa/flow", "template", "tools/figures", "tools/flows", "tools/pagehealth", "tools/pictures", "tools/reproduce", "tools/schema", "tools/tool", "tools/workspace", "visual", "browser/explain"}, "a tool composes hands, eyes, memory and judgement; who serves it and how a report looks is not its business"},
		{"tools/tool", "what all tools have: definition, one call from its arguments to its answer", []string{"auth", "browser", "browser/trace", "engine", "engine/assertion", "engine/flowpage", "engine/signin", "evidence", "qa", "qa/code", "qa/flow", "tools/reproduce", "tools/schema", "texts", "tools/workspace", "visual", "browser/explain"}, "it is what every tool is made with, so it knows none of them; figures, pictures of baselines and flows are rooms above it"},
		{"tools/workspace", "what the calls of a client share: settings, open run, sessions, sign-ins, traces, traffic, secrets", []string{"address", "auth", "author/draft", "browser", "browser/trace", "engine", "engine/signin", "engine/visualcheck", "evidence", "nearest", "qa", "qa/flow", "tools/reproduce", "tools/schema", "browser/rest", "browser/explain"}, "calls come and go, and it stays: it knows runs and sessions, and no call"},
		{"tools/schema", "JSON Schemas of tools and of the domain; arguments held against them", []string{"browser", "engine", "nearest", "qa"}, "Go types in, schemas out: what an argument means is the business of its tool"},
		{"tools/reproduce", "the calls of a run as a flow that repeats it", []string{"engine/rules", "qa", "qa/flow"}, "calls in, a flow or the reason for none out: it sees no page and files nothing"},
		{"tools/flows", "flows run within a call, and what is filed of them", []string{"browser", "browser/trace", "engine", "engine/flowpage", "engine/visualcheck", "evidence", "qa", "qa/code", "qa/flow", "qa/health", "tools/pagehealth", "tools/pictures", "tools/tool", "tools/workspace", "browser/explain"}, "it files what a flow did; which step follows is qa/flow's business, and how one is done is engine/flowpage's"},
		{"tools/figures", "comparisons of figures within a call: oracle, ranges, steps, what is filed", []string{"browser", "engine", "engine/assertion", "engine/kpicheck", "engine/oracle", "engine/rules", "nearest", "qa", "qa/flow", "tools/flows", "tools/tool"}, "it stands between a call and engine/kpicheck; a range is brought about by steps, so it knows flows"},
		{"tools/pictures", "comparisons with baselines within a call, and what is filed of them", []string{"browser", "engine/visualcheck", "qa", "tools/tool", "visual"}, "it stands between a call and engine/visualcheck, for tools and for steps of flows"},
		{"tools/pagehealth", "what is broken on a page that a call looks at; assay check", []string{"browser", "engine", "engine/flowpage", "nearest", "qa", "qa/health", "tools/tool", "tools/workspace", "visual", "browser/explain"}, "it brings what a page shows to the judge, and files what that finds"},
		{"tools/author", "sites explored, tests made of them, run and proved, with sessions of a workspace", []string{"auth", "author/prove", "author/testrun", "suite", "qa", "author/explore", "author/plan", "author/site", "author/sitemap", "browser", "browser/guard", "browser/scan", "disk", "engine/signin", "testfile", "tools/login", "tools/pagehealth", "tools/workspace", "author/admit", "author/generate", "author/heal", "evidence/paths", "browser/rest", "browser/explain"}, "it gives an exploration pages to work on and a folder; what is tried next is not its business"},
		{"tools/login", "roles signed in and their sign-ins checked, outside of every run", []string{"auth", "browser", "engine", "engine/signin", "qa/flow", "tools/tool", "tools/workspace"}, "it signs in, proves it and stores it; a run is not its business"},
		{"tools/resources", "what links in answers lead to", []string{"engine", "evidence", "evidence/baseline", "qa", "qa/flow", "tools/schema", "tools/workspace"}, "addresses in, stored bytes out, masked: it changes nothing"},
		{"engine", "what engines and the catalogue share: errors with a code and a next step; records for a run", []string{"browser", "evidence", "evidence/baseline", "qa", "texts", "visual", "qa/code", "browser/explain"}, "what engines and the catalogue share: an error has its code in one place, so it knows the errors of the rooms below; it files nothing"},
		{"engine/flowpage", "a session as a flow runs on it: steps, assertions, recorded elements, whose fault a failed step is", []string{"browser", "engine", "engine/assertion", "qa", "qa/flow", "qa/code", "browser/explain"}, "it does steps and looks; what a step is, and how a flow goes on, is qa/flow's, and its pictures and records are the tools'"},
		{"engine/assertion", "assertions about a page: waiting, a second look, absence, the counter-check", []string{"browser", "browser/selectors", "engine", "qa", "qa/kpi", "qa/code", "browser/explain"}, "it looks and compares, and files nothing; what counts as an error of the console, and what was seen before, it is given by the call"},
		{"engine/signin", "signing sessions in as roles: by a login flow, by a person, and again when it has ended", []string{"address", "auth", "browser", "engine", "qa/flow", "qa/code", "browser/rest", "browser/explain"}, "it knows pages that ask to sign in and flows that do it: where sign-ins are stored, and what is filed of one that fails, is not its business"},
		{"engine/visualcheck", "the pictures of a page beside those of a baseline: what differs, why, and what follows", []string{"browser", "engine", "evidence/baseline", "qa", "visual", "visual/layout", "qa/code"}, "it returns pictures, rows, checks and findings and files none; it proposes versions of a baseline, and cannot approve one"},
		{"engine/kpicheck", "the figures of a page beside those of an oracle, range by range", []string{"browser", "engine", "engine/oracle", "nearest", "qa", "qa/kpi", "visual", "qa/code"}, "it returns rows, checks and findings and files none; what it needs of the call that runs it, it names in an interface of four methods"},
		{"engine/oracle", "expected values of KPIs: a task's, a caller's, or an endpoint's answer", []string{"browser", "engine", "nearest", "qa", "qa/flow", "qa/code", "browser/explain"}, "a spec and a session in, expected values out: what is compared with them is not its business"},
		{"engine/rules", "what this build accepts in flows and tasks beyond their form", []string{"browser", "engine/oracle", "nearest", "qa", "qa/flow", "browser/explain"}, "flows and tasks in, mistakes out: it knows what a selector, an address and a pointer are, and opens no page"},
		{"browser", "Playwright: pool, sessions, actions, outlines, pictures", []string{"address", "disk", "browser/driver", "browser/egress", "browser/eventlog", "browser/guard", "browser/memory", "browser/readingorder", "browser/redact", "browser/scan", "browser/seen", "browser/selectors", "browser/trace", "nearest", "qa/code", "texts", "browser/rest", "browser/spare", "browser/explain"}, "it looks and acts; what a value means is decided elsewhere, so nothing of ours belongs here but the browser's way out and what judges addresses and destruction without a page"},
		{"browser/driver", "finding, installing and checking driver and browser; the driver's temporary folder", []string{"browser/rest"}, "a machine in, the paths of a driver and a browser out: it knows no session and no page"},
		{"browser/explain", "the errors of a browser's calls: facts in, a sentence with a code and a next step out", []string{"qa/code", "texts"}, "it knows no page and no driver: what is looked at to find out why, and when, is not its business"},
		{"browser/eventlog", "what a session's pages said, asked for and opened: console, requests, refusals, dialogs, popups, downloads; HAR", []string{"address", "browser/egress", "browser/redact", "browser/rest", "texts", "words"}, "what a driver tells of in, what came since a moment out: it knows no driver, and no Playwright type"},
		{"browser/memory", "memory of a browser's processes, and which of them run a page", []string{"browser/rest"}, "a process and a connection to a page in, numbers out: what is too much, and what follows, is not its business"},
		{"browser/spare", "one thing that is made before it is asked for, and dropped when nobody takes it", []string{"browser/rest"}, "it knows when something is made and dropped; what that is its owner says"},
		{"browser/redact", "credentials left out of addresses, headers and bodies", nil, "texts in, the same without credentials out: one meaning for logs, HAR files and traces"},
		{"browser/trace", "the driver's traces rewritten: without secrets, with the tools' calls as groups", []string{"browser/redact"}, "a folder of a driver in, a zip without secrets out: it knows no browser and no session"},
		{"browser/selectors", "the grammar of selectors: lines of a snapshot, CSS, XPath, texts, frames", []string{"nearest"}, "a text in, what a selector consists of out: what it finds is decided in a page"},
		{"browser/browsertest", "test code: pools of the browser that this machine has installed", []string{"browser", "browser/driver"}, "test code: it starts a browser, and knows nothing of what is tested with it"},
		{"browser/rest", "every wait of browser: for an answer, an event, a signal, within its caller's context; which answers are waited for; the table of all limits", nil, "channels and calls in, their end or that of a context out; facts of requests in, those to wait for out: who observes a page, and how, is not its business"},
		{"browser/scan", "one look at a page for an explorer: its tree, its elements, its forms, what of its scripts ran", nil, "values: what a page answers, and what is made of it, is not its business"},
		{"browser/readingorder", "the order in which a person reads what stands on the screen, as a script of pages and of Playwright tests", nil, "a script out, and nothing in: who runs it, and where, is not its business"},
		{"browser/seen", "what a person sees: words in painted pieces of text, three pictures with and without a thing", []string{"words"}, "what was measured and photographed in, what a person sees out: it knows no browser"},
		{"browser/egress", "which hosts a browser may reach; the forward proxy", nil, "hosts and addresses in, a yes or a no out"},
		{"browser/guard", "what is destructive, by name or by what a request does", nil, "patterns and texts in, a rule out: what judges every request must be pure"},
		{"visual", "pictures: size, scaling, what differs between two, and where", nil, "pixels in, numbers out: it knows no page and no run"},
		{"visual/layout", "which elements are behind the places that differ, and which of them are the cause", []string{"qa", "texts"}, "what two pages consisted of and where their pictures differ in, named causes out: it sees no pixel and no page"},
		{"evidence/blob", "bytes under their SHA-256, a file each", []string{"disk"}, "bytes in, their digest out: what they are is not its business"},
		{"evidence/paths", "names of the files of a data folder and of a run", nil, "names of files: what is in them is not its business"},
		{"evidence/attest", "signatures and proofs: checkpoints, statements, time-stamps", nil, "bytes in, signatures and proofs out: it opens no file, so that whoever verifies needs nothing else"},
		{"evidence/ledger", "sealed records and the log of events, in one file that processes share", []string{"disk", "evidence/attest", "evidence/blob", "evidence/paths"}, "records and events that were sealed come back as they were, or not at all: what they tell is not its business"},
		{"evidence/verify", "runs, bundles and data folders checked against what was signed", []string{"disk", "evidence/attest", "evidence/blob", "evidence/ledger", "evidence/paths", "nearest", "qa", "texts"}, "a mistake of the rooms that wrote the evidence must not be shared by what verifies it"},
		{"evidence/bundle", "one zip with all that is needed to check a run elsewhere", []string{"disk", "evidence/attest", "evidence/ledger", "evidence/paths", "qa", "template", "texts"}, "a run's folder and its proofs in, one zip out: it quotes the report, and judges nothing"},
		{"evidence/retain", "deleting what is old enough, and holds", []string{"disk", "evidence/blob", "evidence/ledger", "evidence/paths", "texts"}, "what is old enough goes, and the log says so: it decides by age and by holds alone"},
		{"evidence/baseline", "the pictures that names stand for, their versions, proposals and approvals", []string{"disk", "evidence/blob", "evidence/ledger", "evidence/paths", "nearest", "qa"}, "which picture a name stands for, and who approved it: how pictures are made and compared is not its business"},
		{"evidence", "runs, artefacts, hashes, the event log", []string{"disk", "evidence/attest", "evidence/blob", "evidence/ledger", "evidence/paths", "nearest", "qa", "texts"}, "it stores what was judged; views are handed in as values, so that storage depends on no format"},
		{"evidence/report", "JSON, HTML, Markdown, JUnit and CTRF views of a report; index, summary and JUnit of a suite", []string{"nearest", "qa", "qa/summary"}, "a view shows what a report holds; it can't reach into the store"},
		{"qa", "tasks, checks, findings, reports, the verdict", []string{"address", "nearest", "qa/claim", "words", "texts", "qa/code"}, "the judgement is pure: no I/O, no clock, nothing that could be argued with; what a pattern of an address means, and which word was meant, it asks rooms as pure"},
		{"qa/code", "names of the kinds of failure, in one table", nil, "names in one table, for every room that fails or reads why: it knows none of them"},
		{"qa/summary", "what readers see of a suite: its cases, their counts, its outcome", []string{"qa", "texts"}, "values and counts: how a suite is run, and how a view of it looks, is not its business"},
		{"disk", "files that are whole after a crash, locks between processes; what a disk refused, in words", nil, "files, their locks and what a disk refuses: what is in them is not its business"},
		{"texts", "shortening and counting for messages", nil, "numbers and texts in, a text for a reader out: what it tells of is not its business"},
		{"wait", "waiting for a time or a place that a context can end; contexts of clean-up; jobs in the background of a server", nil, "a time in, nothing out: it stands for timers and contexts, so every room may import it; what is waited for is not its business"},
		{"pagetext", "the type of words that a page chose, and the writers that escape or mark them", []string{"texts"}, "whoever has words of a page has them by this type, so it knows none of those who do"},
		{"pattern", "regular expressions, and embedded lists of them and of words, read on their first use", nil, "the text of an expression or of a list in, its matches out: it stands for regexp, so every room may import it"},
		{"words", "where a text stands as whole words and numbers", nil, "texts in, a yes or a no out: who looks for a word, on a page or in a sentence, is not its business"},
		{"template", "texts with values filled in, in the language of text/template", nil, "texts and values in, a text out: what is written is not its business"},
		{"nearest", "the known word that was most likely meant", nil, "words in, a word out: who misspelt what is not its business"},
		{"secrets", "values of `[secrets]`, and their masks", []string{"disk"}, "it knows where values come from and how to hide them; who types or shows them is not its business"},
		{"internal/document", "TOML, JSON and YAML read into one tree with lines, and strictly into Go values", []string{"nearest", "texts"}, "bytes and types in, values and problems with lines out: what a key means is the business of whoever has the type"},
		{"qa/flow", "user flows: steps, files, a bounded run with retries", []string{"internal/document", "nearest", "qa", "texts", "qa/code"}, "a flow is judged and run on any page that can be clicked: bytes, clock and page come in, so nothing of ours but the judgement belongs here"},
		{"agent", "the loop of a model's turns and tool calls, its budgets and guardrails", []string{"nearest", "qa", "qa/code", "texts"}, "the loop knows tools and models by interfaces of its own: no wire, no browser, no store"},
		{"agent/rules", "a model without a model: plans from the task alone, and works steps that closed forms read", []string{"agent", "qa", "qa/claim", "qa/code", "texts"}, "it is one model among others, and knows the tools by their public names"},
		{"agent/openai", "OpenAI's Responses API, and Azure's", []string{"agent"}, "one wire behind agent.Model: what it carries, and who asks, is not its business"},
		{"agent/anthropic", "Anthropic's Messages API", []string{"agent"}, "one wire behind agent.Model: what it carries, and who asks, is not its business"},
		{"agent/gemini", "Google's Gemini API", []string{"agent"}, "one wire behind agent.Model: what it carries, and who asks, is not its business"},
		{"agent/chat", "Chat Completions, as local servers speak it", []string{"agent"}, "one wire behind agent.Model: what it carries, and who asks, is not its business"},
		{"agent/provider", "the configured provider of models: its key, address and check, the circuit breaker", []string{"agent", "agent/anthropic", "agent/chat", "agent/gemini", "agent/openai", "agent/rules", "config", "qa", "secrets"}, "it chooses among the wires, and knows what each needs; tools, pages and suites are not its business"},
		{"agent/wiretest", "test code: scripted providers on loopback, one for each wire, that judge requests and inject faults", []string{"agent/wiretest/schema"}, "test code: who judges a wire must not share a mistake with whom it judges"},
		{"agent/wiretest/schema", "test code: requests held against the official descriptions and rules of providers", nil, "test code: decoded JSON in, problems out; it knows no conversation, and nothing of what it judges"},
		{"agent/replay", "a passing agent run as a flow that replays without a model; healing of its locators", []string{"agent", "nearest", "qa", "qa/flow"}, "what a model did becomes a flow: calls and answers in, steps out"},
		{"author/choose", "a model's choice among the next actions of an exploration, by number", []string{"agent", "author/explore"}, "a question in, a number of its list out: what is done with it is the exploration's"},
		{"author/coverage", "what of a site's scripts ran, added up", []string{"browser/scan"}, "counts in, sums out: it knows no browser"},
		{"author/explore", "exploring a site: looking, choosing, acting, the graph of states, budgets", []string{"author/coverage", "author/forms", "author/frontier", "author/identity", "author/site", "browser/guard", "browser/scan"}, "it works any page that can be looked at and acted on: browser, files and clock come in"},
		{"author/forms", "values for the fields of a form: valid ones, and one for each constraint that breaks it", []string{"browser/scan"}, "what a field takes in, values out: it fills nothing"},
		{"author/frontier", "the actions that an exploration could do next, and which of them is next", nil, "it counts what is alike and chooses: what an action is, it is told"},
		{"author/identity", "which looks at a page show the same state: place, shape, what changes by itself", []string{"browser/scan"}, "looks in, names of states out: it opens no page"},
		{"author/site", "what an exploration found: states, edges, findings, coverage; site.json", []string{"disk"}, "values and their file: who explores, and what is made of it, is not its business"},
		{"author/sitemap", "what an exploration found, drawn as a page", []string{"author/explore", "author/site"}, "a site in, a page without scripts out: it opens none"},
		{"author/plan", "test plans: test-plan.md read and printed, and made of what an exploration found", []string{"author/site", "nearest", "texts"}, "a file or a site in, a plan out: it opens no page and knows no test"},
		{"author/testrun", "Playwright tests run by the project's own runner or the pinned one, and their results filed", []string{"trust", "author/confine", "browser/driver", "browser/egress", "evidence", "qa", "suite", "suite/publish"}, "it runs tests that somebody wrote and files what came of them: how they are made, and whether they can fail, is not its business"},
		{"author/prove", "proof that tests can fail: faults brought about in the page, and which expectations notice", []string{"author/testrun", "evidence", "qa", "suite/load", "testfile", "author/similar"}, "it watches tests, breaks pages and counts: how tests are run and where results lie it is given"},
		{"author/similar", "which element of a page is one that was known, and whether that is sure", nil, "what is known of elements in, a decision out: it sees no page but by a function that others run there"},
		{"author/heal", "failing tests whose acts get new locators, held to what they tested and noticed before", []string{"author/normalform", "author/plan", "author/prove", "author/similar", "author/site", "author/testrun", "disk", "engine/rules", "evidence", "qa", "qa/flow", "suite/load", "testfile", "texts", "visual"}, "it decides what may change in a test, and whether that did; how a test is run and proved is not its business"},
		{"author/generate", "Playwright tests made of plans and sites: paths, the order of locators, files that a person keeps", []string{"author/plan", "author/site", "browser/selectors", "disk", "qa", "qa/flow", "testfile", "texts"}, "files in, files out: whether an assertion can be relied on is found out by a function that it is given"},
		{"author/admit", "tests in the making tried on the live site: locators of one element, assertions that are false before and true after", []string{"author/generate", "browser", "browser/selectors", "engine/assertion", "qa", "texts", "browser/explain"}, "sessions and paths in, what is left of the paths out: it writes no file"},
		{"author/script", "test files parsed: JavaScript modules, bounded in size and nesting", nil, "bytes in, a syntax tree or the line that does not parse out: what may stand in it is not its business"},
		{"author/scriptcheck", "which test files of a model may be run: a list of what may stand in their syntax tree", []string{"author/script"}, "a file's bytes in, what keeps it from being run out: it runs nothing and reads no disk"},
		{"author/patch", "which files of a project a model may write: names, sizes, and patches taken apart", nil, "texts in, the files that they make out: it writes nothing"},
		{"author/workcopy", "a repository's last commit in a folder of its own: files written, compared and proposed as a branch", []string{"author/patch", "disk"}, "it runs git where no configuration of others counts, and changes nothing of the user's but one new branch: what the files say is not its business"},
		{"author/normalform", "whether two versions of a test file test the same: syntax trees with the locators of actions masked", []string{"author/script"}, "two texts in, what is tested otherwise out: how a locator is found again is not its business"},
		{"author/lint", "format and style of test files: prettier and eslint of the pinned runner", []string{"browser/driver"}, "texts in, formatted texts and what is wrong in them out: it reads and writes no file of a project"},
		{"author/draft", "tests that stand in a working copy until a person takes them over: checked, formatted, proposed", []string{"author/lint", "author/patch", "author/scriptcheck", "author/workcopy", "browser/driver"}, "it puts the rooms of writing together: what may be written, run and proposed is decided in each of them"},
		{"author/confine", "bounds of what a program can do that runs tests of a model: variables, home, resources, files", nil, "a command in, the same within limits out: what it runs is not its business"},
		{"author/cover", "which assertions of a test file look for what a task expects", []string{"author/script", "qa"}, "a file and demands in, lines out: whether a line was reached, and can fail, others find out"},
		{"author/loop", "rounds in which a model writes a test until it passes, is proved and covers its task, or a guardrail ends them", []string{"agent", "author/confine", "author/cover", "author/draft", "author/lint", "author/prove", "author/testrun", "author/workcopy", "browser/driver", "qa", "qa/code", "texts"}, "it stands between a model and its tools: providers, servers and flags come from outside"},
		{"testfile", "a recorded flow as a Playwright test", []string{"address", "browser/readingorder", "browser/selectors", "qa", "qa/flow", "qa/kpi"}, "a flow in, the text of a Playwright test out: it knows no browser"},
		{"streams", "the program's stdout kept for its answers; whether anybody reads them", nil, "descriptors in, descriptors out: what is written to them is the program's"},
		{"terminal", "marks, colours and redrawn lines of a person's terminal", []string{"texts"}, "streams and lines in, what a person sees of them out: what the lines say is the command's"},
		{"starter", "the files that a project begins with", []string{"config"}, "answers in, files out: what the project has already stays as it is"},
		{"suite", "cases side by side, where each stands and what readers see of it, stored suites to resume", []string{"disk", "qa", "qa/summary", "texts"}, "it runs cases side by side and stores where they stand; how a case is run comes in as a function"},
		{"suite/accept", "readings that runs propose, and flows that programs made: what of them a person accepts", []string{"config", "disk", "engine/rules", "evidence/verify", "qa", "qa/flow", "suite", "suite/load", "suite/spec"}, "runs and files in, readings to accept out: a person's command asks and decides"},
		{"suite/load", "finding, reading, checking and selecting the files of a suite", []string{"browser/egress", "config", "disk", "engine/rules", "nearest", "qa", "qa/flow", "suite", "suite/spec", "tools/workspace"}, "paths in, checked cases out: engine/rules tells it what a selector and a task may be, and how a case is run is not its business"},
		{"suite/merge", "one suite of the shards that several jobs ran", []string{"evidence/verify", "qa", "suite"}, "data folders in, a suite or what keeps it from being one out: printing and documents are others' business"},
		{"suite/notify", "the outcome of a suite as a message to a webhook or a comment on a pull request", []string{"qa", "suite", "texts"}, "it sends what a suite came to; how it came there is not its business"},
		{"suite/publish", "index, JUnit, CTRF and summary of a suite, and its message to a webhook or a pull request", []string{"evidence", "evidence/report", "qa", "suite", "suite/notify", "visual"}, "a suite in, its documents and messages out: how it was run is not its business"},
		{"suite/runner", "running a suite: a request's files as cases, worked by the agent, replayed or run as flows; suites in the background of a server", []string{"agent", "agent/provider", "agent/replay", "agent/rules", "auth", "browser", "browser/guard", "config", "disk", "engine/rules", "evidence/report", "evidence/verify", "nearest", "qa", "qa/flow", "secrets", "server", "suite", "suite/load", "suite/publish", "suite/spec", "testfile", "tools", "tools/flows", "tools/tool", "tools/workspace", "visual", "browser/explain"}, "it puts agent, recordings, tools and files together to run cases; flags, terminals and exit codes are not its business"},
		{"suite/spec", "task files, Markdown specs, their accepted readings", []string{"agent", "internal/document", "nearest", "qa", "qa/claim", "qa/flow"}, "bytes in, tasks, procedures and problems out: who runs them is not its business"},
		{"qa/claim", "what an expectation in words says of a page: closed forms in several languages", []string{"address", "words"}, "a sentence in, what it says of a page out: it knows no page; what a pattern of an address means is decided in a room as pure"},
		{"qa/health", "what anybody would call broken on a page: error pages, leftovers of templates, what stands for no value", []string{"texts"}, "what a page shows in, names of what is broken out: it knows no browser, no clock and no run"},
		{"qa/kpi/kpitest", "test code: how languages write numbers, and figures that they write, by node's Intl", []string{"qa/kpi"}, "test code: it runs the script of the page's browser in node, and judges nothing"},
		{"qa/kpi", "figures: reads numbers as people write them, picks the value of a label from a page's texts, compares, explains", []string{"qa"}, "texts and expected values in, judgements out: it knows no browser, no clock and no oracle"},
		{"trust", "which folders a person trusted, with which settings and the files that they start", []string{"config", "disk", "secrets"}, "claims and files in, records out: it asks nobody, and what follows is wiring's business"},
		{"config", "`mcp.toml` to a typed value", []string{"internal/document", "nearest"}, "it turns a file into values; who uses them is not its business"},
		{"demo", "the sample dashboard, healthy and broken", nil, "it is the thing under test: sharing code with the tester would let both be wrong together"},
		{"demo/sanity", "checking the sample dashboard with the program itself, against the faults that are seeded", []string{"demo", "nearest", "qa", "server", "qa/code"}, "it is a tester of the demo, which knows the program by its protocol"},
		{"internal/testcost", "running the tests: what each package's took and started, against its budget", nil, "it knows go test and the processes below it, and nothing of what is tested"},
		{"internal/othersystems", "type-checking the module as it is built for other systems than this one", nil, "it knows go list and the types of Go, and nothing of what is checked"},
		{"bench", "one program, a benchmark in each folder, beside `bench/wire` and `bench/measure`, which they share", []string{"bench/agent", "bench/author", "bench/endurance", "bench/evidence", "bench/explore", "bench/growth", "bench/health", "bench/look", "bench/peer", "bench/sanity", "bench/tokens", "bench/truth", "bench/visual", "bench/heal"}, "it lists the benchmarks and runs one: what each measures is said in its folder"},
		{"bench/measure", "memory and medians", nil, "numbers, whatever they are of"},
		{"bench/wire", "a process with a client", nil, "it starts any server and speaks the protocol: it must not know which one"},
		{"bench/author", "whether tests that models write end as they should", []string{"agent/wiretest", "bench/measure", "demo"}, "it works the built binary from outside, by models that it scripts"},
		{"bench/sanity", "what making a report costs", []string{"bench/measure", "demo", "evidence/report", "qa"}, "it measures the built binary from outside; the views are made again to time them"},
		{"bench/visual", "against another comparison of pictures", []string{"bench/measure", "browser", "browser/driver", "visual"}, "it times the comparison in process, on pictures that browser takes"},
		{"bench/look", "how often a verdict on a page is wrong", []string{"bench/measure", "bench/wire", "qa/code"}, "it asks the built binary from outside about pages of its own: it must not know how that looks"},
		{"bench/explore", "how well sites are explored, and what the tests made of them are worth", []string{"author/explore", "author/identity", "author/prove", "author/site", "bench/measure", "browser/driver", "browser/scan", "config", "secrets", "tools/author", "tools/workspace", "wiring"}, "it explores in process, with other ways to tell states apart and to choose beside ours; tests are made, run and proved by the built binary"},
		{"bench/evidence", "what evidence costs", []string{"bench/measure", "demo", "evidence", "evidence/ledger", "evidence/report", "evidence/verify", "qa"}, "it files and verifies in process, and measures the built binary beside it"},
		{"bench/tokens", "what a model has to read", []string{"bench/measure", "bench/wire", "browser/driver", "demo"}, "it measures the built binary from outside, as it measures the other server; browser/driver tells it what both run on"},
		{"bench/agent", "what a model's turns cost", []string{"agent/wiretest", "bench/measure", "demo", "qa"}, "it measures the built binary from outside, with a scripted provider behind it"},
		{"bench/growth", "how costs grow with elements, calls, flows and runs", []string{"bench/measure", "bench/wire", "browser/driver"}, "it measures the built binary from outside, beside Playwright's own; browser/driver tells it what both run on"},
		{"bench/heal", "elements that have moved, found again", []string{"author/similar", "browser", "browser/driver"}, "it surveys pages of pinned templates in process, and decides as the healer does"},
		{"bench/health", "what is said of fine pages", []string{"qa"}, "it measures the built binary from outside, and reads its reports"},
		{"bench/truth", "what a passed expectation is worth", []string{"agent/wiretest", "bench/wire", "qa", "qa/claim", "qa/code"}, "it asks the built binary from outside about pages of its own, with scripted providers behind it, and the reader of expectations about sentences of its own"},
		{"bench/endurance", "over time: memory, calls, crashes", []string{"bench/measure", "bench/wire", "demo"}, "it measures the built binary from outside"},
		{"bench/peer", "against another server and a bare script", []string{"bench/measure", "bench/wire", "browser/driver", "demo"}, "it measures the built binary from outside, as it measures the other server; browser/driver tells it what both run on"},
		{"e2e", "tests of the built binary", nil, "tests only: they work the built binary and know it by the protocol"},
	}
}

// dependency says where a package from outside may be imported: in whole
// rooms, or in single files. The longest matching path decides.
type dependency struct {
	path string // itself and what is below it
	in   []string
	why  string
}

func dependencies() []dependency {
	return []dependency{
		{"github.com/mxschmitt/playwright-go", []string{"browser", "browser/driver/install_npm.go"}, "its calls know no context and can hang for ever: only the bridge in browser makes them safe; the installer uses its download, below a limit"},
		{"github.com/mark3labs/mcp-go", []string{"server"}, "the protocol is the server's business"},
		{"github.com/mark3labs/mcp-go/mcp", []string{"server", "tools/tool"}, "a tool's own file speaks in Go types; the adapter around it turns them into protocol types"},
		{"github.com/google/jsonschema-go", []string{"tools/schema", "tools/tool/tool.go", "tools/resources/resources.go"}, "schemas come from Go types in one place; a tool's own file writes none"},
		{"github.com/spf13/cobra", []string{"cmd/assay"}, "flags are the command's business"},
		{"github.com/spf13/pflag", []string{"cmd/assay/usage_errors.go"}, "a mistyped flag is looked for among the others"},
		{"github.com/lmittmann/tint", []string{"cmd/assay"}, "how a log looks is decided where the logger is made"},
		{"golang.org/x/sys", []string{"terminal", "streams", "browser/driver", "cmd/assay/terminal_linux_test.go", "browser/recovery_linux_test.go"}, "the size of a terminal, the descriptor of the answers, and the end and the processors of a driver's processes: each is one place's"},
		{"github.com/BurntSushi/toml", []string{"internal/document/parse_toml.go", "bench/truth/expectations.go"}, "the values of a TOML document have one decoder; a benchmark's sentences are a table that a person edits"},
		{"github.com/pelletier/go-toml/v2", []string{"internal/document/toml_places.go"}, "it tells where a key stands, and nothing of its value: two readers of values would disagree"},
		{"github.com/disintegration/imaging", []string{"visual"}, "it is given only what the bounded decoder made: it would read formats that nobody asked for"},
		{"github.com/orisano/pixelmatch", []string{"visual/pixelmatch_port.go"}, "its defects (origins, translucent pictures, panics) are kept out in one place"},
		{"golang.org/x/text", []string{"qa/kpi", "browser/guard/word_forms.go", "browser/seen", "texts"}, "texts are compared in one form, which is decided in one place; names are judged in every form that a person reads alike"},
		{"golang.org/x/net/idna", []string{"address"}, "hosts beyond ASCII are compared as browsers write them"},
		{"golang.org/x/net/publicsuffix", []string{"address"}, "which hosts are one site is decided in one place"},
		{"image", []string{"visual", "browser/seen", "browser/screenshot_masks.go", "bench/visual", "bench/look/pictures.go", "agent/wiretest/schema/pictures.go"}, "pictures are decoded where their size is bounded first; what a picture must not show is painted over before anybody is given it; pictures with and without a thing tell whether it is seen"},
		{"os/exec", []string{"author/confine/confine.go", "author/lint/lint.go", "author/loop/runs.go", "author/testrun/run.go", "author/testrun/typescript.go", "author/workcopy/git.go", "bench/agent/run.go", "bench/author/main.go", "bench/evidence/flow.go", "bench/evidence/run.go", "bench/explore/crawl.go", "bench/explore/tests.go", "bench/growth/store.go", "bench/heal/versions.go", "bench/health/main.go", "bench/look/speed.go", "bench/look/worker.go", "bench/peer/setup.go", "bench/sanity/main.go", "bench/tokens/main.go", "bench/truth/files.go", "bench/visual/odiff.go", "bench/wire/process.go", "bench/wire/script.go", "browser/driver/install_command.go", "browser/driver/process_alive_unix.go", "browser/driver/process_alive_windows.go", "cmd/assay/author.go", "cmd/assay/init.go", "cmd/assay/open.go", "demo/sanity/variants.go", "internal/othersystems/main.go", "internal/testcost/measure_linux.go", "internal/testcost/packages.go", "internal/testcost/run.go", "qa/kpi/kpitest/intl.go", "secrets/lookup.go", "server/dial_process.go", "trust/record.go", "wiring/try_client.go"}, "whatever starts a program says whose word chose it (docs/trust.md): ours, the person's, or that of a folder that a person trusted; a second way would run what a stranger's folder says"},
		{"html/template", []string{"evidence/report/markup_internal_test.go"}, "it calls methods by name, which makes the linker keep them all: a test holds our escaping against it"},
		{"github.com/gofrs/flock", []string{"disk"}, "files are locked between processes in one way, on every system"},
		{"go.etcd.io/bbolt", []string{"evidence/ledger"}, "what is stored must be checked against its hash on every read"},
		{"golang.org/x/mod", []string{"evidence/attest", "evidence/ledger"}, "trees and signatures have one home, and their store another"},
		{"github.com/secure-systems-lab/go-securesystemslib", []string{"evidence/attest"}, "envelopes are opened where it is known whom to trust"},
		{"github.com/digitorus/timestamp", []string{"evidence/attest"}, "a token is read where it is known what it is about"},
		{"github.com/digitorus/pkcs7", []string{"evidence/attest"}, "a token is read where it is known what it is about"},
		{"github.com/santhosh-tekuri/jsonschema/v6", []string{"agent/wiretest/schema"}, "a scripted provider holds requests against the official description and its own rules; our own arguments are judged by the validator that wrote their schemas"},
		{"golang.org/x/tools/txtar", []string{"agent/wiretest"}, "what a scripted provider answers is written down as files in one"},
		{"github.com/grafana/sobek", []string{"author/cover", "author/normalform", "author/script", "author/scriptcheck"}, "test files are parsed in one place, within bounds; what walks their syntax tree knows its types"},
		{"github.com/bluekeyes/go-gitdiff", []string{"author/patch"}, "patches of a model are taken apart where it is decided what they may do"},
		{"github.com/yuin/goldmark", []string{"suite/spec"}, "specs are Markdown, and nothing else of ours is read as such"},
		{"github.com/goccy/go-yaml", []string{"internal/document/parse_yaml.go"}, "the front matter of specs is YAML: what it says is read as TOML and JSON are"},
		{"github.com/tiktoken-go/tokenizer", []string{"bench/tokens"}, "what a model reads is counted, and nowhere guessed"},
		{"flag", []string{"internal/testcost", "bench", "bench/growth", "bench/explore", "bench/peer", "bench/endurance", "bench/sanity", "bench/visual", "bench/evidence", "bench/tokens", "bench/agent", "bench/author", "bench/look", "bench/health", "bench/truth", "bench/heal"}, "what a person calls has cobra's flags, in cmd/assay"},
	}
}

// law is one rule about the tree.
type law struct {
	name    string
	broken  func(tree) []breach
	granted map[string]string // exceptions, by breach: "file: what" → why it is right there
}

func laws() []law {
	return []law{
		{name: "every folder is a room", broken: unknownRooms},
		{name: "a room imports only what its row says", broken: imports},
		{name: "test code is no part of the product", broken: testCode},
		{name: "a package from outside is imported where its row says", broken: outsideImports, granted: map[string]string{
			"browser/screenshot.go: browser imports image": "reads width and height from the header of its own picture, and decodes no pixel",
		}},
		{name: "no Playwright type leaves browser", broken: playwrightInSignatures},
		{name: "clock, environment and standard streams enter from cmd", broken: worldAccess, granted: map[string]string{
			"browser/options.go: time.Now": "the default of Options.Now, for callers to whom the time of a log entry doesn't matter; cmd gives its own",
		}},
		{name: "whoever starts a program says what environment it gets", broken: inheritedEnvironments},
		{name: "no init function", broken: initFunctions},
		{name: "no mutable package state", broken: mutableState},
		{name: "no regular expression is compiled before main", broken: earlyPatterns},
		{name: "every pattern compiles", broken: brokenPatterns},
		{name: "every list is there, and used", broken: brokenLists},
		{name: "a package has one doc comment", broken: packageDocs},
		{name: "a package's name says what it does", broken: vagueNames},
		{name: "a function fits on a screen", broken: longFunctions},
		{name: "a line fits on a screen", broken: wideLines},
		{name: "a package has a number of files that a reader holds in the head", broken: largePackages},
		{name: "a type's methods lie in a few files", broken: scatteredTypes},
		{name: "nothing names a place outside of the tree", broken: neighbours},
		{name: "whoever verifies writes nothing", broken: verifying},
		{name: "what a folder says is read in one place", broken: secondReaders, granted: map[string]string{
			"cmd/assay/init.go: config.Load": "checks what assay init is about to write, before it is there",
			"cmd/assay/init.go: config.Read": "reads what assay init has just written, to trust that and no more",
		}},
		{name: "a test waits for an event and never sleeps", broken: sleepingTests},
		{name: "no wait goes on without its caller's deadline", broken: endlessWaits, granted: endlessWaitsGranted()},
		{name: "no context and no timer is without a parent", broken: parentless, granted: parentlessGranted()},
		{name: "browser explains its failures in one room", broken: errorsMadeElsewhere},
		{name: "the browser's side has its times in one table", broken: timesElsewhere, granted: map[string]string{
			"browser/explain/page.go: a time in browser/explain": "how exactly an age is told; nothing waits for it",
		}},
		{name: "nothing is decided by a sentence for readers", broken: wordsReadBack, granted: wordsReadBackGranted()},
	}
}

// TestLaws holds the whole tree to every law.
func TestLaws(t *testing.T) {
	source, err := readTree(os.DirFS("."))
	if err != nil {
		t.Fatalf("read the source: %v", err)
	}
	if len(source.byRoom()) < 5 {
		t.Fatalf("only %d rooms found: the laws would pass on nothing", len(source.byRoom()))
	}
	for _, l := range laws() {
		t.Run(l.name, func(t *testing.T) {
			unused := maps.Clone(l.granted)
			for _, b := range l.broken(source) {
				key := b.file + ": " + b.what
				if _, ok := l.granted[key]; ok {
					delete(unused, key)
					continue
				}
				t.Error(b)
			}
			for key := range unused {
				t.Errorf("the exception %q is not needed any more: remove it", key)
			}
		})
	}
}

// unknownRooms finds folders that no row describes.
func unknownRooms(t tree) []breach {
	var out []breach
	for folder, files := range t.byRoom() {
		if _, ok := rowOf(folder); !ok {
			out = append(out, t.breach(files[0], files[0].syntax.Name, "a folder without a row may import anything; give it one in rooms(), with its reason, and in ARCHITECTURE.md", "%s is no room", folder))
		}
	}
	return out
}

// rowOf finds the row of a folder. What helps other rooms' tests lives in
// <room>/<room>test and has the rights of its room.
func rowOf(folder string) (room, bool) {
	for _, r := range rooms() {
		if folder == r.folder || folder == r.folder+"/"+path.Base(r.folder)+"test" {
			return r, true
		}
	}
	return room{}, false
}

// everywhere reports whether every room may import one of ours: it stands for a package
// of the standard library or for a type of its own, and knows as little of ours.
func everywhere(room string) bool { return room == "pattern" || room == "wait" || room == "pagetext" }

// imports finds imports of ours that a row doesn't grant. Tests are free: they
// may put rooms together that the product keeps apart.
func imports(t tree) []breach {
	var out []breach
	for _, f := range t.product() {
		row, ok := rowOf(f.room())
		if !ok || slices.Contains(row.may, "*") {
			continue
		}
		for _, spec := range f.syntax.Imports {
			ours, ok := strings.CutPrefix(importPath(spec), modulePath+"/")
			if ok && ours != row.folder && !everywhere(ours) && !slices.Contains(row.may, ours) {
				out = append(out, t.breach(f, spec, row.why, "%s imports %s", f.room(), ours))
			}
		}
	}
	return out
}

// testRooms are the rooms of test code.
var testRooms = map[string]bool{"agent/wiretest": true, "agent/wiretest/schema": true, "browser/browsertest": true, "qa/kpi/kpitest": true, "pattern/patterntest": true}

// testCode finds imports of what only tests and benchmarks may use: nothing of it
// is linked into the program.
func testCode(t tree) []breach {
	var out []breach
	for _, f := range t.product() {
		for _, spec := range f.syntax.Imports {
			ours, _ := strings.CutPrefix(importPath(spec), modulePath+"/")
			if testRooms[ours] && !testRooms[f.room()] && !strings.HasPrefix(f.room(), "bench/") {
				out = append(out, t.breach(f, spec, "test code serves tests and benchmarks: what it brings along would be linked into the program", "%s imports %s", f.room(), ours))
			}
		}
	}
	return out
}

// outsideImports finds third-party packages, and those of the standard library
// that have a row, outside of their places.
func outsideImports(t tree) []breach {
	var out []breach
	for _, f := range t.product() {
		for _, spec := range f.syntax.Imports {
			p := importPath(spec)
			d, ok := dependencyOf(p)
			switch {
			case ok && !slices.Contains(d.in, f.room()) && !slices.Contains(d.in, f.path):
				out = append(out, t.breach(f, spec, d.why, "%s imports %s", f.room(), d.path))
			case !ok && thirdParty(p):
				out = append(out, t.breach(f, spec, "a new dependency needs a row in dependencies() that says which room it serves, and why", "%s imports %s", f.room(), p))
			}
		}
	}
	return out
}

func dependencyOf(importPath string) (dependency, bool) {
	var best dependency
	for _, d := range dependencies() {
		if (importPath == d.path || strings.HasPrefix(importPath, d.path+"/")) && len(d.path) > len(best.path) {
			best = d
		}
	}
	return best, best.path != ""
}

func thirdParty(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return strings.Contains(first, ".") && importPath != modulePath && !strings.HasPrefix(importPath, modulePath+"/")
}
