package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// Some clients raise an error for a note that they read with or after its result. A
// call under 500 ms sends none; in a longer one the messages rise, the latest comes
// first, and the result follows the last note at a distance (step 11).
func TestProgressNeedsTime(t *testing.T) {
	for _, tt := range []struct {
		name   string
		before time.Duration // until the tool reports "halfway"
		after  time.Duration // from there to its result
		want   []string
		result time.Duration // when it may be written
	}{
		{"quick", 0, 0, nil, 0},
		{"just under 500 ms", 0, 499 * time.Millisecond, nil, 499 * time.Millisecond},
		{"over 500 ms", 0, 600 * time.Millisecond, []string{"halfway"}, 600 * time.Millisecond},
		{"reports with its result", 800 * time.Millisecond, 0, []string{"slow", "halfway"}, 820 * time.Millisecond},
		{"silent for long", 0, 5 * time.Second, []string{"halfway", "halfway", "halfway"}, 5 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var wire bytes.Buffer
				s := &Server{now: time.Now, log: slog.New(slog.DiscardHandler), wire: newStdio(strings.NewReader(""), io.Writer(&wire))}
				request := mcp.CallToolRequest{}
				request.Params.Name, request.Params.Meta = "slow", &mcp.Meta{ProgressToken: "p"}
				start := time.Now()
				report, stop := s.heartbeat(request)
				<-time.After(tt.before)
				report("halfway")
				<-time.After(tt.after)
				stop()
				if took := time.Since(start); took != tt.result {
					t.Errorf("the result comes after %s, want %s", took, tt.result)
				}
				<-time.After(time.Minute) // nothing comes after the result
				wantNotes(t, wire.String(), tt.want)
			})
		})
	}
}

func wantNotes(t *testing.T, wire string, want []string) {
	t.Helper()
	var notes []string
	seconds := 0.0
	for line := range strings.Lines(wire) {
		var m struct {
			Params struct {
				ProgressToken, Message string
				Progress               float64
			}
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if m.Params.ProgressToken != "p" || m.Params.Progress < 0.5 || m.Params.Progress <= seconds {
			t.Errorf("after %g s: %s", seconds, line)
		}
		seconds = m.Params.Progress
		notes = append(notes, m.Params.Message)
	}
	if fmt.Sprint(notes) != fmt.Sprint(want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
}
