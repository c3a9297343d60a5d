package browser

// CheckSelector reports whether a selector has one of the accepted forms. What
// only a page can tell, such as CSS that the browser refuses, is not known.
func CheckSelector(selector string) error {
	_, err := parseSelector(selector)
	return err
}
