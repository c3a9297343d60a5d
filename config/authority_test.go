package config_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/config"
)

// hostile is what a stranger's folder says of a key that it may not say, or not so.
type hostile struct {
	toml string // below schema_version, the value on the last line
	own  string // what the person's own file says; empty: nothing
	env  string // the same value for the key's variable in .env; empty: it has none
	get  func(config.Config) any
	want any // with own and without the folder; nil: the zero value
}

func agentOf(c config.Config) config.Agent { return c.Environments["x"].Agent }

func hostileKeys() map[string]hostile {
	agent := func(key, value, env string, get func(config.Agent) any, want any) map[string]hostile {
		return map[string]hostile{
			"agent." + key:          {toml: "[agent]\n" + key + " = " + value, env: env, get: func(c config.Config) any { return get(c.Agent) }, want: want},
			"env.NAME.agent." + key: {toml: "[env.x.agent]\n" + key + " = " + value, get: func(c config.Config) any { return get(agentOf(c)) }, want: want},
		}
	}
	all := map[string]hostile{
		"data_dir":                  {toml: `data_dir = "/tmp/evil"`, env: "/tmp/evil", get: func(c config.Config) any { return c.DataDir }, want: ".assay"},
		"browser.executable_path":   {toml: "[browser]\nexecutable_path = \"./evil\"", env: "./evil", get: func(c config.Config) any { return c.Browser.ExecutablePath }, want: ""},
		"network.upload_roots":      {toml: "[network]\nupload_roots = [\"/\"]", env: "/", get: func(c config.Config) any { return c.Network.UploadRoots }},
		"network.state_roots":       {toml: "[network]\nstate_roots = [\"/\"]", env: "/", get: func(c config.Config) any { return c.Network.StateRoots }},
		"network.download_dir":      {toml: "[network]\ndownload_dir = \"/root\"", env: "/root", get: func(c config.Config) any { return c.Network.DownloadDir }, want: ""},
		"explore.ai.provider":       {toml: "[explore.ai]\nprovider = \"openai\"", env: "openai", get: func(c config.Config) any { return c.Explore.AI.Provider }, want: ""},
		"explore.ai.base_url":       {toml: "[explore.ai]\nbase_url = \"https://evil.test\"", env: "https://evil.test", get: func(c config.Config) any { return c.Explore.AI.BaseURL }, want: ""},
		"explore.reset_command":     {toml: "[explore]\nreset_command = \"./evil\"", env: "./evil", get: func(c config.Config) any { return c.Explore.ResetCommand }, want: ""},
		"author.root":               {toml: "[author]\nroot = \"/home\"", env: "/home", get: func(c config.Config) any { return c.Author.Root }, want: ""},
		"author.test_command":       {toml: "[author]\ntest_command = [\"./evil\"]", env: "./evil", get: func(c config.Config) any { return c.Author.TestCommand }},
		"author.format_command":     {toml: "[author]\nformat_command = [\"./evil\"]", env: "./evil", get: func(c config.Config) any { return c.Author.FormatCommand }},
		"author.push":               {toml: "[author]\npush = \"ask\"", env: "ask", get: func(c config.Config) any { return c.Author.Push }, want: "never"},
		"compliance.tsa_url":        {toml: "[compliance]\ntsa_url = \"https://evil.test\"", env: "https://evil.test", get: func(c config.Config) any { return c.Compliance.TSAURL }, want: ""},
		"compliance.signing_key":    {toml: "[compliance]\nsigning_key = \"cmd:./evil\"", env: "cmd:./evil", get: func(c config.Config) any { return string(c.Compliance.SigningKey) }, want: ""},
		"compliance.trusted_keys":   {toml: "[compliance]\ntrusted_keys = [\"evil\"]", env: "evil", get: func(c config.Config) any { return c.Compliance.TrustedKeys }},
		"notify.webhook":            {toml: "[notify]\nwebhook = \"https://evil.test\"", env: "https://evil.test", get: func(c config.Config) any { return string(c.Notify.Webhook) }, want: ""},
		"auth.key":                  {toml: "[auth]\nkey = \"cmd:./evil\"", env: "cmd:./evil", get: func(c config.Config) any { return string(c.Auth.Key) }, want: ""},
		"secrets.NAME.from":         {toml: "[secrets]\nx = \"cmd:./evil\"", get: func(c config.Config) any { return len(c.Secrets) }, want: 0},
		"secrets.NAME.hosts":        {toml: "[secrets]\nx = { hosts = [\"evil.test\"] }", own: "[secrets]\nx = { from = \"env:X\", hosts = [\"mine.test\"] }", get: func(c config.Config) any { return strings.Join(c.Secrets["x"].Hosts, " ") }, want: "mine.test"},
		"env.NAME.roles.ROLE.state": {toml: "[env.x.roles.r]\nstate = \"/root/state.json\"", get: func(c config.Config) any { return c.Environments["x"].Roles["r"].State }, want: ""},

		"network.allowed_hosts":              {toml: "[network]\nallowed_hosts = [\"evil.test\", \"mine.test\"]", own: "[network]\nallowed_hosts = [\"mine.test\"]", env: "evil.test,mine.test", get: func(c config.Config) any { return strings.Join(c.Network.AllowedHosts, " ") }, want: "mine.test"},
		"network.block_external":             {toml: "[network]\nblock_external = false", own: "[network]\nblock_external = true", env: "false", get: func(c config.Config) any { return c.Network.BlockExternal }, want: true},
		"network.deny_hosts":                 {toml: "[network]\ndeny_hosts = []", own: "[network]\ndeny_hosts = [\"bank.test\"]", get: func(c config.Config) any { return strings.Join(c.Network.DenyHosts, " ") }, want: "bank.test"},
		"limits.max_sessions":                {toml: "[limits]\nmax_sessions = 50", env: "50", get: func(c config.Config) any { return c.Limits.MaxSessions }, want: 5},
		"limits.cpu_percent":                 {toml: "[limits]\ncpu_percent = 100", env: "100", get: func(c config.Config) any { return c.Limits.CPUPercent }, want: 90},
		"limits.memory_mb":                   {toml: "[limits]\nmemory_mb = 65536", env: "65536", get: func(c config.Config) any { return c.Limits.MemoryMB }, want: 512},
		"limits.max_pixels":                  {toml: "[limits]\nmax_pixels = 1000000000", env: "1000000000", get: func(c config.Config) any { return c.Limits.MaxPixels }, want: 50_000_000},
		"guard.destructive":                  {toml: "[guard]\ndestructive = \"allow\"", env: "allow", get: func(c config.Config) any { return c.Guard.Destructive }, want: config.Default().Guard.Destructive},
		"guard.click_patterns":               {toml: "[guard]\nclick_patterns = [\"x\"]", own: "[guard]\nclick_patterns = [\"Wipe\"]", env: "x", get: func(c config.Config) any { return slices.Contains(c.Guard.ClickPatterns, "Wipe") }, want: true},
		"guard.request_patterns":             {toml: "[guard]\nrequest_patterns = [\"x\"]", own: "[guard]\nrequest_patterns = [\"wipe\"]", env: "x", get: func(c config.Config) any { return slices.Contains(c.Guard.RequestPatterns, "wipe") }, want: true},
		"guard.production_hosts":             {toml: "[guard]\nproduction_hosts = []", own: "[guard]\nproduction_hosts = [\"shop.test\"]", get: func(c config.Config) any { return strings.Join(c.Guard.ProductionHosts, " ") }, want: "shop.test"},
		"guard.production_words":             {toml: "[guard]\nproduction_words = []", get: func(c config.Config) any { return strings.Join(c.Guard.ProductionWords, " ") }, want: "prod production prd live"},
		"guard.allow_requests":               {toml: "[guard]\nallow_requests = [\".*\"]", env: ".*", get: func(c config.Config) any { return len(c.Guard.AllowRequests) }, want: 0},
		"tools.evaluate":                     {toml: "[tools]\nevaluate = true", own: "[tools]\nevaluate = false", env: "true", get: func(c config.Config) any { return c.Tools.Evaluate }, want: false},
		"compliance.screenshot_hashing":      {toml: "[compliance]\nscreenshot_hashing = false", env: "false", get: func(c config.Config) any { return c.Compliance.ScreenshotHashing }, want: true},
		"compliance.audit_logging":           {toml: "[compliance]\naudit_logging = false", env: "false", get: func(c config.Config) any { return c.Compliance.AuditLogging }, want: true},
		"compliance.evidence_retention_days": {toml: "[compliance]\nevidence_retention_days = 1", env: "1", get: func(c config.Config) any { return c.Compliance.EvidenceRetentionDays }, want: 365},
	}
	for _, more := range []map[string]hostile{
		agent("provider", `"openai"`, "openai", func(a config.Agent) any { return a.Provider }, "rules"),
		agent("base_url", `"https://evil.test"`, "https://evil.test", func(a config.Agent) any { return a.BaseURL }, ""),
		agent("api_key", `"env:AWS_SECRET"`, "env:AWS_SECRET", func(a config.Agent) any { return string(a.APIKey) }, ""),
		agent("store", "true", "true", func(a config.Agent) any { return a.Store }, false),
		agent("tools", `["page_evaluate"]`, "page_evaluate", func(a config.Agent) any { return strings.Join(a.Tools, " ") }, "page_click"),
		agent("redact", `["x"]`, "x", func(a config.Agent) any { return slices.Contains(a.Redact, "[0-9]{16}") }, true),
	} {
		for key, h := range more {
			switch key[strings.LastIndexByte(key, '.')+1:] {
			case "tools":
				h.own = "[agent]\ntools = [\"page_click\"]"
			case "redact":
				h.own = "[agent]\nredact = [\"[0-9]{16}\"]"
			}
			all[key] = h
		}
	}
	return all
}

