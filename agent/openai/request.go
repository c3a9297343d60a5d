package openai

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"

	"github.com/assay-qa/assay/agent"
)

// request makes the next request of the whole conversation. What was sent once
// is sent the same way again, so that the provider's cache serves it.
func (m *Model) request(c agent.Conversation) (responses.ResponseNewParams, error) {
	p := responses.ResponseNewParams{
		Model:             m.connection.Model,
		Store:             param.NewOpt(m.connection.Store),
		ParallelToolCalls: param.NewOpt(true),
		Truncation:        responses.ResponseNewParamsTruncationDisabled, // what doesn't fit is told, not dropped
	}
	orders := c.Instructions
	if m.computer() {
		orders += computerOrders
	}
	if orders != "" {
		p.Instructions = param.NewOpt(orders)
	}
	if m.connection.MaxOutput > 0 {
		p.MaxOutputTokens = param.NewOpt(int64(m.connection.MaxOutput))
	}
	if !m.connection.Store && reasons(m.connection.Model) {
		p.Include = []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent}
	}
	var err error
	if p.Tools, err = m.tools(c.Tools); err != nil {
		return p, err
	}
	if len(c.Final) > 0 {
		if p.Text, err = final(c); err != nil {
			return p, err
		}
	}
	input, err := items(c)
	p.Input = responses.ResponseNewParamsInputUnion{OfInputItemList: input}
	return p, err
}

// computer reports whether the provider's computer tool takes the place of
// computer_action.
func (m *Model) computer() bool { return m.connection.Computer && hasComputer(m.connection.Model) }

func (m *Model) tools(offered []agent.Tool) ([]responses.ToolUnionParam, error) {
	var out []responses.ToolUnionParam
	for _, t := range offered {
		if t.Name == computerTool && m.computer() {
			out = append(out, responses.ToolUnionParam{OfComputer: &responses.ComputerToolParam{}})
			continue
		}
		parameters, strict, err := dialect(t.Schema, m.requireAll)
		if err != nil {
			return nil, fmt.Errorf("%s: the schema of the tool %s: %w", m.provider, t.Name, err)
		}
		tool := responses.ToolParamOfFunction(t.Name, parameters, strict)
		tool.OfFunction.Description = param.NewOpt(t.Description)
		out = append(out, tool)
	}
	return out, nil
}

// final asks for the text that ends the work in its form.
func final(c agent.Conversation) (responses.ResponseTextConfigParam, error) {
	form, strict, err := dialect(c.Final, false)
	if err != nil {
		return responses.ResponseTextConfigParam{}, fmt.Errorf("the schema of the final answer: %w", err)
	}
	format := responses.ResponseFormatTextConfigParamOfJSONSchema("final", form)
	format.OfJSONSchema.Strict = param.NewOpt(strict)
	return responses.ResponseTextConfigParam{Format: format}, nil
}

// items are the conversation: the task, and of each turn what the model said,
// as it came, what its calls were answered, and the loop's own words.
func items(c agent.Conversation) (responses.ResponseInputParam, error) {
	out := responses.ResponseInputParam{user(c.Task)}
	var shown *agent.Image
	for i, turn := range c.Turns {
		s, ok := turn.Reply.Raw.(said)
		if !ok {
			return nil, fmt.Errorf("turn %d holds %T: it was not said by this model", i+1, turn.Reply.Raw)
		}
		for _, raw := range s.items {
			out = append(out, param.Override[responses.ResponseInputItemUnionParam](raw))
		}
		results := slices.Clone(turn.Results)
		var words []string
		for _, a := range s.asked {
			r, found := take(&results, a.id)
			if !found {
				r = agent.Result{IsError: true, Parts: []agent.Part{{Text: "not executed"}}}
			}
			if !a.computer {
				out = append(out, functionOutput(a.sent, r))
				continue
			}
			if image := lastImage(r); image != nil {
				shown = image
			}
			out = append(out, computerOutput(a.sent, r, shown))
			words = append(words, strings.TrimSpace("computer call "+a.sent+": "+r.Text()))
		}
		for _, text := range append(words, turn.Notes...) {
			out = append(out, user(text))
		}
	}
	return out, nil
}

// take removes the first result of a call from the list.
func take(results *[]agent.Result, id string) (agent.Result, bool) {
	i := slices.IndexFunc(*results, func(r agent.Result) bool { return r.ID == id })
	if i < 0 {
		return agent.Result{}, false
	}
	r := (*results)[i]
	*results = slices.Delete(*results, i, i+1)
	return r, true
}

func user(text string) responses.ResponseInputItemUnionParam {
	return responses.ResponseInputItemParamOfMessage(text, responses.EasyInputMessageRoleUser)
}

// functionOutput answers a call of a function: a text, or a list where there
// are pictures.
func functionOutput(id string, r agent.Result) responses.ResponseInputItemUnionParam {
	out := responses.ResponseInputItemFunctionCallOutputParam{CallID: param.NewOpt(id)}
	if lastImage(r) == nil {
		out.Output.OfString = param.NewOpt(r.Text())
		return responses.ResponseInputItemUnionParam{OfFunctionCallOutput: &out}
	}
	for _, p := range r.Parts {
		if p.Text != "" {
			out.Output.OfResponseFunctionCallOutputItemArray = append(out.Output.OfResponseFunctionCallOutputItemArray, responses.ResponseFunctionCallOutputItemParamOfInputText(p.Text))
		}
		if p.Image != nil {
			out.Output.OfResponseFunctionCallOutputItemArray = append(out.Output.OfResponseFunctionCallOutputItemArray, responses.ResponseFunctionCallOutputItemUnionParam{
				OfInputImage: &responses.ResponseInputImageContentParam{ImageURL: param.NewOpt(dataURL(p.Image)), Detail: responses.ResponseInputImageContentDetailHigh}})
		}
	}
	return responses.ResponseInputItemUnionParam{OfFunctionCallOutput: &out}
}

// noPicture is a grey square: a computer call must be answered by a picture.
const noPicture = "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAAAAABWESUoAAAAFklEQVR42mNoIAAYRhWMKhhVMFIVAABCAAAfN5c2AAAAAABJRU5ErkJggg=="

// computerOutput answers a computer call. It takes a picture and nothing else:
// an error shows what was shown before, a picture that is gone a grey square.
func computerOutput(id string, r agent.Result, shown *agent.Image) responses.ResponseInputItemUnionParam {
	image := lastImage(r)
	if image == nil && r.IsError {
		image = shown
	}
	if image == nil {
		image = &agent.Image{MIMEType: "image/png", Data: noPicture}
	}
	return responses.ResponseInputItemParamOfComputerCallOutput(id, responses.ResponseComputerToolCallOutputScreenshotParam{ImageURL: param.NewOpt(dataURL(image))})
}

func dataURL(i *agent.Image) string { return "data:" + i.MIMEType + ";base64," + i.Data }
