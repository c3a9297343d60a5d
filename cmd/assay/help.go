package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/config"
)

// commandGroups returns the headings under which commands are listed, with their
// names, in the order of a newcomer.
func commandGroups() []struct{ title, commands string } {
	return []struct{ title, commands string }{
		{"Start here:", "check demo init trust install doctor"},
		{"Run tests:", "run worker login accept baseline merge"},
		{"Playwright tests:", "record explore generate test prove heal author"},
		{"Attach a client:", "serve tools schema"},
		{"Look at results:", "report runs metrics"},
		{"Evidence:", "verify export log key"},
		{"About assay:", "version licenses help completion"},
	}
}

// examples returns what is typed, by the path of a command below assay.
func examples() map[string]string {
	return map[string]string{
		"": `assay check http://localhost:3000   # is a page all right?
assay init                          # set a project up, then: assay run
assay report --open                 # look at the newest run`,
		"serve": `claude mcp add assay -- /path/to/assay serve
assay serve --agent tasks           # the same as: assay run tasks`,
		"check": `assay check http://localhost:3000
assay check --device "Pixel 7" --junit junit.xml http://localhost:3000 http://localhost:3000/cart
assay check --json http://localhost:3000/login http://localhost:3000/cart`,
		"run": `assay run                           # all flows, tasks and specs below this folder
assay run tasks --base-url http://localhost:3000
assay run --tags smoke --junit junit.xml
assay run --resume latest           # again what did not pass`,
		"test": `assay install --test-runner         # once, for projects without @playwright/test
assay test
assay test tests/checkout.spec.ts --base-url http://localhost:3000`,
		"generate": "assay generate test-plan/test-plan.md --base-url http://localhost:3000",
		"explore":  "assay explore http://localhost:3000",
		"heal":     `assay heal tests --base-url http://localhost:3000`,
		"prove":    `assay prove tests --base-url http://localhost:3000`,
		"author":   `assay author 'Open /orders. Click the button "New order". The page shows "Order 4711"' --base-url http://localhost:3000 --provider anthropic`,
		"merge":    `assay merge job-1/.assay job-2/.assay --junit junit.xml`,
		"accept":   `assay accept specs/cart.md --name "Ada Lovelace"`,
		"demo": "assay demo                          # the healthy dashboard: must pass\nassay demo --broken                 # with " +
			"faults: must fail\nassay demo --serve --tasks shop     # serve it, and write its tasks to try: assay run shop",
		"install": "assay install\nassay install --test-runner         # for assay test and prove\nsudo assay install --with-deps      # Debian and Ubuntu: browser and fonts too",
		"doctor":  `assay doctor`,
		"tools":   "assay tools\nassay tools --json",
		"schema":  "assay schema                        # the names\nassay schema task-spec > task.schema.json",
		"login":   "assay login analyst                 # by the role's login_flow\nassay login analyst --headed        # by hand, in a window\nassay login analyst --check",
		"runs":    "assay runs list\nassay runs hold 20261121T070117.890Z-n2c2vz --name \"Ada Lovelace\" --reason \"case 7\"",
		"report":  "assay report --open                 # the newest run, in your browser\nassay report latest --format md\nassay report 20261121T070117.890Z-n2c2vz -o report.html",
		"verify":  "assay verify                        # the newest run\nassay verify --all\nassay verify run.zip --key \"$KEY\"",
		"baseline": `assay baseline list
assay baseline approve b-1a2b3c --name "Ada Lovelace" --reason "new brand colour"`,
		"metrics": `assay metrics --since 7d`,
		"export": "assay export                        # the newest run\nassay export latest --out evidence.zip\n" +
			"assay export --flow                 # its calls, for assay run\nassay export --playwright --check   # its calls, as a Playwright test that is run once",
		"record":           "assay record http://localhost:3000\nassay record /orders --env shop --role clerk --out flows/new-order",
		"key":              "assay key show\nassay key rotate --name \"Ada Lovelace\" --reason \"yearly change\"",
		"log":              "assay log\nassay log --run latest",
		"init":             "assay init --base-url http://localhost:3000\nassay init shop --provider openai",
		"trust":            "assay trust                         # shows what, and asks\nassay trust --show\nassay trust --yes --config ci.toml",
		"version":          `assay version --json`,
		"worker":           "assay worker --queue nats://127.0.0.1:4222 --files http://127.0.0.1:8080 --token-file token",
		"licenses":         "assay licenses > licences.txt",
		"help":             "assay help run\nassay help settings",
		"demo sanity":      `assay demo sanity plain slip-1000`,
		"runs list":        `assay runs list --json`,
		"runs prune":       "assay runs prune --dry-run\nassay runs prune --name \"Ada Lovelace\" --reason \"older than a year\"",
		"runs hold":        `assay runs hold latest --name "Ada Lovelace" --reason "case 7"`,
		"runs release":     `assay runs release 20261121T070117.890Z-n2c2vz --name "Ada Lovelace" --reason "case 7 is closed"`,
		"key show":         `assay key show`,
		"key rotate":       `assay key rotate --name "Ada Lovelace" --reason "yearly change"`,
		"baseline list":    `assay baseline list --name sales`,
		"baseline show":    `assay baseline show sales`,
		"baseline approve": `assay baseline approve b-1a2b3c --name "Ada Lovelace" --reason "new brand colour"`,
		"baseline reject":  `assay baseline reject b-1a2b3c --name "Ada Lovelace" --reason "the logo is cut"`,
		"baseline export":  `assay baseline export baselines`,
		"baseline import":  `assay baseline import baselines --name "CI of shop"`,
	}
}

