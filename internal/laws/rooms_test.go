// Package laws_test holds the laws of the tree: which room may import what,
// where the outside world may enter, and what shape a file has. They read the
// source with the standard library alone and need no installed tool.
//
// A law refuses without appeal to taste: each failure carries its reason, and
// each law is shown to fail on a source that breaks it.
package laws_test

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
		{"cmd/assay-broker", "the program of the queue's server", []string{"suite/queue/broker"}, "settings in, a server until its input ends: assay does not link it"},
		{"cmd/assay", "flags, configuration, logger, signals, exit codes", []string{"*"}, "it calls whatever a command is about"},
		{"internal/wiring", "settings, and the pool, stores, workspace, provider, runner and server made from them", []string{"agent/provider", "author/draft", "author/explore", "author/heal", "author/loop", "author/reset", "author/script", "author/testrun", "author/workcopy", "browser", "browser/driver", "browser/egress", "browser/guard", "browser/scan", "config", "evidence", "evidence/attest", "evidence/baseline", "evidence/ledger", "evidence/report", "evidence/retain", "evidence/verify", "internal/auth", "internal/disk", "internal/secrets", "internal/starter", "internal/text", "internal/trust", "qa", "qa/flow", "server", "suite", "suite/accept", "suite/load", "suite/publish", "suite/runner", "tools", "tools/author", "tools/pagehealth", "tools/resources", "tools/tool", "tools/workspace"}, "files, variables and flags in, the values that commands work with out: flags, terminals and exit codes are the command's"},
		{"server", "MCP over stdio", []string{"internal/text"}, "it takes tools as values: the protocol must be replaceable without touching what it serves"},
		{"internal/auth", "stored sign-ins of roles: where, sealed, whose turn", []string{"internal/disk"}, "where sign-ins lie and how they are sealed: how one is had, and what a page does with it, is not its business"},
		{"internal/address", "patterns of addresses and of requests, what is one site", nil, "patterns and addresses in, a yes or a no out: one meaning for all who ask, so it belongs to none of them"},
		{"tools", "the catalogue, one file a tool", []string{"author/draft", "author/workcopy", "browser", "browser/driver", "browser/explain", "browser/input", "evidence/baseline", "internal/address", "internal/text", "qa", "qa/code", "qa/flow", "tools/assertion", "tools/engine", "tools/flowpage", "tools/flows", "tools/kpicheck", "tools/pagehealth", "tools/rules", "tools/schema", "tools/tool", "tools/visualcheck", "tools/workspace", "visual"}, "a tool composes hands, eyes, memory and judgement; who serves it and how a report looks is not its business"},
		{"tools/tool", "what all tools have: definition, one call from its arguments to its answer", []string{"browser", "browser/explain", "browser/input", "browser/trace", "evidence", "internal/auth", "internal/text", "qa", "qa/code", "qa/flow", "tools/assertion", "tools/engine", "tools/flowpage", "tools/schema", "tools/signin", "tools/workspace", "visual"}, "it is what every tool is made with, so it knows none of them; figures, pictures of baselines and flows are rooms above it"},
		{"tools/workspace", "what the calls of a client share: settings, open run, sessions, sign-ins, traces, traffic, secrets; the calls of a run as a flow that repeats it", []string{"author/draft", "browser", "browser/explain", "browser/input", "browser/rest", "browser/trace", "evidence", "internal/address", "internal/auth", "internal/text", "qa", "qa/flow", "tools/engine", "tools/rules", "tools/schema", "tools/signin", "tools/visualcheck"}, "calls come and go, and it stays: it knows runs and sessions, and no call; calls in, a flow or the reason for none out: it sees no page and files nothing"},
		{"tools/schema", "JSON Schemas of tools and of the domain; arguments held against them", []string{"browser", "internal/text", "qa", "tools/engine"}, "Go types in, schemas out: what an argument means is the business of its tool"},
		{"tools/flows", "flows run within a call, and what is filed of them; comparisons of figures within a call: oracle, ranges, steps, what is filed; comparisons with baselines within a call, and what is filed of them", []string{"browser", "browser/explain", "browser/trace", "evidence", "internal/text", "qa", "qa/code", "qa/flow", "qa/health", "tools/assertion", "tools/engine", "tools/flowpage", "tools/kpicheck", "tools/pagehealth", "tools/rules", "tools/tool", "tools/visualcheck", "tools/workspace", "visual"}, "it files what a flow did; which step follows is qa/flow's business, and how one is done is tools/flowpage's; it stands between a call and tools/kpicheck; a range is brought about by steps, so it knows flows; it stands between a call and tools/visualcheck, for tools and for steps of flows"},
		{"tools/pagehealth", "what is broken on a page that a call looks at; assay check", []string{"browser", "browser/explain", "internal/text", "qa", "qa/health", "tools/engine", "tools/flowpage", "tools/tool", "tools/workspace", "visual"}, "it brings what a page shows to the judge, and files what that finds"},
		{"tools/author", "sites explored, tests made of them, run and proved, what a person does recorded, with sessions of a workspace", []string{"author/admit", "author/byhand", "author/explore", "author/generate", "author/heal", "author/plan", "author/prove", "author/reset", "author/site", "author/testfile", "author/testrun", "browser", "browser/explain", "browser/guard", "browser/record", "browser/rest", "browser/scan", "browser/selectors", "evidence", "evidence/ledger", "internal/auth", "internal/disk", "qa", "suite", "tools/engine", "tools/login", "tools/pagehealth", "tools/signin", "tools/workspace", "visual"}, "it gives an exploration pages to work on and a folder; what is tried next is not its business"},
		{"author/script/scripttest", "test code: the parser of test files that this machine has installed", []string{"author/script", "browser/browsertest", "browser/driver"}, "test code: it starts the parser, and knows nothing of what is tested with it"},
		{"tools/login", "roles signed in and their sign-ins checked, outside of every run", []string{"browser", "internal/auth", "qa/flow", "tools/engine", "tools/signin", "tools/tool", "tools/workspace"}, "it signs in, proves it and stores it; a run is not its business"},
		{"tools/resources", "what links in answers lead to", []string{"evidence", "evidence/baseline", "qa", "qa/flow", "tools/engine", "tools/schema", "tools/workspace"}, "addresses in, stored bytes out, masked: it changes nothing"},
		{"tools/engine", "what engines and the catalogue share: errors with a code and a next step; records for a run", []string{"browser", "browser/explain", "evidence", "evidence/baseline", "internal/text", "qa", "qa/code", "visual"}, "what engines and the catalogue share: an error has its code in one place, so it knows the errors of the rooms below; it files nothing"},
		{"tools/flowpage", "a session as a flow runs on it: steps, assertions, recorded elements, whose fault a failed step is", []string{"browser", "browser/explain", "browser/input", "qa", "qa/code", "qa/flow", "tools/assertion", "tools/engine"}, "it does steps and looks; what a step is, and how a flow goes on, is qa/flow's, and its pictures and records are the tools'"},
		{"tools/assertion", "assertions about a page: waiting, a second look, absence, the counter-check", []string{"browser", "browser/explain", "browser/selectors", "qa", "qa/code", "qa/kpi", "tools/engine"}, "it looks and compares, and files nothing; what counts as an error of the console, and what was seen before, it is given by the call"},
		{"tools/signin", "signing sessions in as roles: by a login flow, by a person, and again when it has ended", []string{"browser", "browser/explain", "browser/rest", "browser/scan", "internal/address", "internal/auth", "qa/code", "qa/flow", "tools/engine"}, "it knows pages that ask to sign in and flows that do it: where sign-ins are stored, and what is filed of one that fails, is not its business"},
		{"tools/visualcheck", "the pictures of a page beside those of a baseline: what differs, why, and what follows", []string{"browser", "browser/input", "browser/rest", "evidence/baseline", "qa", "qa/code", "tools/engine", "visual", "visual/layout"}, "it returns pictures, rows, checks and findings and files none; it proposes versions of a baseline, and cannot approve one"},
		{"tools/kpicheck", "the figures of a page beside those of an oracle, range by range; expected values of KPIs: a task's, a caller's, or an endpoint's answer", []string{"browser", "browser/explain", "browser/input", "internal/text", "qa", "qa/code", "qa/flow", "qa/kpi", "tools/engine", "visual"}, "it returns rows, checks and findings and files none; what it needs of the call that runs it, it names in an interface of four methods; a spec and a session in, expected values out: what is compared with them is not its business"},
		{"tools/rules", "what this build accepts in flows and tasks beyond their form", []string{"browser", "browser/explain", "browser/input", "internal/text", "qa", "qa/flow", "tools/kpicheck"}, "flows and tasks in, mistakes out: it knows what a selector, an address and a pointer are, and opens no page"},
		{"browser", "Playwright: pool, sessions, actions, outlines, pictures", []string{"browser/act", "browser/driver", "browser/egress", "browser/eventlog", "browser/explain", "browser/guard", "browser/input", "browser/outline", "browser/readingorder", "browser/record", "browser/redact", "browser/rest", "browser/scan", "browser/seen", "browser/selectors", "browser/spare", "browser/trace", "internal/address", "internal/disk", "internal/text", "qa/code", "qa/element"}, "it looks and acts; what a value means is decided elsewhere, so nothing of ours belongs here but the browser's way out and what judges addresses and destruction without a page"},
		{"browser/driver", "finding, installing and checking driver and browser; the driver's temporary folder; memory of a browser's processes, and which of them run a page", []string{"browser/rest"}, "a machine in, the paths of a driver and a browser out: it knows no session and no page; a process and a connection to a page in, numbers out: what is too much, and what follows, is not its business"},
		{"browser/explain", "the errors of a browser's calls: facts in, a sentence with a code and a next step out", []string{"internal/text", "qa/code"}, "it knows no page and no driver: what is looked at to find out why, and when, is not its business"},
		{"browser/act", "the steps of an act on one element: a look, the guard's word, the act at once or when it can be done, what is noted, read and awaited after it", []string{"browser/eventlog", "browser/input", "browser/rest"}, "a page and an act in, facts out: how a page is reached, and in what words it is told, is not its business"},
		{"browser/input", "what a caller asks to be done to a page: steps, keys, texts, files; what can't be done as it is written", []string{"browser/egress", "browser/explain", "browser/rest", "browser/selectors", "internal/disk", "internal/text"}, "values in, a refusal out, before a page is touched: how a step is done, and what it causes, is not its business"},
		{"browser/eventlog", "what a session's pages said, asked for and opened: console, requests, refusals, dialogs, popups, downloads; HAR", []string{"browser/egress", "browser/redact", "browser/rest", "internal/address", "internal/text"}, "what a driver tells of in, what came since a moment out: it knows no driver, and no Playwright type"},
		{"browser/spare", "one thing that is made before it is asked for, and dropped when nobody takes it", []string{"browser/rest"}, "it knows when something is made and dropped; what that is its owner says"},
		{"browser/redact", "credentials left out of addresses, headers and bodies", nil, "texts in, the same without credentials out: one meaning for logs, HAR files and traces"},
		{"browser/trace", "the driver's traces rewritten: without secrets, with the tools' calls as groups", []string{"browser/redact"}, "a folder of a driver in, a zip without secrets out: it knows no browser and no session"},
		{"browser/selectors", "the grammar of selectors: lines of a snapshot, CSS, XPath, texts, frames", []string{"internal/text"}, "a text in, what a selector consists of out: what it finds is decided in a page"},
		{"browser/browsertest", "test code: pools of the browser that this machine has installed", []string{"browser", "browser/driver"}, "test code: it starts a browser, and knows nothing of what is tested with it"},
		{"browser/rest", "every wait of browser: for an answer, an event, a signal, within its caller's context; which answers are waited for; the table of all limits", nil, "channels and calls in, their end or that of a context out; facts of requests in, those to wait for out: who observes a page, and how, is not its business"},
		{"browser/record", "what a person does in a window, told by documents in a world of their own and by the browser; what is seen of a tab", []string{"browser/outline", "browser/rest"}, "a connection to a page in, acts and lines out: what becomes of them is not its business"},
		{"browser/scan", "one look at a page for an explorer: its tree, its elements, its forms, what of its scripts ran", []string{"qa/element"}, "values: what a page answers, and what is made of it, is not its business"},
		{"browser/outline", "the scripts that read a page: one engine for sessions, one function that surveys elements for pages that others work", []string{"browser/readingorder"}, "scripts out, and nothing in: who runs them, and where, is not its business"},
		{"browser/readingorder", "the order in which a person reads what stands on the screen, as a script of pages and of Playwright tests", nil, "a script out, and nothing in: who runs it, and where, is not its business"},
		{"browser/seen", "what a person sees: words in painted pieces of text, three pictures with and without a thing", []string{"internal/text"}, "what was measured and photographed in, what a person sees out: it knows no browser"},
		{"browser/egress", "which hosts a browser may reach; the forward proxy", nil, "hosts and addresses in, a yes or a no out"},
		{"browser/guard", "what is destructive, by name or by what a request does", nil, "patterns and texts in, a rule out: what judges every request must be pure"},
		{"visual", "pictures: size, scaling, what differs between two, and where", nil, "pixels in, numbers out: it knows no page and no run"},
		{"visual/layout", "which elements are behind the places that differ, and which of them are the cause", []string{"internal/text", "qa"}, "what two pages consisted of and where their pictures differ in, named causes out: it sees no pixel and no page"},
		{"evidence/ledger", "sealed records and the log of events, in one file that processes share; bytes under their SHA-256, a file each; names of the files of a data folder and of a run", []string{"evidence/attest", "internal/disk"}, "records and events that were sealed come back as they were, or not at all: what they tell is not its business; bytes in, their digest out: what they are is not its business; names of files: what is in them is not its business"},
		{"evidence/attest", "signatures and proofs: checkpoints, statements, time-stamps", nil, "bytes in, signatures and proofs out: it opens no file, so that whoever verifies needs nothing else"},
		{"evidence/verify", "runs, bundles and data folders checked against what was signed", []string{"evidence/attest", "evidence/ledger", "internal/disk", "internal/text", "qa"}, "a mistake of the rooms that wrote the evidence must not be shared by what verifies it"},
		{"evidence/bundle", "one zip with all that is needed to check a run elsewhere", []string{"evidence/attest", "evidence/ledger", "internal/disk", "internal/text", "qa"}, "a run's folder and its proofs in, one zip out: it quotes the report, and judges nothing"},
		{"evidence/retain", "deleting what is old enough, and holds", []string{"evidence/ledger", "internal/disk", "internal/text"}, "what is old enough goes, and the log says so: it decides by age and by holds alone"},
		{"evidence/baseline", "the pictures that names stand for, their versions, proposals and approvals", []string{"evidence/ledger", "internal/disk", "internal/text", "qa"}, "which picture a name stands for, and who approved it: how pictures are made and compared is not its business"},
		{"evidence", "runs, artefacts, hashes, the event log", []string{"evidence/attest", "evidence/ledger", "internal/disk", "internal/text", "qa"}, "it stores what was judged; views are handed in as values, so that storage depends on no format"},
		{"evidence/report", "JSON, HTML, Markdown, JUnit and CTRF views of a report; index, summary and JUnit of a suite; the page of an explored site", []string{"internal/text", "qa", "qa/summary"}, "a view shows what a report holds; it can't reach into the store"},
		{"qa", "tasks, checks, findings, reports, the verdict", []string{"internal/address", "internal/text", "qa/claim", "qa/code"}, "the judgement is pure: no I/O, no clock, nothing that could be argued with; what a pattern of an address means, and which word was meant, it asks rooms as pure"},
		{"qa/code", "names of the kinds of failure, in one table", nil, "names in one table, for every room that fails or reads why: it knows none of them"},
		{"qa/element", "an element of a page: what it is called, how it is found, and whether one that is met or surveyed is it", nil, "what is known of elements in, a decision out: it sees no page"},
		{"qa/summary", "what readers see of a suite: its cases, their counts, its outcome", []string{"internal/text", "qa"}, "values and counts: how a suite is run, and how a view of it looks, is not its business"},
		{"internal/disk", "files that are whole after a crash, locks between processes; what a disk refused, in words", nil, "files, their locks and what a disk refuses: what is in them is not its business"},
		{"internal/text", "shortening and counting for messages; where a text stands as whole words and numbers; texts with values filled in, in the language of text/template; the known word that was most likely meant", nil, "numbers and texts in, a text for a reader out: what it tells of is not its business; texts in, a yes or a no out: who looks for a word, on a page or in a sentence, is not its business; texts and values in, a text out: what is written is not its business; words in, a word out: who misspelt what is not its business"},
		{"internal/wait", "waiting for a time or a place that a context can end; contexts of clean-up; jobs in the background of a server", nil, "a time in, nothing out: it stands for timers and contexts, so every room may import it; what is waited for is not its business"},
		{"internal/pagetext", "the type of words that a page chose, and the writers that escape or mark them", []string{"internal/text"}, "whoever has words of a page has them by this type, so it knows none of those who do"},
		{"internal/pattern", "regular expressions, and embedded lists of them and of words, read on their first use", nil, "the text of an expression or of a list in, its matches out: it stands for regexp, so every room may import it"},
		{"internal/secrets", "values of `[secrets]`, and their masks", []string{"internal/disk"}, "it knows where values come from and how to hide them; who types or shows them is not its business"},
		{"internal/document", "TOML, JSON and YAML read into one tree with lines, and strictly into Go values", []string{"internal/text"}, "bytes and types in, values and problems with lines out: what a key means is the business of whoever has the type"},
		{"qa/flow", "user flows: steps, files, a bounded run with retries", []string{"internal/document", "internal/text", "qa", "qa/code", "qa/element"}, "a flow is judged and run on any page that can be clicked: bytes, clock and page come in, so nothing of ours but the judgement belongs here"},
		{"agent", "the loop of a model's turns and tool calls, its budgets and guardrails", []string{"internal/text", "qa", "qa/code"}, "the loop knows tools and models by interfaces of its own: no wire, no browser, no store"},
		{"agent/rules", "a model without a model: plans from the task alone, and works steps that closed forms read", []string{"agent", "internal/text", "qa", "qa/claim", "qa/code"}, "it is one model among others, and knows the tools by their public names"},
		{"agent/openai", "OpenAI's Responses API, and Azure's", []string{"agent"}, "one wire behind agent.Model: what it carries, and who asks, is not its business"},
		{"agent/anthropic", "Anthropic's Messages API", []string{"agent"}, "one wire behind agent.Model: what it carries, and who asks, is not its business"},
		{"agent/gemini", "Google's Gemini API", []string{"agent"}, "one wire behind agent.Model: what it carries, and who asks, is not its business"},
		{"agent/chat", "Chat Completions, as local servers speak it", []string{"agent"}, "one wire behind agent.Model: what it carries, and who asks, is not its business"},
		{"agent/provider", "the configured provider of models: its key, address and check, the circuit breaker", []string{"agent", "agent/anthropic", "agent/chat", "agent/gemini", "agent/openai", "agent/rules", "config", "internal/secrets", "qa"}, "it chooses among the wires, and knows what each needs; tools, pages and suites are not its business"},
		{"internal/exampletest", "test code: the fenced blocks of documents, their commands, and what these must print", nil, "test code: text in, examples out; who runs them, and beside which site, is the business of the tests"},
		{"internal/wiretest", "test code: scripted providers on loopback, one for each wire, that judge requests and inject faults; test code: requests held against the official descriptions and rules of providers", nil, "test code: who judges a wire must not share a mistake with whom it judges; test code: decoded JSON in, problems out; it knows no conversation, and nothing of what it judges"},
		{"agent/replay", "a passing agent run as a flow that replays without a model; healing of its locators", []string{"agent", "internal/text", "qa", "qa/flow"}, "what a model did becomes a flow: calls and answers in, steps out"},
		{"author/explore", "exploring a site: looking, choosing, acting, the graph of states, budgets; a model's choice among the next actions of an exploration, by number; what of a site's scripts ran, added up; values for the fields of a form: valid ones, and one for each constraint that breaks it; the actions that an exploration could do next, and which of them is next; which looks at a page show the same state: place, shape, what changes by itself; what an exploration found, as a page and as what its verdict is computed from", []string{"agent", "author/site", "browser/guard", "browser/scan", "evidence/report", "internal/address", "qa"}, "it works any page that can be looked at and acted on: browser, files and clock come in; a question in, a number of its list out: what is done with it is the exploration's; counts in, sums out: it knows no browser; what a field takes in, values out: it fills nothing; it counts what is alike and chooses: what an action is, it is told; looks in, names of states out: it opens no page; a site in, the values of its page and the record of its verdict out: how a page is written is the report's"},
		{"author/site", "what an exploration found: states, edges, findings, coverage; site.json", []string{"internal/disk", "qa/element"}, "values and their file: who explores, and what is made of it, is not its business"},
		{"author/plan", "test plans: test-plan.md read and printed, and made of what an exploration found", []string{"author/site", "internal/text", "qa/flow"}, "a file or a site in, a plan out: it opens no page and knows no test"},
		{"author/reset", "sites under test set back to their seed data, by a request or by a command", []string{"browser/driver", "browser/egress", "browser/guard", "browser/redact", "internal/address"}, "a site and a way in, the site as it was out: who works it then, and where the way is written, is not its business"},
		{"author/testrun", "Playwright tests run by the project's own runner or the pinned one, and their results filed; bounds of what a program can do that runs tests of a model: variables, home, resources, files", []string{"browser/driver", "browser/egress", "evidence", "internal/trust", "qa", "suite", "suite/publish"}, "it runs tests that somebody wrote and files what came of them: how they are made, and whether they can fail, is not its business; a command in, the same within limits out: what it runs is not its business"},
		{"author/prove", "proof that tests can fail: faults brought about in the page, and which expectations notice", []string{"author/testfile", "author/testrun", "browser/outline", "evidence", "internal/text", "qa", "qa/element", "suite/load"}, "it watches tests, breaks pages and counts: how tests are run and where results lie it is given"},
		{"author/heal", "failing tests whose acts get new locators, held to what they tested and noticed before", []string{"author/plan", "author/prove", "author/script", "author/site", "author/testfile", "author/testrun", "browser/driver", "browser/selectors", "evidence", "internal/disk", "internal/text", "qa", "qa/element", "qa/flow", "suite/load", "tools/rules", "visual"}, "it decides what may change in a test, and whether that did; how a test is run and proved is not its business"},
		{"author/generate", "Playwright tests made of plans and sites: paths, the order of locators, files that a person keeps", []string{"author/plan", "author/site", "author/testfile", "browser/selectors", "internal/address", "internal/disk", "internal/text", "qa", "qa/flow"}, "files in, files out: whether an assertion can be relied on is found out by a function that it is given"},
		{"author/byhand", "a person's acts as a flow, with assertions proposed of what was seen to change", []string{"author/explore", "browser", "browser/record", "browser/rest", "internal/text", "qa", "qa/flow"}, "acts and looks in, a flow out: it opens no window, writes no file and runs nothing of what it makes"},
		{"author/admit", "tests in the making tried on the live site: locators of one element, assertions that are false before and true after", []string{"author/generate", "author/plan", "browser", "browser/explain", "browser/guard", "browser/input", "browser/selectors", "internal/address", "internal/text", "qa", "qa/flow", "tools/assertion"}, "sessions and paths in, what is left of the paths out: it writes no file"},
		{"author/script", "test files parsed as their runner does, by its parser in a confined process; which test files of a model may be run: a list of what may stand in their syntax tree; whether two versions of a test file test the same: syntax trees with the locators of actions masked; which assertions of a test file look for what a task expects", []string{"browser/driver", "qa"}, "bytes in, a syntax tree or the line that does not parse out: what may stand in it is not its business; a file's bytes in, what keeps it from being run out: it runs nothing but the parser, and reads no disk; two texts in, what is tested otherwise out: how a locator is found again is not its business; a file and demands in, lines out: whether a line was reached, and can fail, others find out"},
		{"author/workcopy", "a repository's last commit in a folder of its own: files written, compared and proposed as a branch; which files of a project a model may write: names, sizes, and patches taken apart", []string{"internal/disk"}, "it runs git where no configuration of others counts, and changes nothing of the user's but one new branch: what the files say is not its business; texts in, the files that they make out: it writes nothing"},
		{"author/draft", "tests that stand in a working copy until a person takes them over: checked, formatted, proposed; format and style of test files: prettier and eslint of the pinned runner", []string{"author/script", "author/workcopy", "browser/driver"}, "it puts the rooms of writing together: what may be written, run and proposed is decided in each of them; texts in, formatted texts and what is wrong in them out: it reads and writes no file of a project"},
		{"author/loop", "rounds in which a model writes a test until it passes, is proved and covers its task, or a guardrail ends them", []string{"agent", "author/draft", "author/prove", "author/script", "author/testrun", "author/workcopy", "browser/driver", "internal/text", "qa", "qa/code"}, "it stands between a model and its tools: providers, servers and flags come from outside"},
		{"author/testfile", "a recorded flow as a Playwright test", []string{"browser/readingorder", "browser/selectors", "internal/address", "qa", "qa/flow", "qa/kpi"}, "a flow in, the text of a Playwright test out: it knows no browser"},
		{"internal/terminal", "marks, colours and redrawn lines of a person's terminal; the program's stdout kept for its answers; whether anybody reads them", []string{"internal/text"}, "streams and lines in, what a person sees of them out: what the lines say is the command's; descriptors in, descriptors out: what is written to them is the program's"},
		{"internal/starter", "the files that a project begins with, and the settings of clients", []string{"config", "internal/text"}, "answers in, files out: what the project has already stays as it is"},
		{"suite", "cases side by side, where each stands and what readers see of it, stored suites to resume", []string{"internal/disk", "internal/text", "qa", "qa/summary"}, "it runs cases side by side and stores where they stand; how a case is run comes in as a function"},
		{"suite/accept", "readings that runs propose, and flows that programs made: what of them a person accepts", []string{"config", "evidence/verify", "internal/disk", "qa", "qa/flow", "suite", "suite/load", "suite/spec", "tools/rules"}, "runs and files in, readings to accept out: a person's command asks and decides"},
		{"suite/load", "finding, reading, checking and selecting the files of a suite", []string{"browser/egress", "config", "internal/disk", "internal/text", "qa", "qa/flow", "suite", "suite/spec", "tools/rules", "tools/workspace"}, "paths in, checked cases out: tools/rules tells it what a selector and a task may be, and how a case is run is not its business"},
		{"suite/publish", "index, JUnit, CTRF and summary of a suite, and its message to a webhook or a pull request; one suite of the shards that several jobs ran; the outcome of a suite as a message to a webhook or a comment on a pull request", []string{"evidence", "evidence/report", "evidence/verify", "internal/text", "qa", "suite", "visual"}, "a suite in, its documents and messages out: how it was run is not its business; data folders in, a suite or what keeps it from being one out: printing and documents are others' business; it sends what a suite came to; how it came there is not its business"},
		{"suite/runner", "running a suite: a request's files as cases, or pages that are checked, worked by the agent, replayed or run as flows; suites in the background of a server", []string{"agent", "agent/provider", "agent/replay", "agent/rules", "author/testfile", "browser", "browser/egress", "browser/explain", "browser/guard", "config", "evidence", "evidence/report", "evidence/verify", "internal/auth", "internal/disk", "internal/secrets", "internal/text", "qa", "qa/flow", "server", "suite", "suite/load", "suite/publish", "suite/spec", "suite/workers", "tools", "tools/flows", "tools/pagehealth", "tools/rules", "tools/tool", "tools/workspace", "visual"}, "it puts agent, recordings, tools and files together to run cases; flags, terminals and exit codes are not its business"},
		{"suite/queue", "cases handed to workers for a lease, and their verdicts, by NATS JetStream", nil, "jobs and verdicts as bytes, in and out: what a case is, and what a verdict is worth, is not its business"},
		{"suite/queue/broker", "the server of the queue", nil, "an address and a folder in, a server out: the program does not link it"},
		{"suite/queue/files", "files of cases and their runs between coordinator and workers, by digest", []string{"evidence/ledger", "internal/disk"}, "bytes in and out by their SHA-256: what they are is not its business"},
		{"suite/workers", "a suite's cases run by workers: what each gets, signs and sends, which verdicts count; the processes of one machine", []string{"evidence/attest", "evidence/ledger", "evidence/verify", "internal/disk", "qa", "suite", "suite/queue"}, "it decides which verdicts count; how a case is run comes in as a function"},
		{"suite/watch", "waiting for files to change, and which cases a change can affect", []string{"internal/disk", "qa"}, "files and what runs loaded in, files of cases out: it reads no case and runs none"},
		{"suite/spec", "task files, Markdown specs, their accepted readings", []string{"agent", "internal/document", "internal/text", "qa", "qa/claim", "qa/flow"}, "bytes in, tasks, procedures and problems out: who runs them is not its business"},
		{"qa/claim", "what an expectation in words says of a page: closed forms in several languages", []string{"internal/address", "internal/text"}, "a sentence in, what it says of a page out: it knows no page; what a pattern of an address means is decided in a room as pure"},
		{"qa/health", "what anybody would call broken on a page: error pages, leftovers of templates, what stands for no value", []string{"internal/text"}, "what a page shows in, names of what is broken out: it knows no browser, no clock and no run"},
		{"qa/kpi/kpitest", "test code: how languages write numbers, and figures that they write, by node's Intl", []string{"qa/kpi"}, "test code: it runs the script of the page's browser in node, and judges nothing"},
		{"qa/kpi", "figures: reads numbers as people write them, picks the value of a label from a page's texts, compares, explains", []string{"qa"}, "texts and expected values in, judgements out: it knows no browser, no clock and no oracle"},
		{"internal/queuetest", "test code: the broker that people run, killed and started again", []string{"suite/queue"}, "test code: it starts the broker, and knows nothing of what is tested with it"},
		{"internal/trust", "which folders a person trusted, with which settings and the files that they start", []string{"config", "internal/disk", "internal/secrets"}, "claims and files in, records out: it asks nobody, and what follows is wiring's business"},
		{"config", "`mcp.toml` to a typed value", []string{"internal/address", "internal/document", "internal/text"}, "it turns a file into values; who uses them is not its business"},
		{"internal/demo", "the sample dashboard, healthy and broken; checking the sample dashboard with the program itself, against the faults that are seeded", []string{"internal/text", "qa", "qa/code", "server"}, "it is the thing under test: sharing code with the tester would let both be wrong together; it is a tester of the demo, which knows the program by its protocol"},
		{"internal/release", "the licences of what is linked into the program; how a copy was installed, is called and is upgraded", []string{"internal/text"}, "a path and what the linker wrote down in, words out: it fetches and starts nothing"},
		{"packaging", "the packages of a release, made of the programs that GoReleaser has built", []string{"internal/release", "packaging/site"}, "built programs in, packages out: what a program does is not its business"},
		{"packaging/site", "the pages of the documentation: of the documents, the catalogue and the program's help", []string{"author/draft", "tools", "tools/tool", "tools/workspace"}, "documents, the catalogue and what the program prints in, pages out: what a tool does is not its business, and no room below may need it"},
		{"packaging/registry", "packed npm packages, served as a registry serves them", nil, "a folder in, answers to npm out: what the packages have in them is not its business"},
		{"internal/testcost", "running the tests: what each package's took and started, against its budget", nil, "it knows go test and the processes below it, and nothing of what is tested"},
		{"internal/othersystems", "type-checking the module as it is built for other systems than this one", nil, "it knows go list and the types of Go, and nothing of what is checked"},
		{"internal/helpdesk", "an application with a state on its server, which explorations and the tests made of them are tried on", []string{"internal/wait"}, "it is the thing under test: sharing code with the tester would let both be wrong together; the program does not link it"},
		{"bench", "one program, a benchmark in each folder, beside `bench/wire` and `bench/measure`, which they share", []string{"bench/agent", "bench/author", "bench/endurance", "bench/evidence", "bench/explore", "bench/growth", "bench/heal", "bench/health", "bench/helpdesk", "bench/install", "bench/look", "bench/measure", "bench/peer", "bench/sanity", "bench/tokens", "bench/truth", "bench/visual"}, "it lists the benchmarks and runs one: what each measures is said in its folder"},
		{"bench/measure", "memory and medians", nil, "numbers, whatever they are of"},
		{"bench/wire", "a process with a client", nil, "it starts any server and speaks the protocol: it must not know which one"},
		{"bench/author", "whether tests that models write end as they should", []string{"bench/measure", "internal/demo", "internal/wiretest"}, "it works the built binary from outside, by models that it scripts"},
		{"bench/sanity", "what making a report costs", []string{"bench/measure", "evidence/report", "internal/demo", "qa"}, "it measures the built binary from outside; the views are made again to time them"},
		{"bench/visual", "against another comparison of pictures", []string{"bench/measure", "browser", "browser/driver", "visual"}, "it times the comparison in process, on pictures that browser takes"},
		{"bench/look", "how often a verdict on a page is wrong", []string{"bench/measure", "bench/wire", "qa/code"}, "it asks the built binary from outside about pages of its own: it must not know how that looks"},
		{"bench/explore", "how well sites are explored, and what the tests made of them are worth", []string{"author/explore", "author/prove", "author/site", "bench/measure", "browser/driver", "browser/scan", "config", "internal/helpdesk", "internal/secrets", "internal/wiring", "tools/author", "tools/workspace"}, "it explores in process, with other ways to tell states apart and to choose beside ours; tests are made, run and proved by the built binary"},
		{"bench/evidence", "what evidence costs", []string{"bench/measure", "evidence", "evidence/ledger", "evidence/report", "evidence/verify", "internal/demo", "qa"}, "it files and verifies in process, and measures the built binary beside it"},
		{"bench/tokens", "what a model has to read", []string{"bench/measure", "bench/wire", "browser/driver", "internal/demo"}, "it measures the built binary from outside, as it measures the other server; browser/driver tells it what both run on"},
		{"bench/agent", "what a model's turns cost", []string{"bench/measure", "internal/demo", "internal/wiretest", "qa"}, "it measures the built binary from outside, with a scripted provider behind it"},
		{"bench/growth", "how costs grow with elements, calls, flows and runs", []string{"bench/measure", "bench/wire", "browser/driver"}, "it measures the built binary from outside, beside Playwright's own; browser/driver tells it what both run on"},
		{"bench/heal", "elements that have moved, found again", []string{"browser", "browser/driver", "browser/outline", "qa/element"}, "it surveys pages of pinned templates in process, and decides as the healer does"},
		{"bench/helpdesk", "serves the help desk, to be tried by hand", []string{"internal/helpdesk"}, "it is the application that others measure on"},
		{"bench/health", "what is said of fine pages", []string{"qa"}, "it measures the built binary from outside, and reads its reports"},
		{"bench/truth", "what a passed expectation is worth", []string{"bench/wire", "internal/wiretest", "qa", "qa/claim", "qa/code"}, "it asks the built binary from outside about pages of its own, with scripted providers behind it, and the reader of expectations about sentences of its own"},
		{"bench/install", "what each way of installing costs until the first verdict", []string{"bench/measure", "bench/wire", "internal/disk", "packaging/registry"}, "it installs what a release consists of, as a person does: what that is made of is not its business; it locks its own folder"},
		{"bench/endurance", "over time: memory, calls, crashes", []string{"bench/measure", "bench/wire", "internal/demo"}, "it measures the built binary from outside"},
		{"bench/peer", "against another server and a bare script", []string{"bench/measure", "bench/wire", "browser/driver", "internal/demo"}, "it measures the built binary from outside, as it measures the other server; browser/driver tells it what both run on"},
		{"e2e", "tests of the built binary", nil, "tests only: they work the built binary and know it by the protocol"},
		{"internal/laws", "the laws of the tree: what a room may import, what shape its files have", nil, "tests only: they read the source, and nothing may depend on them"},
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
		{"golang.org/x/sys", []string{"internal/terminal", "browser/driver", "cmd/assay/terminal_linux_test.go", "browser/recovery_linux_test.go", "bench/install"}, "the size of a terminal, the descriptor of the answers, and the end and the processors of a driver's processes: each is one place's; a benchmark makes namespaces"},
		{"github.com/BurntSushi/toml", []string{"internal/document/parse_toml.go", "bench/truth/expectations.go"}, "the values of a TOML document have one decoder; a benchmark's sentences are a table that a person edits"},
		{"github.com/pelletier/go-toml/v2", []string{"internal/document/toml_places.go"}, "it tells where a key stands, and nothing of its value: two readers of values would disagree"},
		{"github.com/disintegration/imaging", []string{"visual"}, "it is given only what the bounded decoder made: it would read formats that nobody asked for"},
		{"github.com/orisano/pixelmatch", []string{"visual/pixelmatch_port.go"}, "its defects (origins, translucent pictures, panics) are kept out in one place"},
		{"golang.org/x/text", []string{"qa/kpi", "browser/guard/word_forms.go", "browser/seen", "internal/text"}, "texts are compared in one form, which is decided in one place; names are judged in every form that a person reads alike"},
		{"golang.org/x/net/idna", []string{"internal/address"}, "hosts beyond ASCII are compared as browsers write them"},
		{"golang.org/x/net/publicsuffix", []string{"internal/address"}, "which hosts are one site is decided in one place"},
		{"image", []string{"visual", "browser/seen", "browser/screenshot_masks.go", "bench/visual", "bench/look/pictures.go", "internal/wiretest/pictures.go"}, "pictures are decoded where their size is bounded first; what a picture must not show is painted over before anybody is given it; pictures with and without a thing tell whether it is seen"},
		{"os/exec", []string{"author/testrun/confine.go", "author/draft/lint.go", "author/loop/runs.go", "author/reset/command.go", "author/script/reader.go", "author/testrun/run.go", "author/workcopy/git.go", "bench/agent/run.go", "bench/author/main.go", "bench/evidence/flow.go", "bench/evidence/run.go", "bench/explore/crawl.go", "bench/peer/export.go", "bench/explore/tests.go", "bench/growth/store.go", "bench/heal/versions.go", "bench/health/main.go", "bench/install/measure_linux.go", "bench/install/root_linux.go", "bench/look/speed.go", "bench/look/worker.go", "bench/peer/setup.go", "bench/sanity/main.go", "bench/tokens/main.go", "bench/truth/files.go", "bench/visual/odiff.go", "bench/wire/process.go", "bench/wire/script.go", "browser/driver/install_command.go", "browser/driver/process_alive_unix.go", "browser/driver/process_alive_windows.go", "cmd/assay/author.go", "cmd/assay/init.go", "cmd/assay/open.go", "internal/demo/check_variants.go", "internal/othersystems/main.go", "packaging/goproxy.go", "packaging/mcpb.go", "packaging/npm.go", "internal/testcost/measure_linux.go", "packaging/mcpb.go", "packaging/npm.go", "internal/testcost/packages.go", "packaging/mcpb.go", "packaging/npm.go", "internal/testcost/run.go", "packaging/site/build.go", "qa/kpi/kpitest/intl.go", "internal/secrets/lookup.go", "server/dial_process.go", "internal/trust/record.go", "internal/wiring/try_client.go", "suite/workers/local.go", "internal/queuetest/broker.go"}, "whatever starts a program says whose word chose it (docs/trust.md): ours, the person's, or that of a folder that a person trusted; a second way would run what a stranger's folder says"},
		{"html/template", []string{"internal/helpdesk", "evidence/report/markup_internal_test.go"}, "it calls methods by name, which makes the linker keep them all; the program does not link the help desk, and a test holds our escaping against it"},
		{"github.com/nats-io/nats.go", []string{"suite/queue"}, "the queue is behind one small room: another one would be another room"},
		{"github.com/nats-io/nats-server/v2", []string{"suite/queue/broker"}, "the program does not link the server: it is a program of its own"},
		{"github.com/fsnotify/fsnotify", []string{"suite/watch"}, "the system tells of changes in one way, and who waits for them knows no system"},
		{"github.com/gofrs/flock", []string{"internal/disk"}, "files are locked between processes in one way, on every system"},
		{"go.etcd.io/bbolt", []string{"evidence/ledger"}, "what is stored must be checked against its hash on every read"},
		{"golang.org/x/mod", []string{"evidence/attest", "evidence/ledger"}, "trees and signatures have one home, and their store another"},
		{"golang.org/x/mod/module", []string{"packaging/goproxy.go"}, "a release is tried as a module that a proxy serves"},
		{"golang.org/x/mod/zip", []string{"packaging/goproxy.go"}, "a release is tried as a module that a proxy serves"},
		{"github.com/secure-systems-lab/go-securesystemslib", []string{"evidence/attest"}, "envelopes are opened where it is known whom to trust"},
		{"github.com/digitorus/timestamp", []string{"evidence/attest"}, "a token is read where it is known what it is about"},
		{"github.com/digitorus/pkcs7", []string{"evidence/attest"}, "a token is read where it is known what it is about"},
		{"github.com/santhosh-tekuri/jsonschema/v6", []string{"internal/wiretest"}, "a scripted provider holds requests against the official description and its own rules; our own arguments are judged by the validator that wrote their schemas"},
		{"golang.org/x/tools/txtar", []string{"internal/wiretest"}, "what a scripted provider answers is written down as files in one"},
		{"github.com/bluekeyes/go-gitdiff", []string{"author/workcopy"}, "patches of a model are taken apart where it is decided what they may do"},
		{"github.com/yuin/goldmark", []string{"suite/spec"}, "specs are Markdown, and nothing else of ours is read as such"},
		{"github.com/goccy/go-yaml", []string{"internal/document/parse_yaml.go"}, "the front matter of specs is YAML: what it says is read as TOML and JSON are"},
		{"github.com/tiktoken-go/tokenizer", []string{"bench/tokens", "packaging/site/tools.go"}, "what a model reads is counted, and nowhere guessed"},
		{"flag", []string{"internal/testcost", "bench", "bench/growth", "bench/explore", "bench/peer", "bench/endurance", "bench/sanity", "bench/visual", "bench/evidence", "bench/tokens", "bench/agent", "bench/author", "bench/look", "bench/health", "bench/helpdesk", "bench/truth", "bench/heal", "bench/install"}, "what a person calls has cobra's flags, in cmd/assay"},
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
func everywhere(room string) bool {
	return room == "internal/pattern" || room == "internal/wait" || room == "internal/pagetext"
}

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
var testRooms = map[string]bool{"author/script/scripttest": true, "internal/wiretest": true, "internal/exampletest": true, "internal/queuetest": true, "browser/browsertest": true, "qa/kpi/kpitest": true, "internal/pattern/patterntest": true}

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
