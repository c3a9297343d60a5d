package kpicheck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
)

// defaultLimit bounds the endpoint's answer where the task sets no bound.
const defaultLimit = 10 * time.Second

// OracleAnswer holds the values that an oracle expects.
type OracleAnswer struct {
	Values    map[string]string // KPI to a JSON number's literal text, or the text as it stood
	Source    string            // staticValues, or the request that was answered
	FetchedAt time.Time
	Params    map[string]string // of the request
}

// ChooseOracle returns the oracle of a call: the task's own, which a caller can't
// replace (a copy of it is no other one); else what the caller gives; else
// that of the environment. Within a run a caller gives values only: an
// endpoint that its report rests on comes from a task or the configuration.
func ChooseOracle(own, given, configured *qa.KPISpec, inRun bool) (qa.KPISpec, error) {
	switch {
	case own != nil && given != nil && !bytes.Equal(engine.JSON(own), engine.JSON(given)):
		return qa.KPISpec{}, engine.InvalidInput("leave spec out: what is expected comes from the task; a caller picks range and filters only",
			"spec: the task of this run has its own kpiSpec, which is another one")
	case own != nil:
		return *own, nil
	case given != nil && given.Type == qa.APIEndpoint && inRun:
		return qa.KPISpec{}, engine.InvalidInput("give it to run_start as kpiSpec, write it into the task file, or into [env.NAME.kpi] of mcp.toml",
			"spec: within a run an apiEndpoint comes from its task or the configuration")
	case given != nil:
		return *given, inSpec(given.Validate())
	case configured != nil:
		return *configured, inSpec(configured.Validate())
	}
	return qa.KPISpec{}, engine.InvalidInput(`give spec {"type": "staticValues", "values": {KPI: value}}, call run_start with a kpiSpec, or set [env.NAME.kpi] in mcp.toml`,
		"nothing says which values are expected")
}

func inSpec(err error) error {
	if err != nil {
		return engine.InvalidInput("", "spec: %v", err)
	}
	return nil
}

// OracleSite holds the session and the addresses that an oracle's endpoint is
// requested with.
type OracleSite struct {
	Session *browser.Session                 // whose sign-in the endpoint sees; nil for static values
	Address func(raw string) (string, error) // makes an address of the environment absolute
	Now     func() time.Time
}

// Ask returns what the oracle expects. params go before those of the spec.
func (t OracleSite) Ask(ctx context.Context, spec qa.KPISpec, params map[string]string) (OracleAnswer, error) {
	if spec.Type == qa.StaticValues {
		return OracleAnswer{Values: maps.Clone(spec.Values), Source: string(qa.StaticValues), FetchedAt: t.Now(), Params: maps.Clone(params)}, nil
	}
	all := maps.Clone(spec.Params)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, params)
	address, err := t.endpoint(ctx, spec.URL, all)
	if err != nil {
		return OracleAnswer{}, err
	}
	limit := defaultLimit
	if spec.TimeoutMS > 0 {
		limit = time.Duration(spec.TimeoutMS) * time.Millisecond
	}
	asking, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	got, err := t.Session.Fetch(asking, address, maxBytes)
	if err != nil {
		return OracleAnswer{}, unreached(ctx, address, limit, err)
	}
	if err := refused(address, got); err != nil {
		return OracleAnswer{}, err
	}
	answer, err := parseAnswer(got.Body)
	if err != nil {
		return OracleAnswer{}, OracleFailed(beginning(got.Body), "kpiSpec.url must be an address that answers JSON", "%s: %v", asked(address), err)
	}
	values, err := answer.values(spec, address)
	return OracleAnswer{Values: values, Source: asked(address), FetchedAt: t.Now(), Params: all}, err
}

func asked(address string) string { return "GET " + browser.ShownURL(address) }

