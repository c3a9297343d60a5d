package qa_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa"
)

// B2, B9: options that could not be meant are refused, all at once, each by its
// field.
func TestVisualOptionsValidate(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options qa.VisualOptions
		want    []string
	}{
		{"none", qa.VisualOptions{}, nil},
		{"all", qa.VisualOptions{FullPage: ptr(false), Mask: []string{"testid=clock", "box=0,0,300,40"}, Ignore: []string{"css=.ad"}, Threshold: ptr(0.0),
			Components: map[string]float64{"css=.card": 1, "box=0, 0, 1, 1": 0.5}, IgnoreColors: ptr(true), Freeze: ptr(time.Unix(1, 0))}, nil},
		{"shares that are none", qa.VisualOptions{Threshold: ptr(1.5), Components: map[string]float64{"h1": -0.1}}, []string{"threshold is 1.5", `components["h1"] is -0.1`}},
		{"no number", qa.VisualOptions{Threshold: ptr(math.NaN())}, []string{"threshold is NaN"}},
		{"percents", qa.VisualOptions{Threshold: ptr(5.0)}, []string{"share of the pixels from 0 to 1"}},
		{"empty places", qa.VisualOptions{Mask: []string{"a", " "}, Ignore: []string{""}, Components: map[string]float64{"": 0}}, []string{"mask[1] is empty", "ignore[0] is empty", `components[""] is empty`}},
		{"boxes that are none", qa.VisualOptions{Mask: []string{"box=", "box=1,2,3", "box=1,2,3,4,5", "box=a,0,1,1", "box=0,0,0,5", "box=-1,0,5,5", "box=0.5,0,5,5"}},
			[]string{"mask[0] is", "mask[1] is", "mask[2] is", "mask[3] is", "mask[4] is", "mask[5] is", "mask[6] is"}},
		{"no time", qa.VisualOptions{Freeze: &time.Time{}}, []string{"freeze is no time"}},
	} {
		t.Run(tt.name, func(t *testing.T) { requireProblems(t, tt.options.Validate(), tt.want...) })
	}
}

// A7, B9: a task's pictures are named as the store allows, and each is asked
// for once.
func TestTaskVisualValidate(t *testing.T) {
	for _, tt := range []struct {
		name   string
		visual []qa.VisualCheck
		want   []string
	}{
		{"page and parts", []qa.VisualCheck{{Name: "Sales"}, {Name: "Sales", Selector: "testid=a"}, {Name: "Größe 2", Selector: "testid=a"}}, nil},
		{"no name", []qa.VisualCheck{{}}, []string{"visual[0].name is empty"}},
		{"blank name", []qa.VisualCheck{{Name: " "}}, []string{"visual[0].name is empty"}},
		{"a name of a hundred", []qa.VisualCheck{{Name: strings.Repeat("ü", 100)}}, nil},
		{"a name of more", []qa.VisualCheck{{Name: strings.Repeat("ü", 101)}}, []string{"visual[0].name has 101 characters"}},
		{"control characters", []qa.VisualCheck{{Name: "a\nb"}, {Name: "a\xffb"}}, []string{`visual[0].name "a\nb" has control`, "visual[1].name"}},
		{"space around", []qa.VisualCheck{{Name: "a "}}, []string{"begins or ends with a space"}},
		{"twice", []qa.VisualCheck{{Name: "a"}, {Name: "a", Selector: "h1"}, {Name: "a"}}, []string{"visual[2] is the same picture as visual[0]"}},
		{"a box is no element", []qa.VisualCheck{{Name: "a", Selector: "box=0,0,1,1"}}, []string{"visual[0].selector"}},
		{"options", []qa.VisualCheck{{Name: "a", VisualOptions: qa.VisualOptions{Threshold: ptr(2.0), Mask: []string{""}}}}, []string{"visual[0].threshold is 2", "visual[0].mask[0] is empty"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			requireProblems(t, qa.TaskSpec{Goal: "g", Visual: tt.visual}.Validate(), tt.want...)
		})
	}
}

