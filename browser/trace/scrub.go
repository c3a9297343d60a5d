package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/assay-qa/assay/browser/redact"
	"github.com/assay-qa/assay/internal/pattern"
)

// resourceKind decides what to do with a file that a trace refers to.
type resourceKind int

const (
	picture  resourceKind = iota // or a font: nothing is looked for in it
	document                     // as it was loaded
	payload                      // what was sent, and JSON: named fields may be credentials
)

// scrubber rewrites the events of a trace: without secrets, without our own
// questions to the page, and below groups that name the tools' calls.
type scrubber struct {
	mask      MaskFile
	engine    string   // our selector engine
	passwords []string // what stood in password fields, in the spellings looked for
	short     []string // those that may be a part of any text by chance
	resources map[string]resourceKind
	frames    []string        // names of the pictures of the page
	dropped   map[string]bool // calls that are left out
	layout    layout

	line    int // number of the event, counted in the survey and again afterwards
	shown   []lineSpan
	exposed int // begin of the span in which a secret is on the page; 0: none is
	last    int // line of the newest DOM snapshot
}

// lineSpan bounds a range of lines: from is in it, to is not.
type lineSpan struct{ from, to int }

func newScrubber(mask MaskFile, engine string, groups []Group) *scrubber {
	return &scrubber{mask: mask, engine: engine, resources: map[string]resourceKind{}, dropped: map[string]bool{}, layout: layout{groups: slices.Clone(groups)}}
}

func (s *scrubber) notes() []string {
	if len(s.shown) == 0 {
		return nil
	}
	return []string{"pictures of the page are left out while it showed a secret"}
}

var (
	refersTo      = pattern.New(`"(?:_?sha1|[A-Za-z]*Sha1)":"([^"]+)"`)
	resourceName  = pattern.New(`^[A-Za-z0-9][A-Za-z0-9@._-]{0,199}$`)
	pictureEnding = pattern.New(`(?i)^\.(jpe?g|png|gif|webp|avif|ico|bmp|woff2?|ttf|otf|eot|mp4|webm|mp3|ogg)$`)
	passwordField = pattern.New(`(?i)"type":"password"`)
	earlierNode   = pattern.New(`\[\[\d+,\d+\]\]`)
)

func kindOf(line []byte) string {
	for _, kind := range []string{"before", "after", "log", "input", "frame-snapshot", "screencast-frame", "console", "event"} {
		if bytes.HasPrefix(line, []byte(`{"type":"`+kind+`"`)) {
			return kind
		}
	}
	if bytes.Contains(line[:min(len(line), 80)], []byte(`"type":"context-options"`)) {
		return "context-options"
	}
	return ""
}

// survey reads an event before any is written: a password is known only from
// the page on which it was typed.
func (s *scrubber) survey(line []byte) error {
	s.line++
	kind := kindOf(line)
	if s.line == 1 && kind != "context-options" {
		return errHeadless
	}
	switch kind {
	case "context-options":
		return json.Unmarshal(line, &s.layout.clock)
	case "before":
		var e driverCall
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		if e.ours(s.engine) {
			s.dropped[e.CallID] = true
		}
	case "frame-snapshot":
		return s.surveySnapshot(line)
	}
	return nil
}

// errHeadless reports that a trace is not whole: no viewer opens it.
var errHeadless = errors.New("its beginning is missing")

// surveySnapshot notes passwords, and from when to when a secret can be seen.
func (s *scrubber) surveySnapshot(line []byte) error {
	defer func() { s.last = s.line }()
	var e struct{ Snapshot domSnapshot }
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	s.layout.snapshots = append(s.layout.snapshots, e.Snapshot)
	if passwordField.Match(line) {
		html := decoded(e.Snapshot.HTML)
		hidePasswords(html, func(value string) { s.password(value) })
		line = encoded(html)
	}
	switch masked := s.mask("application/json", line); {
	case !bytes.Equal(masked, line) && s.exposed == 0:
		s.exposed = max(1, s.last)
	case bytes.Equal(masked, line) && s.exposed > 0 && e.Snapshot.IsMainFrame && !earlierNode.Match(line): // another document
		s.shown = append(s.shown, lineSpan{s.exposed, s.line})
		s.exposed = 0
	}
	return nil
}

// arrange ends the survey.
func (s *scrubber) arrange() {
	if s.exposed > 0 {
		s.shown = append(s.shown, lineSpan{s.exposed, s.line + 1})
	}
	slices.SortFunc(s.passwords, func(a, b string) int { return len(b) - len(a) })
	s.layout.arrange()
	s.line = 0
}

