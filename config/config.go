// Package config turns mcp.toml, the environment and the flags into one typed, checked Config.
//
// Every setting is a field of Config: its toml tag is its name in the file, and the names of its
// environment variable and of its flag are derived from it (browser.timeout_ms, ASSAY_BROWSER_TIMEOUT_MS,
// --browser-timeout-ms). A person's own file < the folder's file < its .env < environment < flag. Its accept tag says
// which values it takes, and a table (authority.go) whether a folder may say it: a folder may come from a stranger.
//
// The package refuses to guess: an unknown key, a value of the wrong type and a value out of range
// are errors, each with its place and what is accepted, and all of them are reported at once. It
// refuses to do I/O: bytes, environment and flags are handed in, secrets are references that it
// never resolves and never shows.
package config

// SchemaVersion numbers the layout of mcp.toml that this package reads.
const SchemaVersion = 1

// Config holds every setting. Default gives the values used where nothing else is said.
type Config struct {
	// SchemaVersion states the version of the file's layout; a file must have
	// it. It describes the file, so it has neither a variable nor a flag.
	SchemaVersion int `toml:"schema_version" accept:"1..1" only:"file"`
	// DataDir names the folder for runs, baselines and the evidence log.
	DataDir string `toml:"data_dir" accept:"@nonblank"`

	Browser     Browser     `toml:"browser"`
	Screenshots Screenshots `toml:"screenshots"`
	Visual      Visual      `toml:"visual"`
	Health      Health      `toml:"health"`
	Network     Network     `toml:"network"`
	Limits      Limits      `toml:"limits"`
	Guard       Guard       `toml:"guard"`
	Tools       Tools       `toml:"tools"`
	Agent       Agent       `toml:"agent"`
	Author      Author      `toml:"author"`
	Compliance  Compliance  `toml:"compliance"`
	Notify      Notify      `toml:"notify"`
	Auth        Auth        `toml:"auth"`
	Explore     Explore     `toml:"explore"`

	// Secrets maps the NAME of ${secret:NAME} to where its value is found.
	Secrets map[string]SecretSource `toml:"secrets" name:"NAME"`
	// Prices lists the prices of models, by the name that agent.model has: without one, a report has no cost.
	Prices map[string]Price `toml:"prices" label:"MODEL"`
	// Profiles holds ways to run a suite, by name: assay run --profile NAME.
	Profiles map[string]Profile `toml:"profile" name:"NAME"`
	// Quarantines holds the files whose failures do not fail a suite for a while, by the name of what mends them.
	Quarantines map[string]Quarantine `toml:"quarantine" name:"NAME"`
	// Environments holds the systems under test, by name. It comes last: its
	// agents start from Agent.
	Environments map[string]Environment `toml:"env" name:"NAME"`
}

// Quarantine says of a file's cases that what they find does not fail a suite. They run, and the suite says so.
type Quarantine struct {
	// File of the flow, task or spec, relative to the configuration.
	File string `toml:"file" accept:"@nonblank"`
	// Reason that a reader of the suite is told.
	Reason string `toml:"reason" accept:"@nonblank"`
	// Until is the last day of it, such as 2026-12-31.
	Until string `toml:"until" accept:"@date"`
}

// SecretSource says where a secret is found, and where it is typed. A text in the file is From alone.
type SecretSource struct {
	// From says where the value is found: "env:VAR", "file:path" or "cmd:program args".
	From Secret `toml:"from" accept:"@secret"`
	// Hosts lists the only hosts on whose pages it is typed: names, *.domain or IP addresses. A secret of a person's
	// own file without them is typed in trusted folders alone.
	Hosts []string `toml:"hosts" accept:"@host"`
}

// Browser configures which browser is started, and how its pages look and behave.
type Browser struct {
	// Type selects the engine: chromium, firefox or webkit.
	Type string `toml:"type" accept:"chromium|firefox|webkit"`
	// Headless starts the browser without a window.
	Headless bool `toml:"headless"`
	// ExecutablePath names the browser to start; empty means that one is
	// looked for.
	ExecutablePath string `toml:"executable_path"`
	// Viewport sets the size of the page's visible area.
	Viewport Viewport `toml:"viewport"`
	// Locale sets the BCP 47 language tag that pages see, pinned so that they
	// render alike everywhere.
	Locale string `toml:"locale" accept:"@locale"`
	// Timezone sets the IANA time zone that pages see, pinned for the same
	// reason.
	Timezone string `toml:"timezone" accept:"@timezone"`
	// TimeoutMS bounds one browser action such as a click, in milliseconds.
	TimeoutMS int `toml:"timeout_ms" accept:"1..600000"`
	// WatchMS says how long a page is watched after its last change where a check ends, in milliseconds; 0: not at all.
	WatchMS int `toml:"watch_ms" accept:"0..60000"`
	// Trace records a Playwright trace of the sessions of every run.
	Trace bool `toml:"trace"`
	// Video is to record a video of every page. Nothing does yet, so it can't be switched on.
	Video bool `toml:"video" accept:"@unused"`
}