// A5, B2: what a task wants compared and nobody compared keeps it from passing.
// A picture that became a baseline just now, one that was made elsewhere and one
// of a page that moved were not compared.
func TestUnseen(t *testing.T) {
	row := func(name, part string, status qa.VisualStatus) qa.VisualRow {
		return qa.VisualRow{Name: name, Part: part, Status: status, Reason: "because", Threshold: 0.01}
	}
	page, part := qa.VisualCheck{Name: "sales"}, qa.VisualCheck{Name: "sales", Selector: "#card"}
	strict := qa.VisualCheck{Name: "sales", VisualOptions: qa.VisualOptions{Threshold: ptr(0.0)}}
	for _, tt := range []struct {
		name string
		task []qa.VisualCheck
		rows []qa.VisualRow
		want []string
	}{
		{"a task without pictures", nil, []qa.VisualRow{row("sales", "", qa.VisualUnsettled)}, nil},
		{"nothing compared", []qa.VisualCheck{page, part}, nil, []string{"visual sales: not compared", "visual sales #card: not compared"}},
		{"same", []qa.VisualCheck{page}, []qa.VisualRow{row("sales", "", qa.VisualSame)}, nil},
		{"within", []qa.VisualCheck{page}, []qa.VisualRow{row("sales", "", qa.VisualWithin)}, nil},
		{"changed was compared", []qa.VisualCheck{page}, []qa.VisualRow{row("sales", "", qa.VisualChanged)}, nil},
		{"another size was compared", []qa.VisualCheck{page}, []qa.VisualRow{row("sales", "", qa.VisualSize)}, nil},
		{"captured", []qa.VisualCheck{page}, []qa.VisualRow{row("sales", "", qa.VisualCaptured)}, []string{"visual sales: not compared: because"}},
		{"made elsewhere", []qa.VisualCheck{page}, []qa.VisualRow{row("sales", "", qa.VisualForeign)}, []string{"visual sales: not compared: because"}},
		{"restless", []qa.VisualCheck{page}, []qa.VisualRow{row("sales", "", qa.VisualUnsettled)}, []string{"visual sales: not compared: because"}},
		{"a status that nobody knows", []qa.VisualCheck{page}, []qa.VisualRow{row("sales", "", "fine")}, []string{"visual sales: not compared: because"}},
		{"restless, then at rest", []qa.VisualCheck{page}, []qa.VisualRow{row("sales", "", qa.VisualUnsettled), row("sales", "", qa.VisualSame)}, nil},
		{"compared, then captured elsewhere", []qa.VisualCheck{page}, []qa.VisualRow{row("sales", "", qa.VisualSame), row("sales", "", qa.VisualCaptured)}, nil},
		{"captured, then compared with that", []qa.VisualCheck{page}, []qa.VisualRow{row("sales", "", qa.VisualCaptured), row("sales", "", qa.VisualSame)}, []string{"visual sales: not compared: because"}},
		{"the page does not stand for its part", []qa.VisualCheck{part}, []qa.VisualRow{row("sales", "", qa.VisualSame)}, []string{"visual sales #card: not compared"}},
		{"another name does not stand for it", []qa.VisualCheck{page}, []qa.VisualRow{row("orders", "", qa.VisualSame)}, []string{"visual sales: not compared"}},
		{"a wider threshold than demanded", []qa.VisualCheck{strict}, []qa.VisualRow{row("sales", "", qa.VisualWithin)}, []string{"visual sales: compared with threshold 0.01, where the task demands 0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, in := range qa.UncomparedPictures(qa.TaskSpec{Visual: tt.task}, tt.rows) {
				if in.Kind != qa.NotExecuted {
					t.Errorf("kind %s", in.Kind)
				}
				got = append(got, in.Subject+": "+string(in.Detail))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	passing := []qa.VisualStatus{qa.VisualSame, qa.VisualWithin}
	for _, s := range []qa.VisualStatus{qa.VisualSame, qa.VisualWithin, qa.VisualChanged, qa.VisualSize, qa.VisualCaptured, qa.VisualForeign, qa.VisualUnsettled, ""} {
		if s.Passes() != slices.Contains(passing, s) {
			t.Errorf("%q passes: %v", s, s.Passes())
		}
	}
}
