package input

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
)

// keyNames lists the keys that have a name, as the driver's keyboard spells
// them; every printable ASCII character is a key too.
var keyNames = strings.Fields(`Alt AltGraph AltLeft AltRight ArrowDown ArrowLeft ArrowRight ArrowUp Backquote Backslash Backspace BracketLeft
	BracketRight CapsLock Comma ContextMenu Control ControlLeft ControlOrMeta ControlRight Delete Digit0 Digit1 Digit2 Digit3 Digit4 Digit5
	Digit6 Digit7 Digit8 Digit9 End Enter Equal Escape F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 Home Insert KeyA KeyB KeyC KeyD KeyE KeyF
	KeyG KeyH KeyI KeyJ KeyK KeyL KeyM KeyN KeyO KeyP KeyQ KeyR KeyS KeyT KeyU KeyV KeyW KeyX KeyY KeyZ Meta MetaLeft MetaRight Minus
	NumLock Numpad0 Numpad1 Numpad2 Numpad3 Numpad4 Numpad5 Numpad6 Numpad7 Numpad8 Numpad9 NumpadAdd NumpadDecimal NumpadDivide
	NumpadEnter NumpadMultiply NumpadSubtract PageDown PageUp Pause Period PrintScreen Quote ScrollLock Semicolon Shift ShiftLeft
	ShiftRight Slash Space Tab`)

// otherNames maps other programs' names of keys to the driver's.
var otherNames = map[string]string{"ctrl": "Control", "cmd": "Meta", "command": "Meta", "win": "Meta", "super": "Meta", "option": "Alt",
	"return": "Enter", "esc": "Escape", "del": "Delete", "ins": "Insert", "pgup": "PageUp", "pgdn": "PageDown", "up": "ArrowUp", "down": "ArrowDown",
	"left": "ArrowLeft", "right": "ArrowRight"}

// checkKey refuses a key or chord (Control+Shift+A) that the keyboard lacks.
func checkKey(chord string) error {
	for _, key := range splitChord(chord) {
		if slices.Contains(keyNames, key) || len(key) == 1 && key[0] >= ' ' && key[0] <= '~' {
			continue
		}
		err := explain.UnknownKey(key)
		like := otherNames[strings.ToLower(key)]
		if i := slices.IndexFunc(keyNames, func(name string) bool { return strings.EqualFold(name, key) }); i >= 0 {
			like = keyNames[i]
		}
		if like == "" && len(key) < maxQuoted {
			like = text.Closest(key, keyNames)
		}
		if like != "" {
			err.Message += pagetext.Sentencef("; did you mean %s?", like)
		}
		return err
	}
	return nil
}

// splitChord cuts at every + that something stands before, as the driver does.
func splitChord(chord string) (keys []string) {
	var key strings.Builder
	for _, r := range chord {
		if r == '+' && key.Len() > 0 {
			keys = append(keys, key.String())
			key.Reset()
			continue
		}
		key.WriteRune(r)
	}
	return append(keys, key.String())
}

// Strokes cuts a text where a key may move the focus or send a form.
func Strokes(typed string) (out []string) {
	for typed != "" {
		i := strings.IndexAny(typed, "\n\t")
		switch {
		case i < 0:
			return append(out, typed)
		case i > 0:
			out = append(out, typed[:i])
		}
		out = append(out, typed[i:i+1])
		typed = typed[i+1:]
	}
	return out
}

// Writes reports whether a key writes a character.
func Writes(key string) bool { return utf8.RuneCountInString(key) == 1 }

// Activates reports whether a key presses the button, link or form that has
// the focus.
func Activates(key string) bool {
	last := key[strings.LastIndex(key, "+")+1:]
	switch last {
	case "Enter", "NumpadEnter", "Space", " ", "\n", "\r":
		return true
	}
	return false
}