// Viewport describes a size in CSS pixels.
type Viewport struct {
	// Width in CSS pixels.
	Width int `toml:"width" accept:"1..10000"`
	// Height in CSS pixels.
	Height int `toml:"height" accept:"1..10000"`
}

// Screenshots configures how pictures are taken when a call does not say it.
type Screenshots struct {
	// Format selects png or jpeg.
	Format string `toml:"format" accept:"png|jpeg"`
	// FullPage takes the whole page and not only the viewport.
	FullPage bool `toml:"full_page"`
	// Quality of a jpeg in percent; png has none.
	Quality int `toml:"quality" accept:"1..100"`
}

// Visual configures how a page is compared with its baseline.
type Visual struct {
	// Engine judges which pixels changed: builtin, or pixelmatch (github.com/orisano/pixelmatch), which
	// counts alike and takes opaque pictures only.
	Engine string `toml:"engine" accept:"builtin|pixelmatch"`
	// Threshold bounds the share of pixels that may differ, 0 to 1: 0.01 is
	// one percent.
	Threshold float64 `toml:"threshold" accept:"0..1"`
	// NamedChanges says what a change does that has a name (a text, a style, an element that is new,
	// gone, moved or resized): fail, whatever the threshold, or ignore, where the threshold alone decides.
	NamedChanges string `toml:"named_changes" accept:"fail|ignore"`
	// IgnoreAntialiasing leaves pixels that only anti-aliasing changed out of the count.
	IgnoreAntialiasing bool `toml:"ignore_antialiasing"`
	// IgnoreColors compares brightness only.
	IgnoreColors bool `toml:"ignore_colors"`
	// AutoCapture makes the first picture of a name its baseline.
	AutoCapture bool `toml:"auto_capture"`
}

// Health configures how a page is judged that has no expectations.
type Health struct {
	// Ignore lists the names of findings that are left out; see
	// docs/verdict.md.
	Ignore []string `toml:"ignore"`
	// FatalConsole lists regular expressions over errors of the console after
	// which the page's behaviour proves nothing: each is a blocker finding.
	FatalConsole []string `toml:"fatal_console" accept:"@regexp"`
}

// Network configures what a page may reach and which files may cross the browser's border.
type Network struct {
	// AllowedHosts, when there are any, are the only hosts that a page may reach, by any route:
	// host names, *.domain (any name below domain, not domain itself) or IP addresses, without
	// scheme, port and path. A name may lead to any address but those that are never reachable:
	// cloud metadata, link-local, unspecified, multicast and broadcast ones. Without a list every
	// other host is open.
	AllowedHosts []string `toml:"allowed_hosts" accept:"@host"`
	// BlockExternal without AllowedHosts leaves loopback alone: localhost, the names below it, and
	// loopback addresses. With AllowedHosts it adds nothing.
	BlockExternal bool `toml:"block_external"`
	// DenyHosts lists hosts that are refused even where AllowedHosts names
	// them; same patterns.
	DenyHosts []string `toml:"deny_hosts" accept:"@host"`
	// UploadRoots lists the folders from which files may be uploaded; none
	// means no uploads.
	UploadRoots []string `toml:"upload_roots"`
	// StateRoots lists folders from which storage states may be read, beside
	// the data folder and the working folder.
	StateRoots []string `toml:"state_roots"`
	// DownloadDir names the folder for downloads; empty means the folder of
	// the run.
	DownloadDir string `toml:"download_dir"`
}

// Limits bounds a session and its calls, whatever a caller asks for.
type Limits struct {
	// MaxSessions bounds the browser sessions open at once.
	MaxSessions int `toml:"max_sessions" accept:"1..50"`
	// MemoryMB bounds the memory of one session, in megabytes: what the renderer processes of its
	// pages share with no other process. Over it the session is rebuilt as after a crash, once for a
	// page. It is counted a while after each call, for Chromium on Linux only.
	MemoryMB int `toml:"memory_mb" accept:"64..65536"`
	// CPUPercent bounds the processors on which browsers run, in percent of those that the program may use, rounded
	// up. On Linux only.
	CPUPercent int `toml:"cpu_percent" accept:"1..100"`
	// TimeoutMS bounds one tool call, in milliseconds, whatever time-out the call asks for.
	TimeoutMS int `toml:"timeout_ms" accept:"1..600000"`
	// MaxPixels bounds the area of a picture that is taken or decoded, in pixels (width × height).
	MaxPixels int `toml:"max_pixels" accept:"1..1000000000"`
}

