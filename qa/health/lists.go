package health

import (
	_ "embed"

	"github.com/assay-qa/assay/internal/pattern"
)

//go:embed leftovers.txt
var leftoversFile string

//go:embed status_lines.txt
var statusLinesFile string

var (
	leftovers   = pattern.NewLists("leftovers.txt", leftoversFile)
	statusLines = pattern.NewLists("status_lines.txt", statusLinesFile)
)
