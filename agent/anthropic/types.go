package anthropic

import "encoding/json"

// The types are those of the Messages API that are used, with its field names
// (https://platform.claude.com/docs/en/api/messages).

// request asks for a turn.
type request struct {
	Model        string        `json:"model"`
	MaxTokens    int           `json:"max_tokens"`
	Temperature  *float64      `json:"temperature,omitempty"`
	System       []*textBlock  `json:"system,omitempty"`
	Messages     []message     `json:"messages"`
	Tools        []any         `json:"tools,omitempty"`
	Thinking     *thinking     `json:"thinking,omitempty"`
	OutputConfig *outputConfig `json:"output_config,omitempty"`

	betas []string // what the request needs that is not everybody's yet: a header
}

type thinking struct {
	Type    string        `json:"type"` // adaptive
	Binding *blockBinding `json:"block_binding,omitempty"`
}

type blockBinding struct {
	Mismatch string `json:"prefix_mismatch_behavior"`
}

type outputConfig struct {
	Format format `json:"format"`
}

type format struct {
	Type   string          `json:"type"` // json_schema
	Schema json.RawMessage `json:"schema"`
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
	Strict      bool            `json:"strict,omitempty"`
}

// oldComputer describes the provider's computer tool as it was before the
// toolset.
type oldComputer struct {
	Type   computerTool `json:"type"`
	Name   string       `json:"name"` // computer
	Width  int          `json:"display_width_px"`
	Height int          `json:"display_height_px"`
	Zoom   bool         `json:"enable_zoom,omitempty"`
}

// computerSet describes the provider's computer tool, with what is on offer of
// it.
type computerSet struct {
	Type    computerTool       `json:"type"`
	Configs map[string]enabled `json:"configs"`
}

type enabled struct {
	Enabled bool `json:"enabled"`
}

// The roles of messages.
const (
	roleUser      = "user"
	roleAssistant = "assistant"
)

// message holds what one side said: blocks of ours, or the model's as they came.
type message struct {
	Role    string `json:"role"`
	Content []any  `json:"content"`
}

// cacheControl lets the provider keep what comes up to a block.
type cacheControl struct {
	Type string `json:"type"` // ephemeral
}

func (c *cacheControl) keep() { c.Type = "ephemeral" }

type textBlock struct {
	Type  string       `json:"type"` // text
	Text  string       `json:"text"`
	Cache cacheControl `json:"cache_control,omitzero"`
}

func (b *textBlock) cache() *cacheControl { return &b.Cache }

func text(s string) *textBlock { return &textBlock{Type: "text", Text: s} }

// toolResult answers a tool_use. Content holds texts and pictures.
type toolResult struct {
	Type      string       `json:"type"` // tool_result
	ToolUseID string       `json:"tool_use_id"`
	Toolset   string       `json:"toolset_name,omitempty"`
	IsError   bool         `json:"is_error,omitempty"`
	Content   []any        `json:"content,omitempty"`
	Cache     cacheControl `json:"cache_control,omitzero"`
}

func (b *toolResult) cache() *cacheControl { return &b.Cache }

type imageBlock struct {
	Type            string          `json:"type"` // image
	Source          imageSource     `json:"source"`
	Transformations transformations `json:"transformations"`
}

type imageSource struct {
	Type      string `json:"type"` // base64
	MediaType string `json:"media_type"`
	Data      string `json:"data"`
}

type transformations struct {
	OversizedImage string `json:"oversized_image"`
}

// answer holds a message of the model. Its blocks are kept as they came.
type answer struct {
	Content     []json.RawMessage `json:"content"`
	StopReason  string            `json:"stop_reason"`
	StopDetails struct {
		Category    string `json:"category"`
		Explanation string `json:"explanation"`
	} `json:"stop_details"`
	Usage struct {
		Input         int `json:"input_tokens"`
		CacheCreation int `json:"cache_creation_input_tokens"`
		CacheRead     int `json:"cache_read_input_tokens"`
		Output        int `json:"output_tokens"`
	} `json:"usage"`
}

// block describes a piece of what a model said.
type block struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Toolset string          `json:"toolset_name"`
	Input   json.RawMessage `json:"input"`
}

// modelInfo holds what is read of a model's description.
type modelInfo struct {
	ID        string `json:"id"`
	Lifecycle string `json:"lifecycle"`
}