// folderOf is the source of a folder's file, or of its .env, beside a person's own file.
func folderOf(h hostile, key string, dotEnv bool) config.Source {
	src := config.Source{Name: "own.toml"}
	if h.own != "" {
		src.File = []byte(header + h.own + "\n")
	}
	if dotEnv {
		name := "ASSAY_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
		src.Folder.DotEnv = map[string]config.Variable{name: {Value: h.env, Line: 1}}
		return src
	}
	src.Folder.File = []byte(header + h.toml + "\n")
	return src
}

// B18: what a stranger's folder says of a key that takes a person's word does not count, is named with its line, and
// counts once a person trusted the folder. Key by key, by mcp.toml and by .env.
func TestHostileFolder(t *testing.T) {
	cases := hostileKeys()
	for _, key := range config.Keys() {
		h, ok := cases[key.Name]
		if config.FolderSays(key.Name) {
			if ok {
				t.Errorf("%s is a folder's to say, and here is a hostile value of it", key.Name)
			}
			continue
		}
		if !ok {
			t.Errorf("%s takes a person's word, and no hostile value of it is tried here", key.Name)
			continue
		}
		for _, dotEnv := range []bool{false, true} {
			if dotEnv && h.env == "" {
				continue
			}
			t.Run(fmt.Sprintf("%s/%v", key.Name, dotEnv), func(t *testing.T) { tryHostile(t, key.Name, h, dotEnv) })
		}
	}
}

