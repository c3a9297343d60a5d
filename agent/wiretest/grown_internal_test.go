package wiretest

import "testing"

// Arguments that came torn may go back empty, because servers read them again;
// no others may change.
func TestTornArguments(t *testing.T) {
	for _, c := range []struct {
		said, echoed any
		same         bool
	}{
		{`{"a":`, "{}", true}, {`{"a":`, `{"a":`, true}, {`{"a":`, `{"a":1}`, false},
		{`{"a":1}`, "{}", false}, {map[string]any{"a": 1.0}, "{}", false}, {map[string]any{"a": 1.0}, `{"a":1}`, true},
	} {
		if got := sameArguments(c.said, c.echoed); got != c.same {
			t.Errorf("%v echoed as %v: %v, want %v", c.said, c.echoed, got, c.same)
		}
	}
}

// A picture behind Gemini's responses may become a shorter text, and nothing
// else may.
func TestPicturesGrowOld(t *testing.T) {
	picture := block{"inlineData": map[string]any{"mimeType": "image/png", "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB"}}
	for title, c := range map[string]struct {
		old, now block
		kept     bool
	}{
		"a word in its place": {picture, block{"text": "(older)"}, true},
		"the same":            {picture, picture, true},
		"another picture":     {picture, block{"inlineData": map[string]any{"mimeType": "image/png", "data": "AA=="}}, false},
		"a longer text":       {picture, block{"text": "this text says more than the picture that it stands for, which is no way to save anything at all"}, false},
		"a text that changed": {block{"text": "a note"}, block{"text": "a"}, false},
	} {
		if _, problems := keptParts(blocks{c.now}, blocks{c.old}); (len(problems) == 0) != c.kept {
			t.Errorf("%s: %v", title, problems)
		}
	}
}
