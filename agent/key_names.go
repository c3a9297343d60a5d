package agent

import "strings"

// keyNames maps what models call keys to computer_action's names: in small letters, without
// what parts words. Their names are those of X, of browsers, and of keyboards.
var keyNames = map[string]string{
	"ctrl": "Control", "control": "Control", "alt": "Alt", "option": "Alt", "shift": "Shift",
	"super": "Meta", "meta": "Meta", "cmd": "Meta", "command": "Meta", "win": "Meta", "windows": "Meta",
	"return": "Enter", "enter": "Enter", "kpenter": "NumpadEnter", "tab": "Tab", "escape": "Escape", "esc": "Escape", "space": "Space", "spacebar": "Space",
	"backspace": "Backspace", "delete": "Delete", "del": "Delete", "insert": "Insert", "ins": "Insert", "home": "Home", "end": "End",
	"pageup": "PageUp", "prior": "PageUp", "pgup": "PageUp", "pagedown": "PageDown", "next": "PageDown", "pgdn": "PageDown", "pgdown": "PageDown",
	"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
	"arrowup": "ArrowUp", "arrowdown": "ArrowDown", "arrowleft": "ArrowLeft", "arrowright": "ArrowRight",
	"capslock": "CapsLock", "menu": "ContextMenu", "print": "PrintScreen", "pause": "Pause",
	"plus": "+", "minus": "-", "equal": "=", "comma": ",", "period": ".", "slash": "/", "backslash": `\`, "semicolon": ";",
	"apostrophe": "'", "grave": "`", "bracketleft": "[", "bracketright": "]",
}

// Chord returns keys that are pressed together in computer_action's words, such as
// Control+Shift+a. Each may hold several, joined by +. What is not known stays as it is, and
// is refused by the tool with a hint. A letter beside other keys is a small one: Shift is
// named where it is meant, and pages that wait for Ctrl+A wait for the key "a".
func Chord(keys ...string) string {
	var parts []string
	for _, key := range keys {
		parts = append(parts, splitChord(key)...)
	}
	for i, key := range parts {
		if len(key) == 1 && len(parts) > 1 {
			key = strings.ToLower(key)
		}
		parts[i] = keyName(key)
	}
	return strings.Join(parts, "+")
}

// splitChord cuts at every + that something stands before.
func splitChord(joined string) []string {
	var keys []string
	for joined != "" {
		i := strings.Index(joined[1:], "+")
		if i < 0 {
			return append(keys, joined)
		}
		keys, joined = append(keys, joined[:i+1]), joined[i+2:]
	}
	return keys
}

func keyName(key string) string {
	switch {
	case key == " ":
		return "Space"
	case len(key) == 1:
		return key
	}
	for suffix, side := range map[string]string{"_l": "Left", "_r": "Right"} { // as X tells the two of a keyboard
		base, one := strings.CutSuffix(strings.ToLower(key), suffix)
		switch known := keyNames[base]; known {
		case "Control", "Alt", "Shift", "Meta":
			if one {
				return known + side
			}
		}
	}
	name := strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(key))
	if known, ok := keyNames[name]; ok {
		return known
	}
	if len(name) > 1 && name[0] == 'f' && strings.Trim(name[1:], "0123456789") == "" {
		return strings.ToUpper(name)
	}
	return key
}
