package evidence

import (
	"fmt"
	"path"
	"strings"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/qa"
)

// artifactSet holds the artefacts of a run. It is for one goroutine at a time.
type artifactSet struct {
	byName map[string]qa.Artifact
	names  []string // as they came
}

func (s *artifactSet) add(a qa.Artifact) {
	if s.byName == nil {
		s.byName = map[string]qa.Artifact{}
	}
	s.byName[a.Name] = a
	s.names = append(s.names, a.Name)
}

func (s *artifactSet) find(name string) (qa.Artifact, bool) { return findArtifact(s.byName, name) }

// findArtifact returns an artefact by its name, from which the folder may be left out.
func findArtifact(byName map[string]qa.Artifact, name string) (qa.Artifact, bool) {
	for _, folder := range []string{"", ledger.Screenshots + "/", ledger.Downloads + "/", ledger.Uploads + "/"} {
		if a, ok := byName[folder+name]; ok { // not path.Join: another spelling of a path is no name
			return a, true
		}
	}
	return qa.Artifact{}, false
}

// shortDigest is how many digits of a SHA-256 name an artefact.
const shortDigest = 12

// byDigest returns the artefact whose SHA-256 begins with some digits, the newest of those
// with the same bytes. Where files of different bytes begin so, it is none.
func (s *artifactSet) byDigest(digits string) (found qa.Artifact, ok bool) {
	if digits = strings.ToLower(strings.TrimPrefix(digits, "sha256:")); len(digits) < shortDigest {
		return found, false
	}
	for _, name := range s.names {
		a := s.byName[name]
		switch {
		case !strings.HasPrefix(a.SHA256, digits):
		case ok && a.SHA256 != found.SHA256:
			return qa.Artifact{}, false
		default:
			found, ok = a, true
		}
	}
	return found, ok
}

func (s *artifactSet) has(name string) bool {
	_, ok := s.find(name)
	return ok
}

// free returns name, or name with a number before its ending where it is taken.
func (s *artifactSet) free(name string) string {
	free, ext := name, path.Ext(name)
	for n := 2; s.has(free); n++ {
		free = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
	}
	return free
}

// in counts the artefacts of a folder.
func (s *artifactSet) in(folder string) (n int) {
	for _, name := range s.names {
		if path.Dir(name) == folder {
			n++
		}
	}
	return n
}

// list returns the artefacts in the order they came.
func (s *artifactSet) list() []qa.Artifact {
	out := make([]qa.Artifact, len(s.names))
	for i, name := range s.names {
		out[i] = s.byName[name]
	}
	return out
}
