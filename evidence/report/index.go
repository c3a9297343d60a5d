package report

import (
	_ "embed"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/assay-qa/assay/qa"
)

//go:embed index.css
var indexStyle string

// indexFindings bounds the findings on a card.
const indexFindings = 3

// Index returns the suite as one page for a person: totals, and a card for each
// case with its verdict, its gravest findings, its last picture, and the link
// to its report. It opens from disk without scripts. While the suite runs the
// page shows that, and reloads itself every few seconds.
func Index(s Suite) ([]byte, error) {
	p := indexPage{Suite: s, Totals: s.Totals(), Running: s.FinishedAt.IsZero()}
	for i, c := range worstFirst(s.Cases) {
		card := indexCard{SuiteCase: c, Mark: caseMark(c), Anchor: fmt.Sprintf("case-%d", i+1), ReportURL: pathURL(c.Report), PictureURL: pathURL(c.Screenshot)}
		card.Top, card.More = Suite{Cases: []SuiteCase{c}}.TopFindings(indexFindings)
		if c.Status == qa.Failed && len(card.Top) > 0 { // what was observed first says more than how many checks failed
			card.Reason, card.Top = card.Top[0].Headline(), card.Top[1:]
		}
		p.Cards = append(p.Cards, card)
	}
	p.filter = newFilter(p.Cards)
	var b writer
	p.write(&b)
	return []byte(b.String()), nil
}

type indexPage struct {
	Suite
	Totals  Totals
	Running bool
	Cards   []indexCard
	filter  filter
}

type indexCard struct {
	SuiteCase
	Mark                  mark
	Anchor                string
	ReportURL, PictureURL address
	Top                   []SuiteFinding
	More                  int
}

func (p indexPage) Style() markup { return join(markup(style+indexStyle), p.filter.style()) }

// Badge returns the badge of the case's evidence, or nil.
func (c indexCard) Badge() *badge {
	if c.Seal == nil {
		return nil
	}
	b := sealBadge(*c.Seal)
	return &b
}

// Title returns the suite's title, or a general one.
func (p indexPage) Title() string { return visible(suiteTitle(p.Suite)) }

// Verdict returns the mark of the suite's outcome.
func (p indexPage) Verdict() mark {
	if s := p.Status(); s != "" {
		return statusMark(s)
	}
	return mark{"note", "▸", "Running"}
}

// Took returns how long the suite took, or "" while it runs.
func (p indexPage) Took() string {
	if p.Running {
		return ""
	}
	return took(p.FinishedAt.Sub(p.StartedAt).Milliseconds())
}

// pathURL returns the address of a file given by its path, or an http address
// as it is. Other addresses are treated as odd file names.
func pathURL(to string) address {
	if strings.HasPrefix(to, "http://") || strings.HasPrefix(to, "https://") {
		return safeURL(to)
	}
	to = filepath.ToSlash(to)
	if to == "" || strings.HasPrefix(to, "//") {
		return ""
	}
	return address((&url.URL{Path: to}).String())
}
