package e2e_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// miniwobEnv names the folder with the public task set, a clone of
// github.com/Farama-Foundation/miniwob-plusplus (MIT). make soak needs it; without it
// the sample in testdata is worked.
const miniwobEnv = "MINIWOB_DIR"

// miniwobShare of the tasks must be solved.
const miniwobShare = 25.0 / 30

// TestMiniWoB works 30 tasks of MiniWoB++, or every second of the sample, by a scripted
// policy that reads snapshots and calls tools, and nothing else. It shows that the
// tools can do what such pages ask for. It says nothing of any model.
func TestMiniWoB(t *testing.T) {
	t.Parallel()
	root, tasks := os.Getenv(miniwobEnv), miniwobTasks()
	if root == "" && soak() {
		t.Fatalf("the soak works all tasks of MiniWoB++: clone github.com/Farama-Foundation/miniwob-plusplus and name its folder in %s", miniwobEnv)
	}
	if root == "" {
		root = filepath.Join("testdata", "miniwob")
		tasks = slices.DeleteFunc(tasks, func(task miniwobTask) bool {
			_, err := os.Stat(filepath.Join(root, "miniwob", "html", "miniwob", task.name+".html"))
			return err != nil
		})
	}
	if !soak() { // every second one of the sample
		for i := range tasks {
			tasks[i/2] = tasks[i]
		}
		tasks = tasks[:(len(tasks)+1)/2]
	}
	needsBrowser(t)
	pages := filepath.Join(root, "miniwob", "html")
	if _, err := os.Stat(filepath.Join(pages, "core", "core.js")); err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(http.FileServer(http.Dir(pages)))
	defer site.Close()
	w := attach(t, november25)
	solved := 0
	for _, task := range tasks {
		p := &player{w: w}
		w.do("page_navigate", map[string]any{"url": site.URL + "/miniwob/" + task.name + ".html"})
		p.goal = field[string](w, w.do("page_evaluate", map[string]any{
			"script": "core.EPISODE_MAX_TIME = 60000; Math.seedrandom('assay'); core.startEpisodeReal(); core.getUtterance()"}), "result")
		task.solve(p)
		reward := field[float64](w, w.do("page_evaluate", map[string]any{"script": "WOB_RAW_REWARD_GLOBAL"}), "result")
		if reward > 0 && p.trouble == "" {
			solved++
			continue
		}
		t.Logf("%s not solved (reward %v): %s\n%s\n%s", task.name, reward, p.goal, p.trouble, p.look())
	}
	t.Logf("solved %d of %d tasks", solved, len(tasks))
	if len(tasks) < 8 || float64(solved) < miniwobShare*float64(len(tasks)) {
		t.Errorf("solved %d of %d tasks, want %.0f %% of at least 8", solved, len(tasks), 100*miniwobShare)
	}
}

// player works one task: goal and snapshots in, tool calls out.
type player struct {
	w       *wire
	goal    string
	trouble string // the first call that failed
}

func (p *player) call(tool string, arguments map[string]any) answer {
	p.w.t.Helper()
	a := p.w.call(tool, arguments)
	if !a.envelope.OK && p.trouble == "" {
		p.trouble = tool + ": " + a.text()
	}
	return a
}

func (p *player) look() string { return p.w.call("page_snapshot", nil).text() }

// line is the n-th snapshot line (from 1) that begins with begin, as it stands: a line is a
// selector.
func (p *player) line(begin string, n int) string {
	for _, line := range strings.Split(p.look(), "\n") {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, begin) {
			if n--; n == 0 {
				return line
			}
		}
	}
	return begin
}

func (p *player) click(line string) {
	p.call("page_click", map[string]any{"selector": p.line(line, 1)})
}
func (p *player) fill(line, value string) { p.fillNth(line, 1, value) }
func (p *player) fillNth(line string, n int, value string) {
	p.call("page_fill", map[string]any{"selector": p.line(line, n), "value": value})
}
func (p *player) submit() { p.click(`button "Submit"`) }

var (
	quotedGoal  = regexp.MustCompile(`"([^"]+)"`)
	firstNumber = regexp.MustCompile(`\d+`)
)

// quoted is the n-th quoted text of the goal, from 0.
func (p *player) quoted(n int) string {
	if all := quotedGoal.FindAllStringSubmatch(p.goal, -1); n < len(all) {
		return all[n][1]
	}
	return ""
}