// addHelp gives every command its group and its examples.
func addHelp(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultHelpCmd()
	for _, g := range commandGroups() {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range root.Commands() {
			if strings.Contains(" "+g.commands+" ", " "+c.Name()+" ") {
				c.GroupID = g.title
			}
		}
	}
	all := examples()
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		path := strings.TrimPrefix(strings.TrimPrefix(c.CommandPath(), "assay"), " ")
		if text := all[path]; text != "" {
			c.Example = "  " + strings.ReplaceAll(text, "\n", "\n  ")
		}
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	walk(root)
	usual := root.UsageFunc()
	root.SetUsageFunc(func(c *cobra.Command) error {
		err := usual(c)
		fmt.Fprintln(c.OutOrStderr(), "\nEvery setting of mcp.toml is a flag too (--browser-headless): assay help settings")
		return err
	})
}

// topicNames lists what there is help on beside the commands.
func topicNames() []string { return []string{"settings", "flows", "tasks", "specs", "exit-codes"} }

// topic returns the help on a topic.
func topic(name string) (string, bool) {
	text, ok := map[string]string{
		"flows": `A flow is a file of steps, NAME.flow.toml or .flow.json. It needs no model.

  name = "sign in"
  start_url = "/login"
  steps = [
    { action = "fill", selector = 'textbox "Email"', value = "demo@assay.test" },
    { action = "fill", selector = 'textbox "Password"', value = "${secret:SHOP_PASSWORD}" },
    { action = "click", selector = 'button "Sign in"' },
    { action = "assert", selector = 'heading "Dashboard"', assertion = { type = "visible" } },
  ]

  assay run flows --base-url http://localhost:3000

Its JSON Schema: assay schema flow. More: docs/flows.md
`,
		"tasks": `A task says what is to be found out, NAME.task.toml or .task.json. It needs no model
where agent.provider is "rules".

  goal = "the sales dashboard shows the right figures"
  route = "/dashboard"
  expectations = [{ text = 'the page says "Gross, before refunds"' }]

  assay run tasks --base-url http://localhost:3000

Its JSON Schema: assay schema task-spec. More: docs/tasks.md
`,
		"specs": `A spec is a Markdown file with a heading Steps. A model runs it ([agent] provider), and
what passed is recorded and replayed from then on without one.

  ## Steps
  1. Open /login
  2. Fill the field "Email" with "demo@assay.test" and the field "Password" with "assay-demo"
  3. Click "Sign in"
     - Expected: the heading "Dashboard" is visible

  assay run specs --provider openai

More: docs/specs.md, docs/agent.md, docs/recording.md
`,
		"exit-codes": `  0    all passed
  1    something failed or was inconclusive
  2    a file, a flag or a setting is wrong, or driver or browser is missing: nothing ran
  130  interrupted
`,
	}[name]
	if name == "settings" {
		return settingsHelp(), true
	}
	return text, ok
}

// settingsHelp lists the settings as flags, by their section.
func settingsHelp() string {
	var b strings.Builder
	b.WriteString(`Every setting stands in mcp.toml ([browser] timeout_ms), in the environment
(ASSAY_BROWSER_TIMEOUT_MS), or in a flag (--browser-timeout-ms); a flag wins over the
environment, and that over the file. mcp.toml.example says what each does. What has a *
counts in the file of a folder as far as it is stricter, or once you ran assay trust there.
`)
	section, inFile := "", []string{}
	for _, key := range config.Keys() {
		if key.Flag == "" {
			inFile = append(inFile, key.Name)
			continue
		}
		if in, _, below := strings.Cut(key.Name, "."); below && in != section {
			section = in
			fmt.Fprintf(&b, "\n[%s]\n", section)
		} else if section == "" {
			b.WriteString("\n")
		}
		line := "  --" + key.Flag
		if !config.FolderSays(key.Name) {
			line += " *"
		}
		about := cmp.Or(key.Accepted, key.Type)
		if key.Default != "" {
			about += "; default " + key.Default
		}
		fmt.Fprintf(&b, "%-38s %s\n", line, about)
	}
	fmt.Fprintf(&b, "\nIn the file alone: %s\n", strings.Join(inFile, ", "))
	return b.String()
}
