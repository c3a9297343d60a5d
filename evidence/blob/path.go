package blob

import "path/filepath"

// Path returns the file in which a person finds the bytes of a digest. What a
// program reads comes from [Store.Get], which checks it.
func (s *Store) Path(digest string) string {
	return filepath.Join(s.dir, filepath.FromSlash(File(digest)))
}