// between is what the goal says between two words.
func (p *player) between(before, after string) string {
	_, rest, _ := strings.Cut(p.goal, before)
	found, _, _ := strings.Cut(rest, after)
	return strings.TrimSpace(found)
}

// shown finds the first match of a pattern in the snapshot.
func (p *player) shown(pattern string) []string {
	return regexp.MustCompile(pattern).FindStringSubmatch(p.look())
}

type miniwobTask struct {
	name  string
	solve func(*player)
}

func miniwobTasks() []miniwobTask {
	pressQuoted := func(role string) func(*player) {
		return func(p *player) { p.click(role + ` "` + p.quoted(0) + `"`) }
	}
	enterQuoted := func(p *player) { p.fill("textbox", p.quoted(0)); p.submit() }
	tick := func(role string) func(*player) {
		return func(p *player) {
			for name := range strings.SplitSeq(p.between("Select ", " and click"), ", ") {
				if name != "nothing" {
					p.click(role + ` "` + name + `"`)
				}
			}
			p.submit()
		}
	}
	login := func(p *player) {
		p.fillNth("textbox", 1, p.quoted(0))
		p.fillNth("textbox", 2, p.quoted(1))
		p.click(`button "Login"`)
	}
	return []miniwobTask{
		{"click-button", pressQuoted("button")},
		{"click-link", pressQuoted("clickable")},
		{"click-test-2", func(p *player) { p.click(`button "` + p.between("Click button ", ".") + `"`) }},
		{"click-checkboxes-large", tick("checkbox")},
		{"click-checkboxes-transfer", tick("checkbox")},
		{"click-option", tick("radio")},
		{"click-dialog", func(p *player) { p.click(`button "Close"`) }},
		{"click-dialog-2", func(p *player) {
			name := p.quoted(0)
			if name == "x" {
				name = "Close"
			}
			p.click(`button "` + name + `"`)
		}},
		{"click-button-sequence", func(p *player) { p.click(`button "ONE"`); p.click(`button "TWO"`) }},
		{"click-collapsible", func(p *player) { p.click(`tab "Section`); p.submit() }},
		{"click-collapsible-2", findIn(`tab "Section #`, 3)},
		{"click-tab", func(p *player) { p.click(`link "` + p.between("Click on ", ".") + `"`) }},
		{"click-tab-2", findIn(`link "Tab #`, 3)},
		{"choose-list", func(p *player) {
			p.call("page_select", map[string]any{"selector": p.line("combobox", 1), "option": p.between("Select ", " from the list")})
			p.submit()
		}},
		{"enter-text", enterQuoted},
		{"enter-password", func(p *player) {
			p.fillNth("textbox", 1, p.quoted(0))
			p.fillNth("textbox", 2, p.quoted(0))
			p.submit()
		}},
		{"enter-text-2", func(p *player) {
			text := strings.ToUpper(p.quoted(0))
			if strings.Contains(p.goal, "lower case") {
				text = strings.ToLower(text)
			}
			p.fill("textbox", text)
			p.submit()
		}},
		{"enter-date", func(p *player) {
			at, err := time.Parse("01/02/2006", p.between("Enter ", " as the date"))
			if err != nil {
				p.trouble = err.Error()
			}
			p.fill("textbox", at.Format(time.DateOnly))
			p.submit()
		}},
		{"enter-time", func(p *player) {
			at, err := time.Parse("3:04 PM", p.between("Enter ", " as the time"))
			if err != nil {
				p.trouble = err.Error()
			}
			p.fill("textbox", at.Format("15:04"))
			p.submit()
		}},
		{"focus-text-2", func(p *player) {
			n, _ := strconv.Atoi(firstNumber.FindString(p.goal))
			p.call("page_click", map[string]any{"selector": p.line("textbox", n)})
		}},
		{"login-user", login},
		{"simple-arithmetic", func(p *player) { p.fill("textbox", calculate(p.shown(`"(\d+) ([-+x*]) (\d+) ="`))); p.submit() }},
		{"simple-algebra", func(p *player) { p.fill("textbox", solveForX(p)); p.submit() }},
		{"read-table-2", func(p *player) {
			for n := 1; n <= 2; n++ {
				label := strings.TrimSuffix(strings.TrimPrefix(p.labels()[n-1], `text "`), `:"`)
				if row := p.shown(`row "` + regexp.QuoteMeta(label) + ` \| ([^"]+)"`); row != nil {
					p.fillNth("textbox", n, row[1])
				}
			}
			p.submit()
		}},
		{"search-engine", searchAndPick},
		{"click-scroll-list", func(p *player) {
			for name := range strings.SplitSeq(p.between("Select ", " from the scroll list"), ", ") {
				p.call("page_select", map[string]any{"selector": p.line("listbox", 1), "option": name}) // takes one option: two can't be had
			}
			p.submit()
		}},
		{"use-spinner", func(p *player) { p.fill("spinbutton", p.between("Select ", " with the spinner")); p.submit() }},
		{"guess-number", guess},
		{"phone-book", leafThrough},
		{"drag-box", func(p *player) {
			from, to := p.centre(`text "s"`), p.centre(`text "L"`)
			p.call("computer_action", map[string]any{"action": "drag", "coords": from, "to": to})
			p.submit()
		}},
	}
}