// Guard configures what happens to actions that destroy, pay or change credentials.
type Guard struct {
	// Destructive selects as-written (a person's file permits what it says, word for word;
	// else it is stopped, or a person confirms), deny, ask (a person confirms all) or allow.
	Destructive string `toml:"destructive" accept:"as-written|deny|ask|allow"`
	// ClickPatterns lists regular expressions over the accessible name of what
	// is about to be clicked, in addition to the built-in ones.
	ClickPatterns []string `toml:"click_patterns" accept:"@regexp"`
	// RequestPatterns lists regular expressions over "METHOD URL" of a
	// request, in addition to the built-in ones.
	RequestPatterns []string `toml:"request_patterns" accept:"@regexp"`
	// ProductionHosts lists host patterns that no page may reach, unless
	// network.allowed_hosts names the host itself: a *.domain there opens none
	// of them.
	ProductionHosts []string `toml:"production_hosts" accept:"@host"`
	// ProductionWords make a host a production system's that has one of them between its dots and
	// hyphens: no page is opened there unless network.allowed_hosts names the host itself.
	ProductionWords []string `toml:"production_words" accept:"@nonblank"`
	// AllowRequests lists regular expressions over "METHOD URL" of requests
	// that may change something on a production host that
	// network.allowed_hosts names. Any other one is stopped.
	AllowRequests []string `toml:"allow_requests" accept:"@regexp"`
}

// Tools configures which tools a client is offered.
type Tools struct {
	// Sets lists the toolsets on offer: core, full (core's and more), author.
	Sets []string `toml:"sets" accept:"core|full|author" need:"one"`
	// Evaluate offers page_evaluate, which runs a caller's script in the page.
	Evaluate bool `toml:"evaluate"`
}

// Agent configures which model works the tools when no client is attached, and its budgets.
type Agent struct {
	// Provider selects the model's wire: rules works without a model and
	// without a key, chat is any server with OpenAI's Chat Completions, ollama
	// and lmstudio are chat at their own addresses on this machine. sampling was
	// a client's own model: it is read, so that the refusal can say what to take.
	Provider string `toml:"provider" accept:"rules|openai|azure|anthropic|google|chat|ollama|lmstudio|!sampling"`
	// Model names the model in the provider's words; empty means the
	// provider's default.
	Model string `toml:"model"`
	// BaseURL says where the provider is reached; empty means its own address, its own variable such as
	// OPENAI_BASE_URL, or a local Ollama for chat. Azure needs the endpoint of the resource.
	BaseURL string `toml:"base_url" accept:"@url"`
	// APIKey says where the provider's key is found: "env:VAR", "file:path" or "cmd:program args"; empty
	// means the provider's usual variable, such as OPENAI_API_KEY.
	APIKey Secret `toml:"api_key" accept:"@source"`
	// APIVersion selects the version of Azure's API; empty means the one that this build was made for.
	APIVersion string `toml:"api_version"`
	// Computer offers the provider's own computer tool where the model has one: auto, on or off.
	Computer string `toml:"computer" accept:"auto|on|off"`
	// Temperature of the model's answers; -1 leaves it to the model. Models that reason refuse one.
	Temperature float64 `toml:"temperature" accept:"-1..2"`
	// MaxOutputTokens bounds one turn of the model.
	MaxOutputTokens int `toml:"max_output_tokens" accept:"256..200000"`
	// RequestTimeoutMS bounds one request to the provider, in milliseconds.
	RequestTimeoutMS int `toml:"request_timeout_ms" accept:"1000..1800000"`
	// Store lets the provider keep the conversation.
	Store bool `toml:"store"`
	// Tools lists the only tools that a task may call; none means all but
	// those with which a model could make what its own checks then find.
	Tools []string `toml:"tools"`
	// Redact lists regular expressions: what they match is personal data,
	// hidden from the provider and from transcripts. With any of them,
	// pictures are withheld from the model.
	Redact []string `toml:"redact" accept:"@regexp"`
	// Replay says when the recording of a spec is used: auto (only in CI, else prefer), prefer (where it
	// fits; else a model), only (a spec without a fitting recording is inconclusive) or off.
	Replay string `toml:"replay" accept:"auto|prefer|only|off"`
	// MaxToolCalls bounds the tool calls in one task.
	MaxToolCalls int `toml:"max_tool_calls" accept:"1..10000"`
	// MaxTimeMS bounds one task, in milliseconds.
	MaxTimeMS int `toml:"max_time_ms" accept:"1..86400000"`
	// MaxScreenshots bounds the screenshots in one task.
	MaxScreenshots int `toml:"max_screenshots" accept:"1..10000"`
	// MaxTokens bounds the tokens, in and out, in one task.
	MaxTokens int `toml:"max_tokens" accept:"1..100000000"`
	// MaxConsecutiveErrors sets how many failed tool calls in a row end a
	// task.
	MaxConsecutiveErrors int `toml:"max_consecutive_errors" accept:"1..100"`
	// MaxRetriesPerStep bounds the repetitions after a transient failure of
	// one step.
	MaxRetriesPerStep int `toml:"max_retries_per_step" accept:"0..10"`
	// Concurrency sets the number of tasks side by side.
	Concurrency int `toml:"concurrency" accept:"1..50"`
}

