package browser

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/act"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/browser/rest"
	texts "github.com/assay-qa/assay/internal/text"
)

// TakeUploads returns the files that pages were given since the last call of it.
func (s *actions) TakeUploads() []input.File { return s.files.Take() }

// Upload gives files to the file input that selector names, which may be hidden, or
// to the one that a click on the named element opens a file chooser for. It returns
// what the input held then. Only files below [Options.UploadRoots] are read; a
// relative name is looked for in each of them. The page gets copies of them, so that
// what was checked is what is sent. A timeout of 0 means the default.
func (s *actions) Upload(ctx context.Context, selector string, files []string, timeout time.Duration) (Acted, error) {
	return s.give(ctx, &upload{given: &s.files}, selector, files, timeout)
}

// Drop drops files on an element, as a person does who drags them out of another window. They are
// copied and checked as those of [Session.Upload] are.
func (s *actions) Drop(ctx context.Context, selector string, files []string, timeout time.Duration) (Acted, error) {
	return s.give(ctx, &upload{given: &s.files, drops: true}, selector, files, timeout)
}

func (s *actions) give(ctx context.Context, up *upload, selector string, files []string, timeout time.Duration) (Acted, error) {
	var err error
	if up.paths, up.files, err = s.files.Stage(ctx, s.current().context.temp, s.id, s.pool.UploadRoots, files); err != nil {
		return Acted{}, err
	}
	acted, err := s.act(ctx, "page_upload", selector, timeout, func(e *actedElement) act.Act {
		return act.Act{Activates: true,
			Ready: func(limit time.Duration) error { return up.ready(e.at(), inMilliseconds(limit)) },
			Do: func(limit time.Duration) error {
				if up.drops {
					return up.drop(ctx, e.tab, e.at(), limit)
				}
				return up.do(e.at(), inMilliseconds(limit))
			},
			Value: func(ctx context.Context) string { return up.chosen(ctx, e.tab) },
		}
	})
	if err != nil {
		return acted, err
	}
	acted.Files = up.files
	s.files.Gave(up.files)
	if up.emptied {
		acted.Notes = append(acted.Notes, "upload: the page took the files and has emptied its input since")
	}
	return acted, nil
}

// upload holds one upload while it is done.
type upload struct {
	given *input.Files
	paths []string
	files []input.File
	drops bool // they are dropped on the element
	input bool // the element is a file input, or its label

	taker   playwright.JSHandle // the input that took the files
	emptied bool                // it is still there, and holds none any more
}

// heldNow returns the names of the files that an input holds; null where it is gone.
const heldNow = `e => { const input = e.control ?? e; return input.isConnected && input.files ? [...input.files].map(f => f.name).join(', ') : null }`

// chosen returns the names of the files that the input holds after the upload, and notes
// whether the page has emptied it. Of an input that is gone nothing is known.
func (u *upload) chosen(ctx context.Context, t *tab) string {
	if u.taker == nil {
		return ""
	}
	held, err := within(ctx, t, rest.LookLimit, func() (any, error) { return u.taker.Evaluate(heldNow) })
	names, known := held.(string)
	u.emptied = err == nil && known && names == ""
	return texts.Cut(names, maxValue)
}

// fileInput distinguishes a file input, or its label, from other elements.
const fileInput = `found => found.every(e => (e.control ?? e).type === 'file')`

func (u *upload) ready(l playwright.Locator, limit *float64) error {
	if err := awaitAttached(l, limit); err != nil {
		return err
	}
	if u.drops {
		return l.Hover(playwright.LocatorHoverOptions{Timeout: limit, Trial: playwright.Bool(true)})
	}
	yes, err := l.EvaluateAll(fileInput)
	if err != nil {
		return err
	}
	if u.input = yes == true; u.input {
		return nil
	}
	return l.Click(playwright.LocatorClickOptions{Timeout: limit, Trial: playwright.Bool(true)})
}

// heldFiles records what the input holds at the moment when the page hears of it, before
// the page's own listeners, which may well empty it.
const heldFiles = `e => {
	const got = { files: null }, input = e.control ?? e;
	const take = event => {
		if (event.composedPath()[0] === input && !got.files) got.files = [...input.files].map(f => ({ name: f.name, size: f.size }));
	};
	for (const type of ['input', 'change']) {
		input.ownerDocument.defaultView.addEventListener(type, take, { capture: true });
		input.addEventListener(type, take, { capture: true });
	}
	return got;
}`

func (u *upload) do(l playwright.Locator, limit *float64) error {
	page, err := l.Page()
	if err != nil {
		return err
	}
	defer u.given.Begin(page)()
	if u.input {
		var err error
		if u.taker, err = l.EvaluateHandle("e => e", nil, playwright.LocatorEvaluateHandleOptions{Timeout: limit}); err != nil {
			return err
		}
		held, err := l.EvaluateHandle(heldFiles, nil, playwright.LocatorEvaluateHandleOptions{Timeout: limit})
		if err != nil {
			return err
		}
		defer func() { _ = held.Dispose() }() // it goes with the document at the latest
		if err := l.SetInputFiles(u.paths, playwright.LocatorSetInputFilesOptions{Timeout: limit}); err != nil {
			return uploadError(err)
		}
		return u.verify(held)
	}
	wait := min(*limit, float64(rest.ChooserLimit.Milliseconds()))
	chooser, err := page.ExpectFileChooser(func() error {
		return l.Click(playwright.LocatorClickOptions{Timeout: limit})
	}, playwright.PageExpectFileChooserOptions{Timeout: &wait})
	if err != nil {
		if errors.Is(err, playwright.ErrTimeout) {
			return explain.NoFileInput()
		}
		return err
	}
	u.taker = chooser.Element()
	held, err := u.taker.EvaluateHandle(heldFiles)
	if err != nil {
		return err
	}
	defer func() { _ = held.Dispose() }()
	if err := chooser.SetFiles(u.paths, playwright.FileChooserSetFilesOptions{Timeout: limit}); err != nil {
		return uploadError(err)
	}
	return u.verify(held)
}

