package record

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// tab is a page with its frames, which may have processes of their own.
type tab struct {
	recorder *Recorder
	number   int
	main     *target

	mu      sync.Mutex
	targets []*target         // the main one first
	parents map[string]string // of frames
	root    string            // the main frame
	asked   map[string]bool   // frames whose page asked to go elsewhere
	dialog  Act               // that is shown, or was last
	entry   int               // of the history, that is shown
	shown   map[int]bool      // entries of the history that were
	address string
}

// target is one process's part of a tab.
type target struct {
	tab      *tab
	devtools Devtools
	worlds   map[string]int // the context of ours, by frame; guarded by tab.mu
}

type frame struct{ ID, ParentID, URL, URLFragment string }

type frameTree struct {
	Frame    frame
	Children []frameTree `json:"childFrames"`
}

var errNoWorld = errors.New("the document is not listened to")

// send puts a command, and decodes its answer.
func (t *target) send(method string, params map[string]any, answer any) error {
	raw, err := t.devtools.Send(method, params)
	if err != nil || answer == nil {
		return err
	}
	return convert(raw, answer)
}

func convert(raw, into any) error {
	text, err := json.Marshal(raw)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// begin listens in all documents of the target, those that are there and those that come.
func (t *target) begin(main bool) error {
	for _, event := range strings.Fields(`Runtime.executionContextCreated Runtime.executionContextDestroyed Runtime.executionContextsCleared Runtime.bindingCalled Page.frameAttached Page.frameNavigated
		Page.navigatedWithinDocument Page.frameRequestedNavigation Page.frameStoppedLoading Page.javascriptDialogOpening Page.javascriptDialogClosed`) {
		t.devtools.On(event, func(params map[string]any) {
			var said told
			if convert(params, &said) == nil { // it is of another form: none of these
				t.hear(event, &said)
			}
		})
	}
	r := t.tab.recorder
	for _, command := range []struct {
		method string
		params map[string]any
	}{
		{"Page.enable", map[string]any{}}, {"Runtime.addBinding", map[string]any{"name": r.channel, "executionContextName": r.world}}, {"Runtime.enable", map[string]any{}},
		{"Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": r.script, "worldName": r.world, "runImmediately": true}},
	} {
		if err := t.send(command.method, command.params, nil); err != nil {
			return fmt.Errorf("%s: %w", command.method, err)
		}
	}
	var all struct{ FrameTree frameTree }
	if err := t.send("Page.getFrameTree", map[string]any{}, &all); err != nil {
		return err
	}
	t.tab.mu.Lock()
	defer t.tab.mu.Unlock()
	t.tab.know(all.FrameTree)
	if main {
		t.tab.root, t.tab.address = all.FrameTree.Frame.ID, all.FrameTree.Frame.URL
	}
	return nil
}

// know notes the frames of a tree; t.mu is held.
func (t *tab) know(tree frameTree) {
	if tree.Frame.ParentID != "" {
		t.parents[tree.Frame.ID] = tree.Frame.ParentID
	}
	for _, child := range tree.Children {
		t.know(child)
	}
}

// told is what the protocol's events say, of all that are heard.
type told struct {
	Name, Payload, FrameID, ParentFrameID, URL, Type, Message, UserInput string

	Result  bool
	World   int `json:"executionContextId"`
	Frame   frame
	Context struct {
		ID      int
		Name    string
		AuxData struct{ FrameID string }
	}
}

// hear takes an event. It waits for nothing.
func (t *target) hear(event string, said *told) {
	t.tab.mu.Lock()
	defer t.tab.mu.Unlock()
	switch event {
	case "Runtime.executionContextCreated":
		if said.Context.Name == t.tab.recorder.world {
			t.worlds[said.Context.AuxData.FrameID] = said.Context.ID
		}
	case "Runtime.executionContextDestroyed":
		maps.DeleteFunc(t.worlds, func(_ string, id int) bool { return id == said.World })
	case "Runtime.executionContextsCleared":
		clear(t.worlds)
	case "Runtime.bindingCalled":
		t.called(said)
	case "Page.frameAttached":
		t.tab.parents[said.FrameID] = said.ParentFrameID
	case "Page.frameNavigated":
		if said.Frame.ParentID != "" {
			t.tab.parents[said.Frame.ID] = said.Frame.ParentID
			return
		}
		t.wentTo(said.Frame.ID, said.Frame.URL+said.Frame.URLFragment)
	case "Page.navigatedWithinDocument":
		t.wentTo(said.FrameID, said.URL)
	case "Page.frameRequestedNavigation": // a link, a form or a script of the page does
		t.tab.asked[said.FrameID] = true
	case "Page.frameStoppedLoading": // also where it came to no document: a download, an empty answer
		delete(t.tab.asked, said.FrameID)
	case "Page.javascriptDialogOpening":
		t.tab.dialog = Act{Kind: Dialog, Tab: t.tab.number, Dialog: said.Type, Text: said.Message}
	case "Page.javascriptDialogClosed":
		answered := t.tab.dialog
		answered.Accepted, answered.Value = said.Result, said.UserInput
		t.tab.recorder.Tell(answered)
	}
}

