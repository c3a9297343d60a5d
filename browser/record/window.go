package record

import (
	"cmp"
	"slices"
)

// wentTo notes that a frame shows another document, or another address of the same one; tab.mu is held.
func (t *target) wentTo(frame, address string) {
	asked := t.tab.asked[frame]
	delete(t.tab.asked, frame)
	root := t.tab.root == "" || t.tab.root == frame
	if root {
		t.tab.root, t.tab.address = frame, address
	}
	if root && t == t.tab.main {
		t.tab.recorder.later(func() { t.noteHistory(address, asked) })
	}
}

// byPerson reports whether a transition of Chromium's history begins in the browser's own window.
func byPerson(transition string) bool {
	switch transition {
	case "typed", "auto_bookmark", "generated", "keyword", "reload":
		return true
	}
	return false
}

// noteHistory tells of a move by what the tab's history has of it.
func (t *target) noteHistory(address string, asked bool) {
	act := Act{Kind: Went, Tab: t.tab.number, URL: address, ByPage: true}
	var history struct {
		CurrentIndex int
		Entries      []struct {
			ID             int
			TransitionType string
		}
	}
	if err := t.send("Page.getNavigationHistory", map[string]any{}, &history); err == nil && history.CurrentIndex >= 0 && history.CurrentIndex < len(history.Entries) {
		now := history.Entries[history.CurrentIndex]
		next := history.CurrentIndex + 1
		act.Back = next < len(history.Entries) && history.Entries[next].ID == t.tab.entry
		act.Jumped = !act.Back && now.ID != t.tab.entry && t.tab.shown[now.ID]
		act.ByPage = asked || !byPerson(now.TransitionType)
		t.tab.entry = now.ID
		t.tab.shown[now.ID] = true
	}
	t.tab.recorder.Acts.Add(act)
}

// maxFrames bounds the frames that one look reads.
const maxFrames = 40

// look returns what is seen of the tab's documents now.
func (t *tab) look() (*Look, error) {
	type document struct {
		of    *target
		frame string
		world int
	}
	t.mu.Lock()
	var all []*document
	for _, one := range t.targets {
		for frame, world := range one.worlds {
			all = append(all, &document{one, frame, world})
		}
	}
	root, out := t.root, &Look{URL: t.address}
	t.mu.Unlock()
	slices.SortFunc(all, func(a, b *document) int {
		switch {
		case a.frame == root:
			return -1
		case b.frame == root:
			return 1
		}
		return cmp.Compare(a.world, b.world)
	})
	if len(all) == 0 || all[0].frame != root {
		return nil, errNoWorld
	}
	for i, at := range all[:min(len(all), maxFrames)] {
		var said struct {
			Title  string
			Lines  []Line
			Frames framesAround
		}
		err := at.of.answer("Runtime.evaluate", map[string]any{"expression": "assaySeen()", "contextId": at.world}, &said)
		switch {
		case err != nil && i == 0:
			return out, err
		case err != nil:
			continue // the frame has gone
		case i == 0:
			out.Title = said.Title
		default:
			if t.complete(at.frame, &said.Frames.Lines, said.Frames.Page) != nil {
				continue
			}
		}
		of := Element{Frames: said.Frames.Lines}
		for _, line := range said.Lines {
			if line.Selector != "" {
				of.Selector = line.Selector
				line.Selector = of.Path()
			}
			out.Lines = append(out.Lines, line)
		}
	}
	return out, nil
}
