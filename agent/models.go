package agent

// DefaultModel names the model of a provider where the configuration names
// none; provider is as in agent.provider. It returns "" where a person must
// name one: Azure's deployments and local servers have names of their own.
//
// As of 2026-11-22, from the constants of the providers' SDKs: openai-go
// v3.96, anthropic-sdk-go v1.84 and genai v1.77.
func DefaultModel(provider string) string {
	switch provider {
	case "openai":
		return "gpt-5.5"
	case "anthropic":
		return "claude-sonnet-5-5"
	case "google":
		return "gemini-3.5-flash"
	default:
		return ""
	}
}
