package draft

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser/driver"
)

//go:embed js/lint.cjs
var program string

// limit bounds the judgement of all files of a call.
const limit = 2 * time.Minute

// LintedFile is a file with its path below the project's folder.
type LintedFile struct {
	Path     string        `json:"path"`
	Text     string        `json:"text"`
	Problems []LintProblem `json:"problems,omitempty"`
}

// LintProblem is a broken rule.
type LintProblem struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

// Check returns files formatted, each with what is wrong in it. folder is an empty one
// to run in; path is where programs are looked for.
func Check(ctx context.Context, runner driver.TestRunner, folder, path string, files []LintedFile) ([]LintedFile, error) {
	asked, err := json.Marshal(map[string]any{"modules": runner.Modules(), "folder": folder, "files": files})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, runner.Node, "--eval", program)
	cmd.Dir, cmd.Env = folder, []string{"PATH=" + path, "HOME=" + folder}
	cmd.Stdin = bytes.NewReader(asked)
	var said, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &failed
	cmd.WaitDelay = 5 * time.Second
	driver.KillTogether(cmd)
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("format and lint %d files: %w", len(files), ctx.Err())
		}
		return nil, fmt.Errorf("format and lint %d files: %w: %s", len(files), err, strings.TrimSpace(failed.String()))
	}
	var answer struct{ Files []LintedFile }
	if err := json.Unmarshal(said.Bytes(), &answer); err != nil {
		return nil, fmt.Errorf("format and lint %d files: the answer is no JSON: %w: %.200q", len(files), err, said.String())
	}
	if len(answer.Files) != len(files) {
		return nil, fmt.Errorf("format and lint %d files: the answer has %d", len(files), len(answer.Files))
	}
	for i := range answer.Files {
		for j := range answer.Files[i].Problems {
			answer.Files[i].Problems[j].Path = answer.Files[i].Path
		}
	}
	return answer.Files, nil
}
