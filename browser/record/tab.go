package record

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
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
	ask     map[string]bool   // frames whose page asked to go elsewhere
	dialog  dialogOpening
	entry   int // of the history, that is shown
	address string
}

// target is one process's part of a tab.
type target struct {
	tab      *tab
	devtools Devtools
	worlds   map[string]int // the context of ours, by frame; guarded by tab.mu
}

type dialogOpening struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

type frameTree struct {
	Frame struct {
		ID       string `json:"id"`
		ParentID string `json:"parentId"`
		URL      string `json:"url"`
	} `json:"frame"`
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
	for event, hear := range map[string]func(map[string]any){
		"Runtime.executionContextCreated": t.contextCreated, "Runtime.executionContextDestroyed": t.contextGone, "Runtime.bindingCalled": t.called,
		"Page.frameAttached": t.frameAttached, "Page.frameNavigated": t.frameNavigated, "Page.navigatedWithinDocument": t.withinDocument,
		"Page.frameRequestedNavigation": t.requested, "Page.javascriptDialogOpening": t.dialogOpens, "Page.javascriptDialogClosed": t.dialogClosed,
	} {
		t.devtools.On(event, hear)
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

func (t *target) contextCreated(params map[string]any) {
	var said struct {
		Context struct {
			ID      int    `json:"id"`
			Name    string `json:"name"`
			AuxData struct {
				FrameID string `json:"frameId"`
			} `json:"auxData"`
		} `json:"context"`
	}
	if convert(params, &said) != nil || said.Context.Name != t.tab.recorder.world {
		return
	}
	t.tab.mu.Lock()
	defer t.tab.mu.Unlock()
	t.worlds[said.Context.AuxData.FrameID] = said.Context.ID
}

func (t *target) contextGone(params map[string]any) {
	var said struct {
		ID int `json:"executionContextId"`
	}
	if convert(params, &said) != nil {
		return
	}
	t.tab.mu.Lock()
	defer t.tab.mu.Unlock()
	for frame, id := range t.worlds {
		if id == said.ID {
			delete(t.worlds, frame)
		}
	}
}

func (t *target) frameAttached(params map[string]any) {
	var said struct{ FrameID, ParentFrameID string }
	if convert(params, &said) != nil {
		return
	}
	t.tab.mu.Lock()
	defer t.tab.mu.Unlock()
	t.tab.parents[said.FrameID] = said.ParentFrameID
}

// called takes what a document tells.
func (t *target) called(params map[string]any) {
	var said struct {
		Name, Payload string
		Context       int `json:"executionContextId"`
	}
	if convert(params, &said) != nil || said.Name != t.tab.recorder.channel {
		return
	}
	t.tab.mu.Lock()
	frame, known := "", false
	for f, id := range t.worlds {
		if id == said.Context {
			frame, known = f, true
		}
	}
	t.tab.mu.Unlock()
	if !known {
		return // the binding stands in our own world alone
	}
	act, err := readAct(said.Payload)
	if err != nil {
		act = Act{Kind: Failed, Why: err.Error()}
	}
	t.tab.recorder.later(func() { t.tell(act, frame, said.Context) })
}

// tell completes an act by what its document does not know, and adds it.
func (t *target) tell(act Act, frame string, world int) {
	act.Tab = t.tab.number
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