// event rewrites one event; nothing is left of some.
func (s *scrubber) event(line []byte) ([]byte, error) {
	s.line++
	kind := kindOf(line)
	var out []byte
	switch kind {
	case "context-options":
		return s.options(line)
	case "frame-snapshot":
		out = s.snapshot(line)
	case "screencast-frame":
		return s.frame(line), nil
	case "before", "after", "log", "input":
		var e map[string]any
		if err := unmarshal(line, &e); err != nil {
			return nil, err
		}
		if id, _ := e["callId"].(string); s.dropped[id] {
			return nil, nil
		}
		delete(e, "result") // pictures and pages' answers, which no viewer shows
		s.layout.place(kind, e)
		nameByRole(e, s.engine)
		out = encoded(s.withoutPasswords(e))
	case "console", "event":
		var e map[string]any
		if err := unmarshal(line, &e); err != nil {
			return nil, err
		}
		out = encoded(s.withoutPasswords(e))
	default:
		return nil, nil // an unknown kind of event may hold secrets: it is dropped
	}
	s.refer(out)
	return s.mask("application/json", out), nil
}

// options rewrites the first event: of what the context was made with, only
// what a reader asks for stays. Our groups follow it.
func (s *scrubber) options(line []byte) ([]byte, error) {
	var e map[string]any
	if err := unmarshal(line, &e); err != nil {
		return nil, err
	}
	kept := map[string]any{}
	options, _ := e["options"].(map[string]any)
	for _, name := range []string{"viewport", "deviceScaleFactor", "isMobile", "hasTouch", "locale", "timezoneId", "userAgent", "colorScheme", "screen"} {
		if v, ok := options[name]; ok {
			kept[name] = v
		}
	}
	e["options"] = kept
	out := encoded(e)
	for _, g := range s.layout.events() {
		out = append(append(out, '\n'), encoded(s.withoutPasswords(g))...)
	}
	return s.mask("application/json", out), nil
}

func (s *scrubber) snapshot(line []byte) []byte {
	if !passwordField.Match(line) && !s.holdsPassword(line) {
		return bytes.Clone(line)
	}
	var e map[string]any
	if err := unmarshal(line, &e); err != nil {
		return nil
	}
	if snapshot, ok := e["snapshot"].(map[string]any); ok {
		snapshot["html"] = s.replaced(snapshot["html"])
		snapshot["frameUrl"] = s.replaced(snapshot["frameUrl"])
	}
	return encoded(e)
}

// frame keeps a picture of the page, unless a secret could be seen then.
func (s *scrubber) frame(line []byte) []byte {
	found := refersTo.FindSubmatch(line)
	if found == nil {
		return nil
	}
	if name := string(found[1]); resourceName.MatchString(name) {
		s.frames = append(s.frames, name)
	}
	for _, span := range s.shown {
		if s.line >= span.from && s.line < span.to {
			return nil
		}
	}
	s.refer(line)
	return s.mask("application/json", line)
}

// refer notes which files an event needs.
func (s *scrubber) refer(line []byte) {
	for _, m := range refersTo.FindAllSubmatch(line, -1) {
		if name := string(m[1]); resourceName.MatchString(name) {
			s.want(name, document)
		}
	}
}

func (s *scrubber) want(name string, kind resourceKind) {
	switch path.Ext(name) {
	case ".json":
		kind = payload
	default:
		if pictureEnding.MatchString(path.Ext(name)) && kind != payload {
			kind = picture
		}
	}
	s.resources[name] = max(kind, s.resources[name])
}

// body rewrites the content of a file.
func (s *scrubber) body(data []byte, kind resourceKind) []byte {
	mime := "text/plain"
	if kind == payload {
		if json.Valid(data) {
			mime = "application/json"
		}
		if utf8.Valid(data) {
			data = []byte(redact.Text(string(data)))
		}
	}
	if s.holdsPassword(data) {
		data = []byte(s.withoutPassword(string(data)))
	}
	if kind == payload {
		for _, p := range s.short {
			value := regexp.MustCompile(`([=:]\s*"?)` + regexp.QuoteMeta(p) + `(["&,}\s]|$)`)
			data = value.ReplaceAll(data, []byte("${1}"+redact.MaskedValue+"${2}"))
		}
	}
	return s.mask(mime, data)
}

// unmarshal keeps numbers as they are written.
func unmarshal(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("an event of the trace: %w", err)
	}
	return nil
}

func decoded(raw json.RawMessage) any {
	var v any
	if unmarshal(raw, &v) != nil {
		return nil
	}
	return v
}

func encoded(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // it came out of JSON
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
