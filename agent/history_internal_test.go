package agent

import (
	"encoding/json"
	"strconv"
	"testing"
)

// A long conversation keeps its newest pictures and snapshots; older ones go in
// chunks, and nothing else is touched.
func TestCondense(t *testing.T) {
	t.Parallel()
	var turns []Turn
	changes := 0
	for i := range 40 {
		before, err := json.Marshal(turns)
		if err != nil {
			t.Fatal(err)
		}
		n := strconv.Itoa(i)
		turns = append(turns, Turn{Results: []Result{
			{Name: "page_snapshot", Structured: json.RawMessage(`{}`), Parts: []Part{{Text: "outline " + n}}},
			{Name: "page_screenshot", Parts: []Part{{Text: "took " + n}, {Image: &Image{Data: n}}}},
			{Name: "page_click", Structured: json.RawMessage(`{}`), Parts: []Part{{Text: "clicked " + n}}},
		}})
		condense(turns)
		after, err := json.Marshal(turns[:i])
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && string(before) != string(after) {
			changes++
		}
		images, snapshots := 0, 0
		for j, turn := range turns {
			if turn.Results[1].Parts[1].Image != nil {
				images++
			}
			if turn.Results[0].Structured != nil {
				snapshots++
			}
			if turn.Results[2].Text() != "clicked "+strconv.Itoa(j) || turn.Results[1].Parts[0].Text != "took "+strconv.Itoa(j) {
				t.Fatalf("turn %d reads %+v", j, turn)
			}
		}
		if images >= keptImages+staleChunk || snapshots >= keptSnapshots+staleChunk || images < min(i+1, keptImages) || snapshots < min(i+1, keptSnapshots) {
			t.Errorf("after %d turns %d pictures and %d snapshots are left", i+1, images, snapshots)
		}
		last := turns[i].Results
		if last[0].Text() != "outline "+n || last[1].Parts[1].Image == nil {
			t.Errorf("the newest are gone: %+v", last)
		}
	}
	if changes > 20 {
		t.Errorf("%d of 40 turns changed what was said before", changes)
	}
}
