package server

import (
	"encoding/base64"
	"log/slog"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

func isTemplate(uri string) bool { return strings.Contains(uri, "{") }

// contents sends text as text and everything else as base64.
func contents(uri string, c Content) mcp.ResourceContents {
	if isText(c.MIMEType) {
		return mcp.TextResourceContents{URI: uri, MIMEType: c.MIMEType, Text: string(c.Data)}
	}
	return mcp.BlobResourceContents{URI: uri, MIMEType: c.MIMEType, Blob: base64.StdEncoding.EncodeToString(c.Data)}
}

func isText(mime string) bool {
	return strings.HasPrefix(mime, "text/") || strings.HasPrefix(mime, "application/json") || mime == "application/xml" || mime == "application/schema+json"
}

// logLines sends a library's log lines to ours.
type logLines struct{ log *slog.Logger }

func (l logLines) Write(p []byte) (int, error) {
	l.log.Warn("mcp", "message", strings.TrimSpace(string(p)))
	return len(p), nil
}
