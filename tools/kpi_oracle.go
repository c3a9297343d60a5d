package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flows"
	"github.com/assay-qa/assay/tools/schema"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type kpiOracleInput struct {
	tool.OnSession
	Spec    *qa.KPISpec   `json:"spec,omitempty" jsonschema:"lists of name=value; apiEndpoint outside of a run only"`
	Context oracleContext `json:"context,omitempty" jsonschema:"which data; filters: name=value"`
}

// oracleContext holds all that a caller may choose of an oracle.
type oracleContext struct {
	Range   string            `json:"range,omitempty" jsonschema:"a range of the task, or the value of the parameter range"`
	Role    string            `json:"role,omitempty" jsonschema:"in a run its own; outside of one, whose sign-in asks"`
	Filters map[string]string `json:"filters,omitempty" jsonschema:"query parameters of the endpoint"`
}

// UnmarshalJSON takes any other name for a filter, as the specification's clients
// write them. Numbers and truth values become text, and null is left out.
func (c *oracleContext) UnmarshalJSON(data []byte) error {
	var given map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&given); err != nil {
		return fmt.Errorf("context: %w", err)
	}
	filters := given["filters"]
	delete(given, "filters")
	named, ok := filters.(map[string]any)
	if filters != nil && !ok {
		return errors.New("context.filters is no object of names and values")
	}
	*c = oracleContext{Filters: map[string]string{}}
	for _, name := range schema.SortedKeys(named) {
		if _, twice := given[name]; twice {
			return fmt.Errorf("context: %q is given twice, beside filters and in it", name)
		}
	}
	maps.Copy(given, named)
	for _, name := range schema.SortedKeys(given) {
		_, filter := named[name]
		text, ok := given[name].(string)
		switch v := given[name].(type) {
		case nil:
			continue
		case json.Number, bool:
			text, ok = fmt.Sprint(v), true
		}
		switch {
		case !ok:
			return fmt.Errorf("context.%s is no text, number or truth value", name)
		case name == "range" && !filter:
			c.Range = text
		case name == "role" && !filter:
			c.Role = text
		default:
			c.Filters[name] = text
		}
	}
	return nil
}

type kpiOracleOutput struct {
	Data      map[string]any    `json:"data" jsonschema:"KPI to a number or a text"`
	Sources   map[string]string `json:"sources"`
	FetchedAt time.Time         `json:"fetched_at"`
	Params    map[string]string `json:"params"`
}

func kpiOracle(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "kpi_oracle", Set: tool.Core, Repeat: workspace.Repeat{Nothing: true}, ReadOnly: true, Idempotent: true, Loose: []string{"spec", "context"},
		Unlisted:    rareOfOracle("spec"),
		Description: "Expected KPI values from the oracle of the task or the environment.",
	}, func(ctx context.Context, c *tool.Call, in kpiOracleInput) (kpiOracleOutput, error) {
		expected, err := flows.OracleSpec(c, in.Spec)
		if err != nil {
			return kpiOracleOutput{}, err
		}
		if in.Context.Role != "" && len(c.Workspace.Target.Roles) == 0 && c.Task().Role == "" {
			c.Say("no roles are configured: context.role %q signs nobody in", in.Context.Role)
			in.Context.Role = ""
		}
		params, err := oracleParams(c, expected, in.Context)
		if err != nil {
			return kpiOracleOutput{}, err
		}
		if expected.Type == qa.APIEndpoint {
			if err := oracleSession(ctx, c, in); err != nil {
				return kpiOracleOutput{}, err
			}
		}
		c.Progress("asking the oracle")
		answer, err := flows.OracleSite(c, c.Session).Ask(ctx, expected, params)
		if err != nil {
			return kpiOracleOutput{}, err
		}
		c.Say("%d expected values from %s", len(answer.Values), answer.Source)
		out := kpiOracleOutput{Data: map[string]any{}, Sources: map[string]string{}, FetchedAt: answer.FetchedAt, Params: map[string]string{}}
		maps.Copy(out.Params, answer.Params)
		for _, label := range schema.SortedKeys(answer.Values) {
			c.Quote("%s: %s", engine.OneLine(label), engine.OneLine(answer.Values[label]))
			out.Data[label], out.Sources[label] = any(answer.Values[label]), answer.Source
			if text := answer.Values[label]; c.Workspace.Mask(text) == text { // masks hold for texts alone
				out.Data[label] = numberOrText(text)
			}
		}
		return out, nil
	})
}

// numberOrText returns a figure as a JSON number where every reader gets the same
// value from it. One that a double can't hold stays a text, as do "2,10 %" and
// "1,240".
func numberOrText(figure string) any {
	number, err := strconv.ParseFloat(figure, 64)
	if err != nil || !json.Valid([]byte(figure)) || number == 0 && strings.ContainsAny(figure, "eE") { // too small to be read
		return figure
	}
	exact, ok := new(big.Rat).SetString(figure)
	read, same := new(big.Rat).SetString(strconv.FormatFloat(number, 'g', -1, 64))
	if !ok || !same || exact.Cmp(read) != 0 {
		return figure
	}
	return json.Number(figure)
}

// oracleSession finds the session whose sign-in asks the endpoint. Outside of a
// run that is the role's that the caller names, or else, where no session is open,
// that of the environment's only role.
func oracleSession(ctx context.Context, c *tool.Call, in kpiOracleInput) error {
	role, roles := in.Context.Role, c.Workspace.Target.Roles
	if c.InOwn && role == "" && in.SessionID == "" && len(roles) == 1 && len(c.Workspace.SharedSessionIDs()) == 0 {
		for role = range roles {
			c.Say("asked as %s, the environment's only role", role)
		}
	}
	if !c.InOwn || role == "" {
		_, err := c.SessionFor(ctx, in.SessionID)
		return err
	}
	if s, err := c.Workspace.Session(in.SessionID); err == nil {
		if as := c.Workspace.SignInOf(s); as != nil && as.Name == role {
			_, err = c.SessionFor(ctx, s.ID())
			return err
		}
	}
	if in.SessionID != "" {
		return engine.InvalidInput("leave one of them out", "session_id %s is not signed in as %s, which context.role asks for", in.SessionID, role)
	}
	_, err := c.OpenOneOffAs(ctx, role)
	return err
}

// oracleParams turns what a caller chooses into parameters. Static values are
// of no range, so choosing one would be accepted and do nothing.
func oracleParams(c *tool.Call, spec qa.KPISpec, in oracleContext) (map[string]string, error) {
	task := c.Task()
	if in.Role != "" && c.InOwn {
		if _, err := c.Workspace.Role(in.Role); err != nil {
			return nil, err
		}
	} else if in.Role != "" && in.Role != task.Role {
		return nil, engine.InvalidInput("leave it out: the oracle is asked with the session's own sign-in", "context.role is %q, and the role of this run is %q", in.Role, task.Role)
	}
	if spec.Type == qa.StaticValues && (in.Range != "" || len(in.Filters) > 0) {
		return nil, engine.InvalidInput("leave context out, or use an apiEndpoint, which is asked anew for each range", "context: static values are the same for every range and filter")
	}
	params := map[string]string{}
	switch {
	case in.Range == "":
	case len(task.Ranges) > 0:
		r, err := flows.RangeNamed(task, in.Range)
		if err != nil {
			return nil, err
		}
		maps.Copy(params, r.Params)
	default:
		params["range"] = in.Range
	}
	maps.Copy(params, in.Filters)
	return params, nil
}
