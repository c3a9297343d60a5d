package gemini

import "encoding/json"

// The types are those of the API's description that are used, with its field names
// (https://ai.google.dev/api/generate-content).

// request asks for a turn.
type request struct {
	Contents          []any            `json:"contents"`
	SystemInstruction *message         `json:"systemInstruction,omitempty"`
	Tools             []tool           `json:"tools,omitempty"`
	GenerationConfig  generationConfig `json:"generationConfig"`
	Store             bool             `json:"store"`
}

type generationConfig struct {
	MaxOutputTokens    int            `json:"maxOutputTokens"`
	Temperature        *float64       `json:"temperature,omitempty"`
	ResponseMIMEType   string         `json:"responseMimeType,omitempty"`
	ResponseJSONSchema map[string]any `json:"responseJsonSchema,omitempty"`
}

// tool holds a list of functions, or the model's own computer tool.
type tool struct {
	FunctionDeclarations []function   `json:"functionDeclarations,omitempty"`
	ComputerUse          *computerUse `json:"computerUse,omitempty"`
}

type function struct {
	Name                 string         `json:"name"`
	Description          string         `json:"description,omitempty"`
	ParametersJSONSchema map[string]any `json:"parametersJsonSchema"`
}

type computerUse struct {
	Environment string   `json:"environment"`
	Excluded    []string `json:"excludedPredefinedFunctions,omitempty"`
}

// The roles of messages.
const (
	roleUser  = "user"
	roleModel = "model"
)

// message describes a Content of ours. One of the model goes back as it came.
type message struct {
	Role  string  `json:"role,omitempty"`
	Parts []*part `json:"parts"`
}

// part holds a text, a picture, a call or a call's answer.
type part struct {
	Text             string            `json:"text,omitempty"`
	InlineData       *blob             `json:"inlineData,omitempty"`
	FunctionCall     *functionCall     `json:"functionCall,omitempty"`
	FunctionResponse *functionResponse `json:"functionResponse,omitempty"`
}

type blob struct {
	MIMEType string `json:"mimeType,omitempty"`
	Data     []byte `json:"data,omitempty"`
}

type functionCall struct {
	Name string         `json:"name"`
	Args map[string]any `json:"args,omitempty"`
}

type functionResponse struct {
	ID       string         `json:"id,omitempty"`
	Name     string         `json:"name"`
	Response map[string]any `json:"response"`
	Parts    []picture      `json:"parts,omitempty"`
}

// picture holds a part of a function's response.
type picture struct {
	InlineData blob `json:"inlineData"`
}

// answer describes a GenerateContentResponse whose content is kept as it came.
type answer struct {
	Candidates []struct {
		Content       json.RawMessage `json:"content"`
		FinishReason  string          `json:"finishReason"`
		FinishMessage string          `json:"finishMessage"`
	} `json:"candidates"`
	PromptFeedback struct {
		BlockReason        string `json:"blockReason"`
		BlockReasonMessage string `json:"blockReasonMessage"`
	} `json:"promptFeedback"`
	Usage struct {
		Prompt     int `json:"promptTokenCount"`
		ToolUse    int `json:"toolUsePromptTokenCount"`
		Cached     int `json:"cachedContentTokenCount"`
		Candidates int `json:"candidatesTokenCount"`
		Thoughts   int `json:"thoughtsTokenCount"`
	} `json:"usageMetadata"`
}

// content holds what is read of a model's content.
type content struct {
	Role  string `json:"role"`
	Parts []struct {
		Text         string `json:"text"`
		Thought      bool   `json:"thought"`
		FunctionCall *struct {
			ID   string          `json:"id"`
			Name string          `json:"name"`
			Args json.RawMessage `json:"args"`
		} `json:"functionCall"`
	} `json:"parts"`
}

// refusal describes an answer that is an error: a google.rpc.Status in JSON.
type refusal struct {
	Error struct {
		Message string           `json:"message"`
		Details []map[string]any `json:"details"`
	} `json:"error"`
}
