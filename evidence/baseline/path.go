package baseline

// Path returns the file of a digest that [Store.Read] has checked, for a person to
// open.
func (s *Store) Path(digest string) string { return s.blobs.Path(digest) }
