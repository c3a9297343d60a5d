package explore

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// table is what one part measured.
type table struct {
	Part    string     `json:"part"`
	Seconds int        `json:"seconds"`
	Load    string     `json:"load"` // of the machine at the end
	Head    []string   `json:"head"`
	Rows    [][]string `json:"rows"`
	Notes   []string   `json:"notes,omitempty"`
}

func (t *table) row(cells ...any) {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = fmt.Sprint(c)
	}
	t.Rows = append(t.Rows, out)
}

func (t *table) note(format string, args ...any) {
	t.Notes = append(t.Notes, fmt.Sprintf(format, args...))
}

func (t *table) markdown(w io.Writer) {
	fmt.Fprintf(w, "\n**%s** (%d s, load %s)\n\n", t.Part, t.Seconds, t.Load)
	fmt.Fprintln(w, "| "+strings.Join(t.Head, " | ")+" |")
	fmt.Fprintln(w, "|"+strings.Repeat("---|", len(t.Head)))
	for _, r := range t.Rows {
		fmt.Fprintln(w, "| "+strings.Join(r, " | ")+" |")
	}
	fmt.Fprintln(w)
	for _, n := range t.Notes {
		fmt.Fprintln(w, n)
	}
}

// load returns the load of the machine, where it says.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(data)); err == nil && len(fields) > 2 {
		return fields[0]
	}
	return "unknown"
}

// percent writes a share.
func percent(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}