// called takes what a document tells; tab.mu is held.
func (t *target) called(said *told) {
	if said.Name != t.tab.recorder.channel {
		return
	}
	act, err := readAct(said.Payload)
	if err != nil {
		act = Act{Kind: Failed, Why: err.Error()}
	}
	for frame, id := range t.worlds { // the binding stands in our own world alone
		if id == said.World {
			t.tab.recorder.later(func() { t.tell(act, frame, id) })
			return
		}
	}
	if IsAct(act) {
		t.tab.recorder.Tell(Act{Kind: Failed, Tab: t.tab.number, Why: "its document had gone"})
	}
}

// tell completes an act by what its document does not know, and adds it.
func (t *target) tell(act Act, frame string, world int) {
	act.Tab = t.tab.number
	if act.Veiled > 0 && !t.isOpen(world, act.Veiled) {
		act = Act{Kind: Input, Tab: t.tab.number} // it may be of a password
	}
	for _, on := range []*Element{act.On, act.To} {
		if on == nil {
			continue
		}
		on.Document = fmt.Sprint(t.tab.number, "/", frame, "/", world)
		if err := t.tab.complete(frame, &on.Frames, on.Whole); err != nil {
			act = Act{Kind: Failed, Tab: t.tab.number, Why: "it was in a frame that could not be found again: " + err.Error()}
			break
		}
	}
	if act.Kind == Files || act.Kind == Drop {
		for i := range act.Files {
			act.Files[i] = cmp.Or(t.fileAt(world, i), act.Files[i])
		}
	}
	t.tab.recorder.Acts.Add(act)
}

// complete adds the frames between a page and a document's outermost frame of its own origin.
func (t *tab) complete(frame string, lines *[]string, whole bool) error {
	const deepest = 20
	climb := len(*lines)
	for range deepest {
		if whole {
			return nil
		}
		t.mu.Lock()
		for range climb {
			frame = t.parents[frame]
		}
		parent := t.parents[frame]
		var holder *target
		world := 0
		for _, one := range t.targets {
			if id, ok := one.worlds[parent]; ok {
				holder, world = one, id
			}
		}
		t.mu.Unlock()
		if holder == nil {
			return errNoWorld
		}
		around, err := holder.frameLines(frame, world)
		if err != nil {
			return err
		}
		*lines = append(around.Lines, *lines...)
		frame, climb, whole = parent, len(around.Lines)-1, around.Page
	}
	return errNoWorld
}

// framesAround holds the lines of frames, and whether they lead from the page.
type framesAround struct {
	Lines []string `json:"lines"`
	Page  bool     `json:"page"`
}

// frameLines returns the lines of a frame that stands in one of the target's documents.
func (t *target) frameLines(frame string, world int) (out framesAround, err error) {
	var owner struct{ BackendNodeID int }
	if err := t.send("DOM.getFrameOwner", map[string]any{"frameId": frame}, &owner); err != nil {
		return out, err
	}
	var node struct {
		Object struct{ ObjectID string }
	}
	if err := t.send("DOM.resolveNode", map[string]any{"backendNodeId": owner.BackendNodeID, "executionContextId": world}, &node); err != nil {
		return out, err
	}
	err = t.answer("Runtime.callFunctionOn", map[string]any{"functionDeclaration": "function () { return assayFrame(this) }", "objectId": node.Object.ObjectID}, &out)
	return out, err
}

// answer decodes the text in JSON that a script returns.
func (t *target) answer(method string, params map[string]any, into any) error {
	params["returnByValue"] = true
	var said struct {
		Result    struct{ Value string }
		Exception *struct{ Text string } `json:"exceptionDetails"`
	}
	if err := t.send(method, params, &said); err != nil {
		return err
	}
	if said.Exception != nil {
		return errors.New(said.Exception.Text)
	}
	return json.Unmarshal([]byte(said.Result.Value), into)
}

// isOpen reports whether an element that the document keeps has no closed shadow root, in which the focus may be.
func (t *target) isOpen(world, veiled int) bool {
	var kept struct {
		Result struct{ ObjectID string }
	}
	if t.send("Runtime.evaluate", map[string]any{"expression": fmt.Sprintf("assayVeiled(%d)", veiled), "contextId": world}, &kept) != nil || kept.Result.ObjectID == "" {
		return false
	}
	var described struct {
		Node struct {
			ShadowRoots []struct{ ShadowRootType string }
		}
	}
	err := t.send("DOM.describeNode", map[string]any{"objectId": kept.Result.ObjectID, "pierce": true}, &described)
	return err == nil && !slices.ContainsFunc(described.Node.ShadowRoots, func(root struct{ ShadowRootType string }) bool { return root.ShadowRootType == "closed" })
}

// fileAt returns the path of one of the files that a control was given last; empty where the browser does not know it.
func (t *target) fileAt(world, i int) string {
	var file struct {
		Result struct{ ObjectID string }
	}
	if t.send("Runtime.evaluate", map[string]any{"expression": fmt.Sprintf("assayFiles[%d]", i), "contextId": world}, &file) != nil || file.Result.ObjectID == "" {
		return ""
	}
	var info struct{ Path string }
	if t.send("DOM.getFileInfo", map[string]any{"objectId": file.Result.ObjectID}, &info) != nil {
		return ""
	}
	return info.Path
}
