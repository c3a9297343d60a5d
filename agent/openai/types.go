package openai

import (
	"encoding/json"

	"github.com/assay-qa/assay/agent"
)

// The types are those of OpenAI's description of the Responses API that are
// used, with its field names (testdata/official/openai).

// request asks for a turn.
type request struct {
	Model             string      `json:"model"`
	Instructions      string      `json:"instructions,omitempty"`
	Input             []any       `json:"input"`
	Tools             []any       `json:"tools,omitempty"`
	Text              *textConfig `json:"text,omitempty"`
	Include           []string    `json:"include,omitempty"`
	MaxOutputTokens   int         `json:"max_output_tokens,omitempty"`
	Temperature       *float64    `json:"temperature,omitempty"`
	ParallelToolCalls bool        `json:"parallel_tool_calls"`
	Store             bool        `json:"store"`
	Truncation        string      `json:"truncation"`
}

type textConfig struct {
	Format format `json:"format"`
}

type format struct {
	Type   string       `json:"type"` // json_schema
	Name   string       `json:"name"`
	Schema agent.Schema `json:"schema"`
	Strict bool         `json:"strict"`
}

type functionTool struct {
	Type        string       `json:"type"` // function
	Name        string       `json:"name"`
	Description string       `json:"description"`
	Parameters  agent.Schema `json:"parameters"`
	Strict      bool         `json:"strict"`
}

// bareTool describes a tool of the provider's without settings.
type bareTool struct {
	Type string `json:"type"`
}

type inputMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// callOutput answers a call. Output is a text, a list of texts and pictures, or
// a screenshot.
type callOutput struct {
	Type   string `json:"type"`
	CallID string `json:"call_id"`
	Output any    `json:"output"`
}

type inputText struct {
	Type string `json:"type"` // input_text
	Text string `json:"text"`
}

type inputImage struct {
	Type     string `json:"type"` // input_image
	ImageURL string `json:"image_url"`
	Detail   string `json:"detail"`
}

type screenshot struct {
	Type     string `json:"type"` // computer_screenshot
	ImageURL string `json:"image_url"`
}

// response holds an answer. Its items are kept as they came.
type response struct {
	Status            string            `json:"status"`
	Output            []json.RawMessage `json:"output"`
	IncompleteDetails struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	Usage struct {
		Input   int `json:"input_tokens"`
		Output  int `json:"output_tokens"`
		Details struct {
			Cached int `json:"cached_tokens"`
		} `json:"input_tokens_details"`
	} `json:"usage"`
}

// item holds what every kind of output item may have.
type item struct {
	Type   string `json:"type"`
	CallID string `json:"call_id"`
}

type outputMessage struct {
	Phase   string `json:"phase"`
	Content []struct {
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	} `json:"content"`
}

type functionCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // JSON in a string
}

type computerCall struct {
	Actions []action `json:"actions"`
	Action  *action  `json:"action"` // as it was before there were batches
	Checks  []struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"pending_safety_checks"`
}

// action describes an action of a computer call: the fields of all kinds
// together.
type action struct {
	Type    string   `json:"type"`
	Button  string   `json:"button"`
	X       *float64 `json:"x"`
	Y       *float64 `json:"y"`
	Keys    []string `json:"keys"`
	Path    []place  `json:"path"`
	ScrollX float64  `json:"scroll_x"`
	ScrollY float64  `json:"scroll_y"`
	Text    string   `json:"text"`
}

type place struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}
