package accept

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/tools/rules"
)

// FlowFile is a flow that a program made, as a person is to read it before it permits
// its acts.
type FlowFile struct {
	Path string
	Flow flow.Flow
	Hash string // SHA-256 of its text
}

// FindFlow reads a flow file that a program made.
func FindFlow(path string) (FlowFile, error) {
	f := FlowFile{Path: path}
	data, err := disk.ReadPath(path, flow.MaxFileBytes)
	if err != nil {
		return f, err
	}
	sum := sha256.Sum256(data)
	f.Hash = hex.EncodeToString(sum[:])
	name := filepath.Base(path)
	var problems flow.Problems
	f.Flow, problems = flow.Load(name, func(string) ([]byte, error) { return data, nil }, rules.Flows())
	switch {
	case len(problems) > 0:
		return f, problems
	case !flow.ByProgram(name, data):
		return f, config.Usage("%s was written by a person: its steps permit their acts as they stand", path)
	}
	return f, nil
}

// Keep writes that a person has accepted the file, beside it.
func (f FlowFile) Keep(by, at string) (err error) {
	text, err := json.MarshalIndent(load.Acceptance{SHA256: f.Hash, AcceptedBy: by, At: at}, "", "  ")
	if err != nil {
		return fmt.Errorf("write the acceptance: %w", err)
	}
	root, err := os.OpenRoot(filepath.Dir(f.Path))
	if err != nil {
		return fmt.Errorf("write the acceptance: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return disk.Write(root, filepath.Base(load.AcceptanceFile(f.Path)), append(text, '\n'))
}
