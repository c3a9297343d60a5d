package runner

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/server"
)

// E9: the picture of what failed goes to the model as JPEG of fixed width; that of what
// passed does not, and one that is too large, or missing, costs the answer nothing.
func TestFailuresPictureIsShown(t *testing.T) {
	dir := t.TempDir()
	wide := image.NewNRGBA(image.Rect(0, 0, 2048, 600))
	var b bytes.Buffer
	if err := png.Encode(&b, wide); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "001-failed.png")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	box := Toolbox{MaxPixels: 40_000_000}
	for name, tt := range map[string]struct {
		box    Toolbox
		tool   string
		answer server.Answer
		shown  bool
		fails  bool
	}{
		"an error":         {box, "page_click", server.Answer{IsError: true, Structured: failed(path, `{}`)}, true, false},
		"a failed check":   {box, "verify_assertion", server.Answer{Structured: failed(path, `{"passed": false}`)}, true, false},
		"a failed flow":    {box, "verify_user_flow", server.Answer{Structured: failed(path, `{"success": false}`)}, true, false},
		"a passed check":   {box, "verify_assertion", server.Answer{Structured: failed(path, `{"passed": true}`)}, false, false},
		"no picture":       {box, "page_click", server.Answer{IsError: true, Structured: failed("", `{}`)}, false, false},
		"a missing file":   {box, "page_click", server.Answer{IsError: true, Structured: failed(path+"x", `{}`)}, false, true},
		"too many pixels":  {Toolbox{MaxPixels: 1000}, "page_click", server.Answer{IsError: true, Structured: failed(path, `{}`)}, false, true},
		"its own pictures": {box, "computer_action", server.Answer{IsError: true, Structured: failed(path, `{}`)}, false, false},
	} {
		i, err := tt.box.failurePicture(tt.tool, tt.answer)
		if (i != nil) != tt.shown || (err != nil) != tt.fails {
			t.Errorf("%s: shown %v, want %v; %v", name, i != nil, tt.shown, err)
			continue
		}
		if i == nil {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(i.Data)
		if err != nil || !bytes.HasPrefix(data, []byte("\xff\xd8")) || i.MIMEType != "image/jpeg" || i.Width != 1024 || i.Height != 300 {
			t.Errorf("%s: %s of %d×%d, %v", name, i.MIMEType, i.Width, i.Height, err)
		}
	}
}

func failed(path, data string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"ok": false, "data": %s, "screenshot": {"path": %q}}`, data, path))
}

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
