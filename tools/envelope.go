package tools

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/visual"
)

// envelope is the structured content of every answer.
type envelope struct {
	OK         bool           `json:"ok"`
	Data       any            `json:"data,omitempty"`
	Error      *toolError     `json:"error,omitempty"`
	Screenshot *ScreenshotRef `json:"screenshot,omitempty"`
	Elements   []identified   `json:"elements,omitempty"` // that an acting call was about; in agent runs only
}

// ScreenshotRef points at a stored picture.
type ScreenshotRef struct {
	URI      string `json:"uri"`
	Name     string `json:"name" jsonschema:"name to cite as evidence"`
	Path     string `json:"path"`
	SHA256   string `json:"sha256"`
	MIMEType string `json:"mimeType"`
	Width    int    `json:"width"`
	Height   int    `json:"height"`
}

// toolError says why a call could not look.
type toolError struct {
	Code      string   `json:"code"`
	Message   string   `json:"message"`
	Retriable bool     `json:"retriable"`
	Hint      string   `json:"hint,omitempty" jsonschema:"what to do next"`
	Cause     string   `json:"cause,omitempty"`
	pageLines []string // page text that belongs to the hint, such as candidates
}

func (e *toolError) Error() string { return e.Code + ": " + e.Message }

// wire is the error as structured content carries it: with the page text that
// belongs to its hint.
func (e *toolError) wire() *toolError {
	w := *e
	w.Hint = strings.TrimSpace(e.Hint + " " + strings.Join(e.pageLines, " | "))
	return &w
}

func invalidInput(hint, format string, args ...any) *toolError {
	return &toolError{Code: string(browser.InvalidInput), Message: fmt.Sprintf(format, args...), Hint: hint}
}

// asToolError maps what a handler returned to a stable code. It is the only
// such mapping.
func asToolError(tool string, err error) *toolError {
	var te *toolError
	var be *browser.Error
	switch {
	case err == nil:
		return &toolError{} // of no code
	case errors.As(err, &te):
		return te
	case errors.As(err, &be):
		return &toolError{Code: string(be.Code), Message: be.Message, Retriable: be.Retriable, Hint: be.Hint, pageLines: be.Page}
	case errors.Is(err, context.Canceled):
		return &toolError{Code: string(browser.Cancelled), Message: tool + " was cancelled", Retriable: true}
	case errors.Is(err, context.DeadlineExceeded):
		return &toolError{Code: string(browser.TimedOut), Message: tool + " took longer than this server allows", Retriable: true, Hint: "raise limits.timeout_ms"}
	case errors.Is(err, evidence.ErrFinished):
		return invalidInput("call run_start", "%v", err)
	case errors.Is(err, baseline.ErrNotFound):
		return &toolError{Code: baselineNotFound, Message: err.Error(), Hint: "capture_visual_baseline captures one"}
	case errors.Is(err, baseline.ErrLocked):
		return &toolError{Code: "STORE_LOCKED", Message: err.Error(), Retriable: true, Hint: "call again; if it stays so, end the process that holds it"}
	case errors.Is(err, baseline.ErrCorrupt):
		return &toolError{Code: "STORE_CORRUPT", Message: err.Error(), Hint: "restore the data folder from a copy, or import the baselines: assay baseline import"}
	case errors.Is(err, visual.ErrNoPicture), errors.Is(err, visual.ErrTooLarge):
		return &toolError{Code: string(browser.ImageInvalid), Message: err.Error(), Hint: "compare one element (selectors), or raise limits.max_pixels"}
	case errors.Is(err, evidence.ErrDiskFull):
		return &toolError{Code: "DISK_FULL", Message: err.Error(), Hint: "free space, or run: assay runs prune"}
	case errors.Is(err, evidence.ErrCorrupt):
		return &toolError{Code: "STORE_CORRUPT", Message: err.Error(), Hint: "the stored file was changed after it was written; don't trust this run"}
	case errors.Is(err, evidence.ErrRolledBack):
		return &toolError{Code: "STORE_CORRUPT", Message: err.Error(), Hint: "mend the data folder as the message says, and call again"}
	case errors.Is(err, evidence.ErrKeyLost), errors.Is(err, evidence.ErrKey):
		return &toolError{Code: "INTERNAL", Message: err.Error(), Hint: "mend the signing key as the message says, and call again"}
	case errors.Is(err, evidence.ErrReadOnly), errors.Is(err, fs.ErrPermission):
		return &toolError{Code: "INTERNAL", Message: err.Error(), Hint: "make the data directory writable, or set ASSAY_DATA_DIR to one that is"}
	default:
		return &toolError{Code: "INTERNAL", Message: tool + ": " + err.Error(), Hint: "report it with the server's log"}
	}
}

// reply is the text of an answer: the server's own words first, then, between
// marks that a page can't guess, what came from the page.
type reply struct {
	ownLines  []string
	pageLines []string
}

func (r *reply) text() string {
	var b strings.Builder
	b.WriteString(strings.Join(r.ownLines, "\n"))
	if len(r.pageLines) == 0 {
		return b.String()
	}
	var nonce [6]byte
	_, _ = rand.Read(nonce[:]) // never fails, see crypto/rand
	mark := "page-" + hex.EncodeToString(nonce[:])
	fmt.Fprintf(&b, "\n<%s>\n%s\n</%s>", mark, strings.Join(r.pageLines, "\n"), mark)
	return strings.TrimPrefix(b.String(), "\n")
}

// result renders the answer for the wire.
func (c *call) result(e envelope, text string) *mcp.CallToolResult {
	content := []mcp.Content{mcp.NewTextContent(c.desk.mask(text))}
	if s := e.Screenshot; s != nil {
		link := mcp.NewResourceLink(s.URI, s.Name, "", s.MIMEType)
		content = append(content, link)
	}
	if c.image != nil {
		content = append(content, mcp.NewImageContent(base64.StdEncoding.EncodeToString(c.image), "image/png"))
	}
	raw, err := json.Marshal(e)
	if err != nil {
		panic(fmt.Sprintf("tool %s: marshal answer: %v", c.spec.name, err))
	}
	return &mcp.CallToolResult{Content: content, StructuredContent: json.RawMessage(c.desk.maskFile("application/json", raw)), IsError: !e.OK}
}
