package health

// checkUsability looks for what hinders or endangers whoever uses the page.
func (j *judge) checkUsability() {
	f := j.facts
	for _, field := range f.Open {
		j.add(OpenPassword, field.Kind == "open", field.Selector, "the field asks for a password and is of no type that hides it")
	}
	if w := f.Wide; w != nil {
		j.add(WidePage, false, w.Selector, "it is wider by %s px", w.Kind)
	}
	if moved := f.Shift; moved != nil {
		j.add(LayoutShift, false, moved.Selector, "it moved by %s px after the page had loaded, although nothing was done", moved.Kind)
	}
}
