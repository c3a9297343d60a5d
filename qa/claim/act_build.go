package claim

import (
	"slices"
	"strings"
)

// actBuilder makes an act of what a pattern kept. before are the acts of the same
// step that come before it.
type actBuilder func(c *captures, before []Act) (Act, bool)

// actBuilders make the acts of the forms, by their names.
var actBuilders = map[string]actBuilder{
	"open":    buildOpen,
	"reload":  func(*captures, []Act) (Act, bool) { return Act{Kind: ActReload}, true },
	"press":   buildPress,
	"fill":    buildFill,
	"clear":   func(c *captures, _ []Act) (Act, bool) { return actOn(ActFill, c, "", fillable) },
	"select":  buildSelect,
	"check":   func(c *captures, _ []Act) (Act, bool) { return actOn(ActCheck, c, "", checkable) },
	"uncheck": func(c *captures, _ []Act) (Act, bool) { return actOn(ActUncheck, c, "", checkable) },
	"hover":   func(c *captures, _ []Act) (Act, bool) { return actOn(ActHover, c, "", nil) },
	"click":   func(c *captures, _ []Act) (Act, bool) { return actOn(ActClick, c, "", nil) },
	"again":   buildAgain,
}

// The words for elements that an act is possible on; an element whose role no word
// says is looked for among these roles.
var (
	fillable   = strings.Fields("field textbox searchfield spinbutton combobox slider")
	selectable = strings.Fields("field dropdown combobox listbox")
	checkable  = strings.Fields("checkbox radio switch toggle")
)

// buildOpen takes an address, or a quoted text that is one.
func buildOpen(c *captures, _ []Act) (Act, bool) {
	address := c.text("path") + c.text("start")
	if address == "" {
		address = strings.TrimSpace(c.text("quote"))
	}
	return Act{Kind: ActOpen, Value: address}, startsAddress(address) && !strings.HasPrefix(address, "*")
}

func buildPress(c *captures, _ []Act) (Act, bool) {
	if c.has("sub") {
		return actOn(ActPress, c, c.text("key"), nil)
	}
	return Act{Kind: ActPress, Value: c.text("key")}, c.has("key")
}

func buildFill(c *captures, _ []Act) (Act, bool) {
	return actOn(ActFill, c, c.text("value"), fillable)
}

func buildSelect(c *captures, _ []Act) (Act, bool) {
	return actOn(ActSelect, c, c.text("value"), selectable)
}

// buildAgain goes on with what the act before it did: "and "Password" with "b"".
func buildAgain(c *captures, before []Act) (Act, bool) {
	last := before[len(before)-1].Kind
	switch last {
	case ActFill:
		return buildFill(c, before)
	case ActSelect:
		return buildSelect(c, before)
	case ActClick, ActCheck, ActUncheck, ActHover:
		return actOn(last, c, "", nil)
	default:
		return Act{}, false
	}
}

// actOn makes an act on the one element that was kept as sub, whose word, if there
// is one, must be among words.
func actOn(kind ActKind, c *captures, value string, words []string) (Act, bool) {
	all := thingsOf(c, "sub")
	if len(all) != 1 {
		return Act{}, false
	}
	s := all[0]
	if s.says != "" || s.any && !s.named || len(words) > 0 && s.role != "" && s.role != "css" && !slices.Contains(words, s.role) {
		return Act{}, false
	}
	act := Act{Kind: kind, Value: value}
	if s.role != "" {
		act.Selectors = s.selectors()
		return act, s.isDefinite()
	}
	act.Name = squeeze(s.name)
	if s.inside != nil {
		act.Inside = s.inside.selectors()
	}
	return act, s.bare && act.Name != ""
}