// verify compares what the input held with what it was given.
func (u *upload) verify(held playwright.JSHandle) error {
	value, err := held.Evaluate("got => ({ files: got.files })")
	if err != nil {
		if isNavigating(err) || isClosed(err) {
			return nil // the page sent them off at once
		}
		return err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	var got struct{ Files []input.File }
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	if len(got.Files) == len(u.files) {
		same := true
		for i, f := range got.Files {
			same = same && f.Name == u.files[i].Name && f.Size == u.files[i].Size
		}
		if same {
			return nil
		}
	}
	var names []explain.File
	for _, f := range got.Files {
		names = append(names, explain.File{Name: texts.Cut(f.Name, maxNote), Size: f.Size})
	}
	return explain.OtherFiles(names)
}

// uploadError distinguishes an input that takes no such files from other failures.
func uploadError(err error) error {
	if err == nil {
		return nil
	}
	if isNoFileInput(err) {
		return explain.NoFileInput()
	}
	folder := isFolderInput(err)
	if !folder && !isSingleFileInput(err) {
		return err
	}
	return explain.FilesRefused(folder, why(err), err)
}

// heldDrop records whether what lies under the pointer takes files, and which it was given, at the
// moment when the page hears of it.
const heldDrop = `e => {
	const got = { taken: null, files: null }, view = e.ownerDocument.defaultView, over = new AbortController(), options = { capture: true, signal: over.signal };
	view.addEventListener('dragover', event => view.setTimeout(() => { got.taken = event.defaultPrevented && event.dataTransfer.dropEffect !== 'none' }), options);
	view.addEventListener('drop', event => { got.files = [...event.dataTransfer.files].map(f => ({ name: f.name, size: f.size })); over.abort() }, options);
	got.end = () => over.abort();
	return got;
}`

// drop drops the files on an element where that takes them. A page that does not would be left for
// the file itself. See Input.dispatchDragEvent in Chromium's protocol.
func (u *upload) drop(ctx context.Context, t *tab, l playwright.Locator, limit time.Duration) error {
	if t.context.opts.Type != "chromium" {
		return explain.Invalid("use chromium", "files can be dropped in chromium alone")
	}
	if err := l.ScrollIntoViewIfNeeded(playwright.LocatorScrollIntoViewIfNeededOptions{Timeout: inMilliseconds(limit)}); err != nil {
		return err
	}
	held, err := l.EvaluateHandle(heldDrop, nil, playwright.LocatorEvaluateHandleOptions{Timeout: inMilliseconds(limit)})
	if err != nil {
		return err
	}
	defer func() { // both go with the document at the latest
		_, _ = held.Evaluate("got => got.end()")
		_ = held.Dispose()
	}()
	at, err := middleOf(l, limit)
	if err != nil {
		return err
	}
	devtools, err := t.tools()
	if err != nil {
		return err
	}
	defer u.given.Begin(t.page)()
	send := func(kind string) error {
		_, err := devtools.Send("Input.dispatchDragEvent", map[string]any{"type": kind, "x": at.X, "y": at.Y,
			"data": map[string]any{"items": []any{}, "files": u.paths, "dragOperationsMask": 1}})
		return err
	}
	if err := errors.Join(send("dragEnter"), send("dragOver")); err != nil {
		return err
	}
	heard := func() (bool, error) { return toldOf(held, "got => got.taken !== null") }
	err = rest.Until(ctx, heard, rest.Policy{Limit: rest.ChooserLimit, Every: rest.SettlePoll})
	taken := false
	if err == nil {
		taken, err = toldOf(held, "got => got.taken")
	}
	if errors.Is(err, rest.ErrLimit) || err == nil && !taken {
		err = explain.NoDropZone()
	}
	if err != nil {
		return errors.Join(err, send("dragCancel"))
	}
	if err := send("drop"); err != nil {
		return err
	}
	came := func() (bool, error) { return toldOf(held, "got => got.files !== null") }
	switch err := rest.Until(ctx, came, rest.Policy{Limit: rest.ChooserLimit, Every: rest.SettlePoll}); {
	case errors.Is(err, rest.ErrLimit):
		return explain.NoDropZone()
	case err != nil && !isNavigating(err) && !isClosed(err):
		return err
	}
	return u.verify(held)
}

// toldOf asks a handle of the page for a yes or a no.
func toldOf(held playwright.JSHandle, question string) (bool, error) {
	yes, err := held.Evaluate(question)
	return yes == true, err
}