// endpoint returns where to ask: the address with its parameters.
func (t OracleSite) endpoint(ctx context.Context, raw string, params map[string]string) (string, error) {
	full, err := t.Address(raw)
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(full, "/") {
		state, err := t.Session.State(ctx)
		if err != nil {
			return "", err
		}
		page, err := url.Parse(state.URL)
		if err != nil || page.Host == "" {
			return "", engine.InvalidInput("open the site with page_navigate first, or set base_url in [env.NAME]", "kpiSpec.url %q is relative, and no page is open that says to what", raw)
		}
		if full, err = flow.Join(page.Scheme+"://"+page.Host, full); err != nil {
			return "", engine.InvalidInput("write /path, or a full http:// address", "kpiSpec.url %q is no address: %v", raw, err)
		}
	}
	u, err := url.Parse(full)
	if err != nil {
		return "", engine.InvalidInput("write /path, or a full http:// address", "kpiSpec.url %q is no address: %v", raw, err)
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return "", engine.InvalidInput("put the parameters into kpiSpec.params", "kpiSpec.url %q: %v", raw, err)
	}
	for name, value := range params {
		query.Set(name, value)
	}
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// OracleFailed makes the error of expected values that could not be had.
func OracleFailed(page []string, hint, format string, args ...any) *engine.Error {
	return &engine.Error{Code: code.OracleFailed, Message: pagetext.Sentencef(format, args...), Hint: hint, Page: pagetext.Of(page...)}
}

// unreached returns why there is no answer. What the session may not ask for,
// and what was cancelled, keep their codes.
func unreached(ctx context.Context, address string, limit time.Duration, err error) error {
	var be *explain.Error
	if ctx.Err() != nil || !errors.As(err, &be) {
		return err
	}
	switch be.Code {
	case explain.TimedOut:
		e := OracleFailed(nil, "raise kpiSpec.timeoutMs, or find out why the endpoint is slow", "%s: no answer within %d ms", asked(address), limit.Milliseconds())
		e.Retriable = true
		return e
	case explain.NavigationFailed:
		e := OracleFailed(nil, be.Hint, "%s", be.Message)
		e.Retriable = true
		return e
	default:
		return err
	}
}

const signInAgain = "sign in again in this session, or name a role of the environment in context.role, then ask again; if the " +
	"endpoint wants another sign-in than the page, give it an address of its own"

// refused recognises an answer that can't hold the values by its status, its
// size or where it came from.
func refused(address string, got browser.Fetched) error {
	what := asked(address)
	switch {
	case got.Status == http.StatusUnauthorized || got.Status == http.StatusForbidden:
		return OracleFailed(beginning(got.Body), signInAgain, "%s answers status %d: expired sign-in?", what, got.Status)
	case got.Location != "" && got.Redirects > 0 && strings.HasPrefix(got.Location, "/"):
		return OracleFailed(nil, "fix kpiSpec.url", "%s redirects again and again, last to %s", what, pagetext.Text(browser.ShownURL(got.URL)))
	case got.Location != "":
		return OracleFailed([]string{"it leads to: " + engine.OneLine(got.Location)}, signInAgain, "%s redirects to another site: expired sign-in?", what)
	case got.Status >= 500:
		e := OracleFailed(beginning(got.Body), "see the endpoint's own log; then ask again", "%s answers status %d", what, got.Status)
		e.Retriable = true
		return e
	case got.Status < 200 || got.Status > 299:
		return OracleFailed(beginning(got.Body), "fix kpiSpec.url and kpiSpec.params", "%s answers status %d", what, got.Status)
	case got.Redirects > 0 && strings.Contains(got.ContentType, "html"):
		return OracleFailed(nil, signInAgain, "%s redirects to the page %s: expired sign-in?", what, pagetext.Text(browser.ShownURL(got.URL)))
	case got.Cut:
		return OracleFailed(nil, "give an address that answers the KPIs alone", "%s answers more than %d bytes", what, maxBytes)
	}
	return nil
}

// beginning returns how a body begins, as text of the page: it helps to
// recognise the endpoint's fault.
func beginning(body []byte) []string {
	const enough = 200
	if text := engine.OneLine(strings.ToValidUTF8(string(body[:min(len(body), enough)]), "�")); text != "" {
		return []string{"it begins: " + text}
	}
	return nil
}

// values returns the figures of all KPIs. The error names each that is not there.
func (v *jsonValue) values(spec qa.KPISpec, address string) (map[string]string, error) {
	where := maps.Clone(spec.Map)
	if len(where) == 0 {
		where = map[string]string{}
		for _, label := range spec.Labels() {
			where[label] = "/" + escapePointer(label)
		}
	}
	if len(where) == 0 { // the answer itself says which KPIs there are
		for _, key := range v.keys {
			if v.members[key].isFigure() {
				where[key] = "/" + escapePointer(key)
			}
		}
	}
	if len(where) == 0 {
		return nil, OracleFailed(near(v.pointers()), "say with kpiSpec.map where each KPI is: {KPI: JSON pointer}", "%s: the answer has no figure at its top", asked(address))
	}
	out, pointers := map[string]string{}, v.pointers()
	var wrong, page []string
	for _, label := range slices.Sorted(maps.Keys(where)) {
		text, err := v.figure(where[label])
		if err == nil {
			out[label] = text
			continue
		}
		wrong = append(wrong, fmt.Sprintf("%s: %v", label, err))
		page = append(page, like(pointers, where[label], label)...)
	}
	if len(wrong) == 0 {
		return out, nil
	}
	if len(page) == 0 {
		page = pointers
	}
	return nil, OracleFailed(near(page), "fix the pointers of kpiSpec.map", "%s gives no value for %s", asked(address), strings.Join(wrong, "; "))
}

// near returns figures that an answer does have, as text of the page.
func near(pointers []string) []string {
	if len(pointers) == 0 {
		return nil
	}
	pointers = slices.Compact(slices.Clone(pointers))
	shown := engine.OneLine(strings.Join(pointers[:min(len(pointers), 8)], ", "))
	return []string{"the answer has figures at: " + shown}
}