// Author configures where tests are written that nobody has reviewed yet.
type Author struct {
	// Root names the folder of the project whose tests are written, in a git
	// repository; empty means the working folder.
	Root string `toml:"root"`
	// TestDir names the folder of tests below it. Files are written there and
	// below test-plan.
	TestDir string `toml:"test_dir" accept:"@nonblank"`
	// TestCommand is a program with its arguments that runs tests, to which
	// the paths of the written ones are added; it has to pass, too, before a
	// test is proposed. Empty: assay's own run is enough.
	TestCommand []string `toml:"test_command"`
	// FormatCommand is a program with its arguments that formats files in
	// place, to which the paths of the written ones are added. Empty: assay's
	// own format alone.
	FormatCommand []string `toml:"format_command"`
	// MaxIterations bounds the rounds of writing and running in a task.
	MaxIterations int `toml:"max_iterations" accept:"1..50"`
	// MaxTimeMS bounds one task.
	MaxTimeMS int `toml:"max_time_ms" accept:"1..86400000"`
	// MaxTokens bounds what one task takes of a model.
	MaxTokens int `toml:"max_tokens" accept:"1..100000000"`
	// BranchPrefix starts the name of every branch that is proposed.
	BranchPrefix string `toml:"branch_prefix" accept:"@branchprefix"`
	// Push says whether a person at the terminal is asked to push a proposed
	// branch: never or ask. Where CI is set nothing is ever pushed.
	Push string `toml:"push" accept:"never|ask"`
}

// Price holds what a model's tokens cost, in US dollars per million.
type Price struct {
	// AsOf states the date of the prices, such as 2026-11-22.
	AsOf string `toml:"as_of" accept:"@nonblank"`
	// Input, per million tokens.
	Input float64 `toml:"input" accept:"0..1e6"`
	// CachedInput, per million tokens that the provider had in its cache; 0 means the price of Input.
	CachedInput float64 `toml:"cached_input" accept:"0..1e6"`
	// Output, per million tokens.
	Output float64 `toml:"output" accept:"0..1e6"`
}

// Compliance configures what is kept as evidence and for how long.
type Compliance struct {
	// ScreenshotHashing enters the hash of every picture in the signed statement about its run.
	ScreenshotHashing bool `toml:"screenshot_hashing"`
	// EvidenceRetentionDays says how long evidence can't be deleted, in days.
	EvidenceRetentionDays int `toml:"evidence_retention_days" accept:"1..36500"`
	// AuditLogging writes every tool call to the run's event log.
	AuditLogging bool `toml:"audit_logging"`
	// TSAURL names an RFC 3161 time-stamp authority; empty means none.
	TSAURL string `toml:"tsa_url" accept:"@url"`
	// SigningKey says where the key is found that signs the evidence log: "env:VAR", "file:path" or
	// "cmd:program args"; empty means the file log/key in data_dir, which is made at first use.
	SigningKey Secret `toml:"signing_key" accept:"@source"`
	// TrustedKeys lists the verifier keys that assay verify accepts; empty
	// means those that data_dir names itself.
	TrustedKeys []string `toml:"trusted_keys"`
}

// Notify configures who is notified when a run has finished.
type Notify struct {
	// Webhook holds the http(s) address that gets the summary; empty means
	// none. Whoever has it can post, so it is treated as a secret: prefer its
	// environment variable to the file.
	Webhook Secret `toml:"webhook" accept:"@url"`
	// Format of the message: slack, or json for the plain summary.
	Format string `toml:"format" accept:"slack|json"`
	// ReportURL sets the address under which people find the reports, for
	// messages: {suite} and {run} stand for ids, {path} for a file's path in
	// data_dir. Empty means the page of the CI's run (GitHub, GitLab), if any.
	ReportURL string `toml:"report_url" accept:"@url"`
}

// Auth configures how the storage states of roles, which are credentials, are kept.
type Auth struct {
	// Key says where the key is found that seals stored states: "env:VAR", "file:path" or "cmd:program
	// args"; empty means a key that is made at first use.
	Key Secret `toml:"key" accept:"@source"`
}