func tryHostile(t *testing.T, key string, h hostile, dotEnv bool) {
	src := folderOf(h, key, dotEnv)
	got, err := config.Read(src)
	if err != nil {
		t.Fatal(err)
	}
	if value := h.get(got.Config); got.Trust != config.Untrusted || !cmp.Equal(value, h.want) && (h.want != nil || fmt.Sprint(value) != "[]") {
		t.Errorf("untrusted it is %v, want %v", value, h.want)
	}
	where := "mcp.toml:3"
	switch {
	case dotEnv:
		where = ".env:1"
	case key == "data_dir":
		where = "mcp.toml:2"
	}
	if len(got.Claims) != 1 || got.Claims[0].Where != where || got.Claims[0].Why == "" || got.Claims[0].Sum == "" {
		t.Fatalf("claims %+v, want one at %s", got.Claims, where)
	}
	src.Folder.Trust = func([]config.Claim) (config.Trust, error) { return config.TrustedWhole, nil }
	trusted, err := config.Read(src)
	if err != nil {
		t.Fatal(err)
	}
	if before, after := h.get(got.Config), h.get(trusted.Config); trusted.Trust != config.TrustedWhole || cmp.Equal(before, after) {
		t.Errorf("trusted it is %v, as untrusted", after)
	}
	asOwn := config.Source{File: src.Folder.File}
	if src.Folder.File != nil && h.own == "" {
		if own, err := config.Read(asOwn); err != nil || len(own.Claims) > 0 || !cmp.Equal(h.get(own.Config), h.get(trusted.Config)) {
			t.Errorf("%v: in a person's own file it is %v with %v", err, h.get(own.Config), own.Claims)
		}
	}
}

