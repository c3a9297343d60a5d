package main

import (
	"os"
	"path/filepath"
)

// serverSchema is the description of server.json that the MCP registry asks for.
const serverSchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// serverJSON writes what the MCP registry is told of a release: the npm package and the bundles
// with their digests.
func (b build) serverJSON(bundles []bundle, to string) (string, error) {
	type object = map[string]any
	packages := []object{{
		"registryType": "npm", "identifier": npmName, "version": b.version, "transport": object{"type": "stdio"},
		"packageArguments": []object{{"type": "positional", "value": "serve"}},
		"environmentVariables": []object{
			{"name": "ASSAY_DATA_DIR", "description": "Folder for runs, baselines and the evidence log", "format": "filepath", "isRequired": false},
			{"name": "ASSAY_NETWORK_ALLOWED_HOSTS", "format": "string", "isRequired": false,
				"description": "Hosts that pages may reach, separated by commas; empty: all but cloud metadata and the like"},
		},
	}}
	for _, bundle := range bundles {
		packages = append(packages, object{
			"registryType": "mcpb", "identifier": repository + "/releases/download/v" + b.version + "/" + filepath.Base(bundle.path),
			"fileSha256": bundle.sha256, "transport": object{"type": "stdio"},
		})
	}
	raw, err := encoded(object{
		"$schema": serverSchema, "name": mcpName, "title": "assay", "version": b.version, "websiteUrl": repository,
		"description": "Browser QA whose verdicts can be trusted: a real browser, executed checks, evidence.",
		"repository":  object{"url": repository, "source": "github"}, "packages": packages,
	})
	if err != nil {
		return "", err
	}
	file := filepath.Join(to, "server.json")
	return file, os.WriteFile(file, raw, 0o644)
}
