package publish

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// PullRequest names a pull request of a GitHub server, and holds the token that may
// comment on it.
type PullRequest struct {
	API        string // base address, such as https://api.github.com
	Repository string // owner/name
	Number     int
	Token      string
}

// Bounds of a comment and of the server's answers.
const (
	maxComment  = 65_536 // runes, as GitHub takes them
	maxComments = 30     // pages of 100, searched for an older comment
	maxAnswer   = 16 << 20
)

// comment holds GitHub's record of one.
type comment struct {
	ID          int64  `json:"id"`
	Body        string `json:"body"`
	HTMLURL     string `json:"html_url"`
	Association string `json:"author_association"`
	User        struct {
		Type string `json:"type"`
	} `json:"user"`
}

// Comment posts body as a comment on the pull request, or updates the one that it
// posted before: marker, an HTML comment that readers don't see, begins both. Only a
// comment of a bot or of a member of the project is updated, since anybody else could
// edit it afterwards. It returns the comment's address. No error shows the token.
func (p PullRequest) Comment(ctx context.Context, marker, body string) (address string, err error) {
	if err := p.check(); err != nil {
		return "", err
	}
	text := marker + "\n" + body
	if runes := []rune(text); len(runes) > maxComment {
		text = string(runes[:maxComment-2]) + "\n…"
	}
	sent := map[string]string{"body": text}
	var done comment
	old, err := p.find(ctx, marker)
	if err != nil {
		return "", err
	}
	if old != 0 {
		status, err := p.ask(ctx, http.MethodPatch, fmt.Sprintf("issues/comments/%d", old), sent, &done)
		if err == nil || status != http.StatusForbidden && status != http.StatusNotFound {
			return done.HTMLURL, err
		}
	}
	_, err = p.ask(ctx, http.MethodPost, fmt.Sprintf("issues/%d/comments", p.Number), sent, &done)
	return done.HTMLURL, err
}

// check refuses an address that would carry the token in clear.
func (p PullRequest) check() error {
	u, err := url.Parse(p.API)
	if err != nil || u.Host == "" || u.User != nil {
		return fmt.Errorf("comment: GITHUB_API_URL %q is no address: give one such as https://api.github.com", p.API)
	}
	host := net.ParseIP(u.Hostname())
	if u.Scheme != "https" && (u.Scheme != "http" || host == nil || !host.IsLoopback()) {
		return fmt.Errorf("comment: GITHUB_API_URL %q is not https: the token would be sent in clear", p.API)
	}
	return nil
}

// find returns the id of the comment that the marker begins; 0: there is none.
func (p PullRequest) find(ctx context.Context, marker string) (int64, error) {
	for page := 1; page <= maxComments; page++ {
		var all []comment
		if _, err := p.ask(ctx, http.MethodGet, fmt.Sprintf("issues/%d/comments?per_page=100&page=%d", p.Number, page), nil, &all); err != nil {
			return 0, err
		}
		for _, c := range all {
			own := c.User.Type == "Bot" || c.Association == "OWNER" || c.Association == "MEMBER" || c.Association == "COLLABORATOR"
			if own && strings.HasPrefix(c.Body, marker) {
				return c.ID, nil
			}
		}
		if len(all) < 100 {
			return 0, nil
		}
	}
	return 0, nil
}

// ask sends one request below the repository and reads its answer. It follows no
// redirection, which would hand the token on.
func (p PullRequest) ask(ctx context.Context, method, path string, sent, into any) (status int, err error) {
	var body []byte
	if sent != nil {
		if body, err = json.Marshal(sent); err != nil {
			return 0, fmt.Errorf("comment: %w", err)
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(p.API, "/")+"/repos/"+p.Repository+"/"+path, bytes.NewReader(body))
	if err != nil {
		return 0, fmt.Errorf("comment: the address of %s can't be used: see GITHUB_API_URL and GITHUB_REPOSITORY", p.Repository)
	}
	req.Header.Set("Authorization", "Bearer "+p.Token)
	req.Header.Set("Accept", "application/vnd.github+json")
	req.Header.Set("X-GitHub-Api-Version", "2022-11-28")
	req.Header.Set("User-Agent", "assay")
	client := &http.Client{Timeout: timeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	res, err := client.Do(req)
	if err != nil {
		return 0, fmt.Errorf("comment: %s did not answer: %w", p.API, hideAddress(err))
	}
	reply, readErr := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	readErr = errors.Join(readErr, res.Body.Close())
	switch {
	case res.StatusCode == http.StatusForbidden || res.StatusCode == http.StatusUnauthorized:
		return res.StatusCode, fmt.Errorf("comment: %s refused it (%d): give the job \"permissions: pull-requests: write\"; the token of a fork's pull request can only read", p.API, res.StatusCode)
	case res.StatusCode < 200 || res.StatusCode > 299:
		said := strings.ReplaceAll(oneLine(string(reply[:min(len(reply), maxReply)])), p.Token, "•••")
		return res.StatusCode, fmt.Errorf("comment: %s answered %d to %s %s: %q; see that %s has pull request %d", p.API, res.StatusCode, method, path, said, p.Repository, p.Number)
	case readErr != nil:
		return res.StatusCode, fmt.Errorf("comment: read the answer of %s: %w", p.API, hideAddress(readErr))
	}
	if err := json.Unmarshal(reply, into); err != nil {
		return res.StatusCode, fmt.Errorf("comment: the answer of %s is no JSON of GitHub's: see GITHUB_API_URL", p.API)
	}
	return res.StatusCode, nil
}