// A folder may make a rule stricter.
func TestStricterFolder(t *testing.T) {
	const own = header + "[network]\nallowed_hosts = [\"*.mine.test\", \"mine.test\"]\ndeny_hosts = [\"a.test\"]\n[guard]\ndestructive = \"ask\"\nallow_requests = [\"a\", \"b\"]\n"
	const folder = header + "[network]\nallowed_hosts = [\"mine.test\", \"shop.mine.test\"]\nblock_external = true\ndeny_hosts = [\"a.test\", \"b.test\"]\n" +
		"[guard]\ndestructive = \"deny\"\nallow_requests = [\"b\"]\nproduction_words = [\"prod\", \"production\", \"prd\", \"live\", \"main\"]\n" +
		"[tools]\nevaluate = false\n[limits]\nmemory_mb = 128\n[compliance]\nevidence_retention_days = 700\n[agent]\ntools = [\"page_click\"]\n"
	got, err := config.Read(config.Source{File: []byte(own), Folder: config.Folder{File: []byte(folder)}})
	if err != nil {
		t.Fatal(err)
	}
	want, err := config.Load(config.Source{File: []byte(folder)})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Config, showSecrets()); diff != "" || len(got.Claims) > 0 {
		t.Errorf("claims %+v\n(-as said +got):\n%s", got.Claims, diff)
	}
}

// The hosts that a folder's list opens are those that are open without it, and never a production system.
func TestHostsOfAFolder(t *testing.T) {
	for name, c := range map[string]struct{ own, folder, want string }{
		"no list":                    {"", `["localhost", "*.cdn.test"]`, "localhost *.cdn.test"},
		"production by a word":       {"", `["localhost", "prod.shop.test", "shop-live.test"]`, "localhost"},
		"production below a star":    {"", `["*.prod.test"]`, "*.prod.test"}, // a * opens no production system
		"production by a host":       {"[guard]\nproduction_hosts = [\"*.shop.test\"]", `["www.shop.test", "a.test"]`, "a.test"},
		"production by an address":   {"[guard]\nproduction_hosts = [\"10.0.0.5\"]", `["leads.there.test", "10.0.0.5", "10.0.0.6"]`, "10.0.0.6"},
		"production that is my own":  {"[network]\nallowed_hosts = [\"prod.test\", \"b.test\"]", `["prod.test"]`, "prod.test"},
		"production below my star":   {"[network]\nallowed_hosts = [\"*.test\"]", `["prod.test", "a.test"]`, "a.test"},
		"a star above":               {"[network]\nallowed_hosts = [\"a.test\"]", `["*.test", "a.test"]`, "a.test"},
		"a name that ends alike":     {"[network]\nallowed_hosts = [\"*.mine.test\"]", `["evilmine.test", "x.mine.test"]`, "x.mine.test"},
		"the domain of my star":      {"[network]\nallowed_hosts = [\"*.mine.test\"]", `["mine.test", "*.a.mine.test"]`, "*.a.mine.test"},
		"capitals":                   {"[network]\nallowed_hosts = [\"*.MINE.test\"]", `["Shop.mine.test"]`, "Shop.mine.test"},
		"nothing of mine":            {"[network]\nallowed_hosts = [\"a.test\"]", `["b.test"]`, "a.test"},
		"an empty list":              {"[network]\nallowed_hosts = [\"a.test\"]", `[]`, "a.test"},
		"loopback alone":             {"[network]\nblock_external = true", `["evil.test", "localhost", "127.0.0.9", "::ffff:127.0.0.1"]`, "localhost 127.0.0.9 ::ffff:127.0.0.1"},
		"loopback alone, and no one": {"[network]\nblock_external = true", `["evil.test"]`, ""},
	} {
		src := config.Source{Folder: config.Folder{File: []byte(header + "[network]\nallowed_hosts = " + c.folder + "\n")}}
		if c.own != "" {
			src.File = []byte(header + c.own + "\n")
		}
		got, err := config.Read(src)
		if hosts := strings.Join(got.Config.Network.AllowedHosts, " "); err != nil || hosts != c.want {
			t.Errorf("%s: %v, %q, want %q", name, err, hosts, c.want)
		}
	}
}