// findIn opens one section after the other until the link of the goal shows.
func findIn(section string, n int) func(*player) {
	return func(p *player) {
		want := `clickable "` + p.quoted(0) + `"`
		for i := 1; i <= n; i++ {
			p.click(section + strconv.Itoa(i) + `"`)
			if strings.Contains(p.look(), want) {
				p.click(want)
				return
			}
		}
	}
}

func calculate(m []string) string {
	if m == nil {
		return ""
	}
	a, _ := strconv.Atoi(m[1])
	b, _ := strconv.Atoi(m[3])
	switch m[2] {
	case "+":
		a += b
	case "-":
		a -= b
	default:
		a *= b
	}
	return strconv.Itoa(a)
}

// solveForX solves "x - 2 = 55" and "7 + x = 55".
func solveForX(p *player) string {
	m := p.shown(`"(x|\d+) ([-+]) (x|\d+) = (-?\d+)"`)
	if m == nil {
		return ""
	}
	result, _ := strconv.Atoi(m[4])
	known, _ := strconv.Atoi(strings.Replace(m[1]+m[3], "x", "", 1))
	switch {
	case m[2] == "+":
		return strconv.Itoa(result - known)
	case m[1] == "x":
		return strconv.Itoa(result + known)
	default:
		return strconv.Itoa(known - result)
	}
}

// labels are the lines that name a field of the form.
func (p *player) labels() []string {
	var out []string
	for _, line := range strings.Split(p.look(), "\n") {
		if strings.HasPrefix(line, `text "`) && strings.HasSuffix(line, `:"`) {
			out = append(out, line)
		}
	}
	return out
}

// searchAndPick clicks the n-th result, three to a page.
func searchAndPick(p *player) {
	p.fill("textbox", p.quoted(0))
	p.click(`button "Search"`)
	n, _ := strconv.Atoi(firstNumber.FindString(p.between("click the ", "search result")))
	for page := 1; n > 3*page; page++ {
		p.click(`link ">"`)
	}
	seen := regexp.MustCompile(`(?m)^\s*((?:link|clickable) "[A-Z][^"]*"(?: \[\d+\])?)`).FindAllString(p.look(), -1)
	if i := (n - 1) % 3; i < len(seen) {
		p.click(strings.TrimSpace(seen[i]))
	}
}

// guess halves what is left until the page says that it is right.
func guess(p *player) {
	low, high := 0, 9
	for low <= high {
		n := (low + high) / 2
		p.fill("spinbutton", strconv.Itoa(n))
		p.submit()
		m := p.shown(`lower than|higher than`)
		switch {
		case m == nil:
			return
		case m[0] == "lower than":
			high = n - 1
		default:
			low = n + 1
		}
	}
}

// leafThrough turns pages until the person of the goal shows.
func leafThrough(p *player) {
	name, what := p.between("Find ", " in the"), p.between("click on their ", ".")
	for range 12 {
		if strings.Contains(p.look(), `heading "`+name+`"`) {
			break
		}
		p.click(`link ">"`)
	}
	label := map[string]string{"email": "Email:", "phone number": "Phone:", "address": "Address:"}[what]
	if m := p.shown(`text "` + label + `"\n(clickable .*)`); m != nil {
		p.click(m[1])
	}
}

// centre is the middle of an element.
func (p *player) centre(selector string) map[string]any {
	type box struct{ X, Y, Width, Height float64 }
	elements := field[[]struct{ BoundingBox box }](p.w, p.call("dom_snapshot", map[string]any{"selector": selector}), "elements")
	if len(elements) == 0 {
		return map[string]any{"x": 0, "y": 0}
	}
	b := elements[0].BoundingBox
	return map[string]any{"x": b.X + b.Width/2, "y": b.Y + b.Height/2}
}
