package tools

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/engine"
)

// envelope holds the structured content of every answer.
type envelope struct {
	OK         bool           `json:"ok"`
	Data       any            `json:"data,omitempty"`
	Error      *engine.Error  `json:"error,omitempty"`
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

// wireError returns an error as structured content carries it: with the page
// text that belongs to its hint.
func wireError(e *engine.Error) *engine.Error {
	w := *e
	w.Hint = strings.TrimSpace(e.Hint + " " + strings.Join(e.Page, " | "))
	return &w
}

// reply holds the text of an answer: the server's own words first, then, between
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
