package wiring

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/publish"
)

// Links say where people find the reports: notify.report_url, or else the page of the
// CI's run, on GitHub and GitLab.
func (p Program) Links(cfg config.Config, dir string) (suite.Links, error) {
	l := suite.Links{Template: cfg.Notify.ReportURL, Dir: dir}
	if err := l.Check(); err != nil {
		return l, config.Usage("notify.report_url: %w", err)
	}
	if l.Template != "" {
		return l, nil
	}
	if server, repository, run := p.Getenv("GITHUB_SERVER_URL"), p.Getenv("GITHUB_REPOSITORY"), p.Getenv("GITHUB_RUN_ID"); server != "" && repository != "" && run != "" {
		l.Template = server + "/" + repository + "/actions/runs/" + run
	} else {
		l.Template = cmp.Or(p.Getenv("CI_JOB_URL"), p.Getenv("CI_PIPELINE_URL"))
	}
	if l.Check() != nil { // an address of the CI's has no placeholders
		l.Template = ""
	}
	return l, nil
}

// maxEvent bounds the file in which GitHub describes what started a job.
const maxEvent = 8 << 20

var mergeRef = pattern.New(`^refs/pull/(\d+)/`)

// PullRequest returns the pull request that the CI's run belongs to, and the job's
// name. The error says what is missing.
func (p Program) PullRequest() (to publish.PullRequest, job string, err error) {
	to = publish.PullRequest{API: cmp.Or(p.Getenv("GITHUB_API_URL"), "https://api.github.com"), Repository: p.Getenv("GITHUB_REPOSITORY"),
		Token: cmp.Or(p.Getenv("GITHUB_TOKEN"), p.Getenv("GH_TOKEN"))}
	switch {
	case to.Token == "":
		return to, "", config.Usage("comment: there is no token: set GITHUB_TOKEN, in a workflow to ${{ github.token }}")
	case !regexp.MustCompile(`^[\w.-]+/[\w.-]+$`).MatchString(to.Repository):
		return to, "", config.Usage("comment: GITHUB_REPOSITORY %q is no owner/name", to.Repository)
	}
	if m := mergeRef.FindStringSubmatch(p.Getenv("GITHUB_REF")); m != nil {
		to.Number, _ = strconv.Atoi(m[1]) // 0 for a number beyond all
	} else if path := p.Getenv("GITHUB_EVENT_PATH"); path != "" {
		data, err := disk.ReadPath(filepath.Clean(path), maxEvent)
		if err != nil {
			return to, "", config.Usage("comment: GITHUB_EVENT_PATH: %w", err)
		}
		var event struct {
			PullRequest struct {
				Number int `json:"number"`
			} `json:"pull_request"`
		}
		if err := json.Unmarshal(data, &event); err != nil {
			return to, "", config.Usage("comment: GITHUB_EVENT_PATH: %w", err)
		}
		to.Number = event.PullRequest.Number
	}
	if to.Number <= 0 {
		return to, "", config.Usage("comment: this run belongs to no pull request (GITHUB_REF is %q): comment in workflows of pull_request alone", p.Getenv("GITHUB_REF"))
	}
	return to, strings.Join([]string{p.Getenv("GITHUB_WORKFLOW"), p.Getenv("GITHUB_JOB")}, "/"), nil
}
