package config

// Default returns the settings used where file, environment and flags say nothing. Each call gives
// a fresh value, so that no two callers share a list.
func Default() Config {
	return Config{
		SchemaVersion: SchemaVersion,
		DataDir:       ".assay",
		Browser: Browser{
			Type:      "chromium",
			Headless:  true,
			Viewport:  Viewport{Width: 1280, Height: 720},
			Locale:    "en-US",
			Timezone:  "UTC",
			TimeoutMS: 30_000,
			WatchMS:   1_000,
			Trace:     true,
		},
		Screenshots: Screenshots{Format: "png", Quality: 80},
		Visual:      Visual{Engine: "builtin", Threshold: 0.01, NamedChanges: "fail", IgnoreAntialiasing: true, AutoCapture: true},
		Health:      Health{FatalConsole: []string{`(?i)unhandled (?:promise )?rejection`, `(?i)out of memory`, `ChunkLoadError`, `Maximum call stack size exceeded`}},
		Limits: Limits{
			MaxSessions: 5,
			MemoryMB:    512,
			CPUPercent:  90,
			TimeoutMS:   60_000,
			MaxPixels:   50_000_000,
		},
		Guard: Guard{Destructive: "as-written", ProductionWords: []string{"prod", "production", "prd", "live"}},
		Tools: Tools{Sets: []string{"core"}, Evaluate: true},
		Agent: Agent{
			Provider:             "rules",
			Computer:             "auto",
			Temperature:          -1,
			MaxOutputTokens:      8_000,
			RequestTimeoutMS:     120_000,
			Replay:               "auto",
			MaxToolCalls:         100,
			MaxTimeMS:            180_000,
			MaxScreenshots:       50,
			MaxTokens:            500_000,
			MaxConsecutiveErrors: 5,
			MaxRetriesPerStep:    3,
			Concurrency:          5,
		},
		Author: Author{TestDir: "tests", MaxIterations: 5, MaxTimeMS: 1_200_000, MaxTokens: 500_000, BranchPrefix: "assay/", Push: "never"},
		Compliance: Compliance{
			ScreenshotHashing:     true,
			EvidenceRetentionDays: 365,
			AuditLogging:          true,
		},
		Notify:  Notify{Format: "slack"},
		Explore: defaultExplore(),
	}
}
