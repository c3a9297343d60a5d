package runner

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"log/slog"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/server"
)

// A12: the size of a picture reaches the model's adapter, which makes places on
// the screen of what the model points at. A picture that can't be read has none.
func TestPicturesHaveTheirSize(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	good, broken := base64.StdEncoding.EncodeToString(b.Bytes()), base64.StdEncoding.EncodeToString([]byte("no picture"))
	client, err := server.InProcess(t.Context(), server.New(server.Options{Version: "test", Now: time.Now, Log: slog.New(slog.DiscardHandler), Tools: []server.Tool{{
		Definition: mcp.Tool{Name: "look", RawInputSchema: json.RawMessage(`{"type":"object","properties":{}}`)},
		Handle: func(context.Context, mcp.CallToolRequest, func(string)) *mcp.CallToolResult {
			return &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent("here"), mcp.NewImageContent(good, "image/png"), mcp.NewImageContent(broken, "image/png")}}
		},
	}}}))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Toolbox{Client: client}.Call(t.Context(), "look", nil)
	if err := errors.Join(err, client.Close()); err != nil {
		t.Fatal(err)
	}
	if len(r.Parts) != 3 {
		t.Fatalf("%d parts, want the text and both pictures", len(r.Parts))
	}
	if i := r.Parts[1].Image; i.Width != 30 || i.Height != 20 {
		t.Errorf("the picture is %d×%d, want 30×20", i.Width, i.Height)
	}
	if i := r.Parts[2].Image; i.Width != 0 || i.Height != 0 {
		t.Errorf("what is no picture is %d×%d", i.Width, i.Height)
	}
}
