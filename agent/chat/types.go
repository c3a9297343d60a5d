package chat

// The types are those of OpenAI's description of Chat Completions that local
// servers have, with its field names.

// request asks for a turn.
type request struct {
	Model       string    `json:"model"`
	Messages    []message `json:"messages"`
	MaxTokens   int       `json:"max_tokens"`
	Temperature *float64  `json:"temperature,omitempty"`
	Tools       []tool    `json:"tools,omitempty"`
}

// tool offers a function.
type tool struct {
	Type     string     `json:"type"` // function
	Function definition `json:"function"`
}

type definition struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Parameters  map[string]any `json:"parameters,omitempty"`
}

// message holds what one side said. Content is a text, or a list of parts where
// there are pictures.
type message struct {
	Role       string     `json:"role"`
	Content    any        `json:"content,omitempty"`
	ToolCalls  []toolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type toolCall struct {
	Type     string         `json:"type"` // function
	ID       string         `json:"id"`
	Function calledFunction `json:"function"`
}

// calledFunction describes what a call asks for; its arguments are JSON in a
// string.
type calledFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// textPart holds a text among the parts of a message.
type textPart struct {
	Type string `json:"type"` // text
	Text string `json:"text"`
}

// imagePart holds a picture among them.
type imagePart struct {
	Type     string   `json:"type"` // image_url
	ImageURL imageURL `json:"image_url"`
}

type imageURL struct {
	URL string `json:"url"`
}
