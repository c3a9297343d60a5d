package anthropic

import "strings"

// keyNames maps the model's names of keys, which are those of X in any case,
// to computer_action's.
var keyNames = map[string]string{
	"ctrl": "Control", "control": "Control", "control_l": "ControlLeft", "control_r": "ControlRight", "alt": "Alt", "option": "Alt", "shift": "Shift",
	"super": "Meta", "super_l": "Meta", "meta": "Meta", "cmd": "Meta", "command": "Meta", "win": "Meta", "windows": "Meta",
	"return": "Enter", "enter": "Enter", "kp_enter": "NumpadEnter", "tab": "Tab", "escape": "Escape", "esc": "Escape", "space": "Space",
	"backspace": "Backspace", "delete": "Delete", "del": "Delete", "insert": "Insert", "ins": "Insert", "home": "Home", "end": "End",
	"page_up": "PageUp", "pageup": "PageUp", "prior": "PageUp", "pgup": "PageUp",
	"page_down": "PageDown", "pagedown": "PageDown", "next": "PageDown", "pgdn": "PageDown",
	"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
	"arrowup": "ArrowUp", "arrowdown": "ArrowDown", "arrowleft": "ArrowLeft", "arrowright": "ArrowRight",
	"caps_lock": "CapsLock", "capslock": "CapsLock", "menu": "ContextMenu", "print": "PrintScreen", "pause": "Pause",
	"plus": "+", "minus": "-", "equal": "=", "comma": ",", "period": ".", "slash": "/", "backslash": `\`, "semicolon": ";",
	"apostrophe": "'", "grave": "`", "bracketleft": "[", "bracketright": "]",
	"f1": "F1", "f2": "F2", "f3": "F3", "f4": "F4", "f5": "F5", "f6": "F6", "f7": "F7", "f8": "F8", "f9": "F9", "f10": "F10", "f11": "F11", "f12": "F12",
}

// chord translates a key or a combination to computer_action's words. What is not
// known stays as it is, and is refused there with a hint.
func chord(text string) string {
	var keys []string
	key := ""
	for _, r := range strings.TrimSpace(text) {
		if r == '+' && key != "" {
			keys, key = append(keys, key), ""
			continue
		}
		key += string(r)
	}
	keys = append(keys, key)
	for i, key := range keys {
		if name, found := keyNames[strings.ToLower(key)]; found {
			keys[i] = name
		}
	}
	return strings.Join(keys, "+")
}