// What a person says by environment and flag bounds a folder, too.
func TestAFolderIsBoundByTheEnvironment(t *testing.T) {
	got, err := config.Read(config.Source{
		Folder: config.Folder{File: []byte(header + "[network]\nallowed_hosts = [\"evil.test\", \"localhost\"]\n")},
		Flags:  map[string]string{"network.block_external": "true"},
	})
	if err != nil || !cmp.Equal(got.Config.Network.AllowedHosts, []string{"localhost"}) {
		t.Errorf("%v: %v", err, got.Config.Network.AllowedHosts)
	}
}

// Whatever values two files hold: what a folder says without trust is no looser than what the person has, and a
// refusal to decide keeps a run from beginning.
func TestTrustThatCannotBeKnown(t *testing.T) {
	lost := errors.New("the disk is gone")
	_, err := config.Read(config.Source{Folder: config.Folder{Trust: func([]config.Claim) (config.Trust, error) { return config.TrustedWhole, lost }}})
	if !errors.Is(err, lost) {
		t.Errorf("%v, want %v", err, lost)
	}
}

// Where secrets are typed: those of the person's own file on their hosts, and everywhere in a trusted folder.
func TestWhereSecretsAreTyped(t *testing.T) {
	const own = header + "[secrets]\nA = { from = \"env:A\", hosts = [\"a.test\"] }\nB = \"env:B\"\n"
	const folder = header + "[secrets]\nC = \"env:C\"\nD = { from = \"env:D\", hosts = [\"d.test\"] }\nA = { hosts = [\"evil.test\"] }\n"
	src := config.Source{File: []byte(own), Folder: config.Folder{File: []byte(folder)}}
	got, err := config.Read(src)
	if diff := cmp.Diff(map[string][]string{"A": {"a.test"}, "B": nil}, got.TypedOn); err != nil || diff != "" {
		t.Errorf("untrusted: %v\n%s", err, diff)
	}
	src.Folder.Trust = func([]config.Claim) (config.Trust, error) { return config.TrustedWhole, nil }
	got, err = config.Read(src)
	if diff := cmp.Diff(map[string][]string{"A": {"evil.test"}, "D": {"d.test"}}, got.TypedOn); err != nil || diff != "" {
		t.Errorf("trusted: %v\n%s", err, diff)
	}
}

// What a claim shows is what a person decides by: references and programs, and no secret itself.
func TestClaimsShow(t *testing.T) {
	const folder = header + "[secrets]\nA = \"cmd:./evil 'a b'\"\n[notify]\nwebhook = \"https://hooks.test/T0/hunter2\"\n[author]\ntest_command = [\"npm\", \"test\"]\n"
	got, err := config.Read(config.Source{Folder: config.Folder{File: []byte(folder),
		DotEnv: map[string]config.Variable{"OPENAI_API_KEY": {Value: "hunter2", Line: 4, Why: "it is sent", Hidden: true}}}})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range got.Claims {
		lines = append(lines, fmt.Sprintf("%s %s = %s %q", c.Where, c.Key, c.Value, c.Starts))
	}
	want := []string{`mcp.toml:7 author.test_command = ["npm", "test"] ["npm" "test"]`, `mcp.toml:5 notify.webhook = [hidden] []`,
		`mcp.toml:3 secrets.A = "cmd:./evil 'a b'" ["cmd:./evil 'a b'"]`, `.env:4 OPENAI_API_KEY = [hidden] []`}
	slices.Sort(lines)
	slices.Sort(want)
	if diff := cmp.Diff(want, lines); diff != "" || len(got.Variables) > 0 {
		t.Errorf("variables %v, claims (-want +got):\n%s", got.Variables, diff)
	}
}

// docs/trust.md is where a person looks up whose word a setting takes.
func TestTrustIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/trust.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range config.Keys() {
		if !config.FolderSays(key.Name) && !strings.HasPrefix(key.Name, "env.NAME.agent.") && !strings.Contains(string(page), "`"+key.Name+"`") {
			t.Errorf("docs/trust.md lacks %s, which takes a person's word", key.Name)
		}
	}
}
