package agent

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// How long a provider is waited for: what it asks for at least, else twice as
// long each time, never without end.
func TestPause(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		failed int
		asked  time.Duration
		chance float64
		want   time.Duration // 0: not waited for
	}{
		"the first time":                     {1, 0, 0, 500 * time.Millisecond},
		"the first time, by chance":          {1, 0, 1, time.Second},
		"twice as long":                      {2, 0, 0, time.Second},
		"four times as long":                 {3, 0, 1, 4 * time.Second},
		"bounded":                            {9, 0, 1, 30 * time.Second},
		"bounded, however often":             {1000, 0, 0, 15 * time.Second},
		"what the provider asks for":         {1, 7 * time.Second, 0, 7 * time.Second},
		"never earlier than it asks for":     {1, 7 * time.Second, 1, 7500 * time.Millisecond},
		"a little less than we would wait":   {5, time.Second, 0, 8 * time.Second},
		"the longest that it may ask for":    {1, 2 * time.Minute, 0, 2 * time.Minute},
		"longer than anybody would wait for": {1, 121 * time.Second, 0, 0},
	} {
		if got, ok := pause(c.failed, c.asked, c.chance); got != c.want || ok != (c.want > 0) {
			t.Errorf("%s: %v, %t; want %v", name, got, ok, c.want)
		}
	}
}

// A conversation that doesn't fit keeps its newest picture and snapshot, and
// says when there is nothing left to leave out.
func TestSqueeze(t *testing.T) {
	t.Parallel()
	var turns []Turn
	for range 3 {
		turns = append(turns, Turn{Results: []Result{{Name: "page_snapshot", Structured: []byte(`{}`), Parts: []Part{{Text: "outline"}}},
			{Name: "page_screenshot", Parts: []Part{{Image: &Image{Data: "x"}}}}}})
	}
	if !squeeze(turns) || squeeze(turns) {
		t.Error("three pages can be squeezed once")
	}
	for i, turn := range turns {
		newest := i == len(turns)-1
		if (turn.Results[0].Text() == "outline") != newest || (turn.Results[1].Parts[0].Image != nil) != newest {
			t.Errorf("turn %d reads %+v", i, turn)
		}
	}
}

// What is too long for a conversation is cut between two characters, and says so.
func TestBounded(t *testing.T) {
	t.Parallel()
	if text := strings.Repeat("é", maxShown/2); bounded(text) != text {
		t.Error("a text that fits was cut")
	}
	text := bounded("x" + strings.Repeat("é", maxShown))
	if !utf8.ValidString(text) || len(text) > maxShown+100 || !strings.Contains(text, "(cut: 24002 more bytes; ask for less") {
		t.Errorf("%d bytes, which end in %q", len(text), text[maxShown-10:])
	}
}
