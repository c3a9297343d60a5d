// Package wiretest is test code: scripted providers on loopback that speak the
// wire of OpenAI, Azure, Anthropic, Gemini or a local Chat Completions server.
// They judge each request by the provider's official description, by rules.json
// and by the order of the protocol, answer from a script, and inject faults.
//
// Only tests and benchmarks import it (a law); it imports nothing of ours, so
// that a mistake of an adapter can't be shared by its judge.
//
// # Schemas of the providers
//
// [SchemaProblems] holds requests to providers of models against their official
// descriptions, and against rules.json for what only documentation says. Decoded JSON
// comes in, problems go out: it knows no conversation.
package wiretest
