package load

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/assay-qa/assay/qa/flow"
)

// Acceptance says that a person has read a flow that a program made, and takes it for
// their own.
type Acceptance struct {
	SHA256     string `json:"sha256"` // of the flow's text
	AcceptedBy string `json:"accepted_by"`
	At         string `json:"at"` // RFC 3339
}

// AcceptanceFile returns the name of the file beside a flow that says who accepted it.
func AcceptanceFile(path string) string { return path + ".accepted.json" }

// Written reports whether the text of a flow file is a person's: they wrote it, or have
// accepted it as it stands. read reads a file beside it.
func Written(name string, data []byte, read func(name string) ([]byte, error)) (bool, error) {
	if !flow.ByProgram(name, data) {
		return true, nil
	}
	text, err := read(AcceptanceFile(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var a Acceptance
	if err := json.Unmarshal(text, &a); err != nil {
		return false, fmt.Errorf("%s: %w", AcceptanceFile(name), err)
	}
	sum := sha256.Sum256(data)
	return a.AcceptedBy != "" && a.SHA256 == hex.EncodeToString(sum[:]), nil
}
