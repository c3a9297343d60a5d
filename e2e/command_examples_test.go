package e2e_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/exampletest"
	"github.com/assay-qa/assay/packaging/site"
)

// runsExamplesOfCommands runs the lines that help, and the pages of the commands, show as
// examples, in a project with a run. A line that no test can run as it stands says why.
func runsExamplesOfCommands(t *testing.T, project, data, url string) {
	t.Helper()
	lines, notRun, err := site.Build{Program: binary(t), Environ: environment(t.TempDir())}.CommandExamples(t.Context())
	must(t, err)
	for line, why := range notRun {
		if named, _, is := strings.Cut(why, " "); is && strings.HasSuffix(named, ".txtar") && !strings.Contains(string(readFile(t, filepath.Join("..", "cmd", "assay", "testdata", "script", named))), strings.Join(strings.Fields(line)[:2], " ")) {
			t.Errorf("%s: %s does not run the command", line, named)
		}
	}
	variables := []string{"ASSAY_DATA_DIR=" + data, "SHOP_PASSWORD=assay-demo"}
	oldest := ""
	for _, line := range lines {
		line, _, _ = strings.Cut(line, " > ") // what is written into a file is printed here
		if oldest == "" {
			stdout, _, _ := commandWith(t, project, variables, "runs", "list", "--json")
			var runs []struct{ ID string }
			must(t, json.Unmarshal([]byte(stdout), &runs))
			oldest = runs[len(runs)-1].ID
		}
		commands := exampletest.Block{Language: "sh", Lines: []string{line}}.Commands()
		if len(commands) != 1 || commands[0].Words[0] != "assay" {
			t.Errorf("%s: nothing tries this example: say why in packaging/site/commands_not_run.json, or have this test try it", line)
			continue
		}
		args := slices.Clone(commands[0].Words[1:])
		for i := range args {
			args[i] = strings.ReplaceAll(oneForm[0].varies.ReplaceAllString(args[i], oldest), "http://localhost:3000", url)
		}
		stdout, stderr, code := commandWith(t, project, variables, args...)
		if code != 0 || stdout == "" {
			t.Errorf("%s: exit code %d; mend the example, or the program, or say in packaging/site/commands_not_run.json why it is not run\n%s%s", line, code, stdout, stderr)
		}
	}
	if t.Logf("%d examples of commands were run, %d were not", len(lines), len(notRun)); len(lines) < 25 {
		t.Errorf("only %d examples of commands were run", len(lines))
	}
}
