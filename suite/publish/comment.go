package publish

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/suite"
)

// commentLimit bounds a comment: it may take a few pages to find the older one.
const commentLimit = 30 * time.Second

// Comment posts the summary of a suite as a comment on a pull request, or updates the
// one that a run of the same job posted before. It returns the comment's address.
func (p Publisher) Comment(ctx context.Context, to PullRequest, job string, s suite.Suite) (string, error) {
	limit := commentLimit
	if ctx.Err() != nil { // interrupted: the pull request has its comment all the same
		limit = webhookLimit
	}
	ctx, cancel := wait.CleanUp(ctx, limit)
	defer cancel()
	doc, err := report.Summary(p.view(s, ""))
	if err != nil {
		return "", err
	}
	return to.Comment(ctx, commentMarker(job, s), string(p.Mask("text/plain", doc)))
}

// commentMarker returns the mark of the comment that a job has for a suite: two suites
// of one pull request have two comments.
func commentMarker(job string, s suite.Suite) string {
	selection := s.Selection
	selection.BaseURL = ""                                  // that of a preview is another one each time
	same, _ := json.Marshal([]any{job, s.Paths, selection}) // strings and numbers alone
	sum := sha256.Sum256(same)
	return "<!-- assay:" + hex.EncodeToString(sum[:8]) + " -->"
}
