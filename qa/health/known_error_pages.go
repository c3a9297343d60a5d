package health

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/assay-qa/assay/internal/pattern"
)

// knownPage describes an error page by what it always says. One expression of each
// kind that is given has to match; bare pages have nothing else.
type knownPage struct {
	of                    string
	titles, heads, bodies []string
	title, heading, body  *regexp.Regexp
	bare                  bool
}

//go:embed error_pages.txt
var errorPagesFile string

// knownPages returns the error pages that a status line alone does not give away.
var knownPages = sync.OnceValue(func() []knownPage {
	known, err := readPages(errorPagesFile)
	if err != nil {
		panic(err) // a file of this build is broken, and a test reads it
	}
	return known
})

// readPages reads error_pages.txt, whose head describes its form.
func readPages(text string) ([]knownPage, error) {
	var pages []knownPage
	err := pattern.Lines("error_pages.txt", text, func(line string) error {
		entry, below := strings.CutPrefix(line, "\t")
		key, rest, _ := strings.Cut(entry, " ")
		switch {
		case !below && key == "page" && rest != "":
			pages = append(pages, knownPage{of: rest})
			return nil
		case !below || len(pages) == 0:
			return fmt.Errorf("%q is no page: write page NAME, and what it says below it", line)
		}
		return pages[len(pages)-1].describe(key, rest)
	})
	for i := 0; i < len(pages) && err == nil; i++ {
		err = pages[i].compile()
	}
	return pages, err
}

func (k *knownPage) describe(key, rest string) error {
	switch key {
	case "title":
		k.titles = append(k.titles, rest)
	case "heading":
		k.heads = append(k.heads, rest)
	case "body":
		k.bodies = append(k.bodies, rest)
	case "bare":
		k.bare = true
	default:
		return fmt.Errorf("a page has no %q: use title, heading, body or bare", key)
	}
	return nil
}

func (k *knownPage) compile() error {
	for _, part := range []struct {
		says []string
		into **regexp.Regexp
	}{{k.titles, &k.title}, {k.heads, &k.heading}, {k.bodies, &k.body}} {
		if len(part.says) == 0 {
			continue
		}
		compiled, err := regexp.Compile("(?i)" + strings.Join(part.says, "|"))
		if err != nil {
			return fmt.Errorf("the page %s: %w", k.of, err)
		}
		*part.into = compiled
	}
	return nil
}
