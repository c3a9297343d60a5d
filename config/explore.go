package config

// Explore configures how assay explore and the tool explore_site work a site.
type Explore struct {
	// StartURL names the address that is explored where the command names none.
	StartURL string `toml:"start_url" accept:"@url"`
	// StayOnPath keeps to addresses whose path begins with it, such as /shop; empty means any path.
	StayOnPath string `toml:"stay_on_path"`
	// Reset sets the site back to its seed data by a POST without a body, before explore, generate, prove and heal work
	// it: a path of the site, or an address there; empty: nothing is sent.
	Reset string `toml:"reset" accept:"@target"`
	// ResetCommand sets the site back by a program with its arguments, in the folder of mcp.toml, in place of Reset;
	// empty: none is started.
	ResetCommand string `toml:"reset_command"`

	Browser           ExploreBrowser           `toml:"browser"`
	Navigation        ExploreNavigation        `toml:"navigation"`
	ElementExtraction ExploreElementExtraction `toml:"element_extraction"`
	AI                ExploreAI                `toml:"ai"`
	Interaction       ExploreInteraction       `toml:"interaction"`
	Limits            ExploreLimits            `toml:"limits"`
}

// ExploreBrowser configures the browser of an exploration.
type ExploreBrowser struct {
	// Cookies are set before the first page loads, each as in a Set-Cookie header: "name=value; Domain=example.com;
	// Path=/; Secure". Without a domain it is the start address's.
	Cookies []string `toml:"cookies" accept:"@nonblank"`
	// Headless explores without a window; false shows one, as browser.headless = false does.
	Headless bool `toml:"headless"`
	// TimeoutMS bounds one action of an exploration, in milliseconds.
	TimeoutMS int `toml:"timeout_ms" accept:"100..600000"`
}

// ExploreNavigation bounds how far an exploration goes.
type ExploreNavigation struct {
	// MaxNavigations stops an exploration after so many changes of the address; 0: no limit.
	MaxNavigations int `toml:"max_navigations" accept:"0..1000000"`
	// MaxLoops stops an exploration after so many rounds of looking and acting; 0: no limit.
	MaxLoops int `toml:"max_loops" accept:"0..1000000"`
	// StayOnDomain keeps to the host of the start address.
	StayOnDomain bool `toml:"stay_on_domain"`
	// WaitAfterNavigationMS waits so long after the address has changed, beside waiting until the page is quiet.
	WaitAfterNavigationMS int `toml:"wait_after_navigation_ms" accept:"0..60000"`
}

// ExploreElementExtraction says which elements are worked, and what is noted of a page.
type ExploreElementExtraction struct {
	// InteractableElements lists CSS selectors: only what fits one of them is worked. None means all that a person can work.
	InteractableElements []string `toml:"interactable_elements" accept:"@nonblank"`
	// BlacklistTags lists tags that are left out with all that is in them.
	BlacklistTags []string `toml:"blacklist_tags" accept:"@nonblank"`
	// NotableElements lists CSS selectors of what is noted of a page, beside headings, messages and dialogs.
	NotableElements []string `toml:"notable_elements" accept:"@nonblank"`
	// EnableNotableElements notes notable elements in states and plans.
	EnableNotableElements bool `toml:"enable_notable_elements"`
	// IncludeInvisible records elements that nobody sees, too. They are not worked.
	IncludeInvisible bool `toml:"include_invisible"`
	// MaxElements bounds the elements of one page that are recorded.
	MaxElements int `toml:"max_elements" accept:"1..5000"`
}

// ExploreAI lets a model choose among the next actions. Without a provider the built-in policy alone does.
type ExploreAI struct {
	// Provider selects the model's wire, as agent.provider does; empty means none.
	Provider string `toml:"provider" accept:"|openai|azure|anthropic|google|chat|ollama|lmstudio"`
	// Model names the model in the provider's words; empty means agent.model.
	Model string `toml:"model"`
	// BaseURL says where the provider is reached; empty means agent.base_url.
	BaseURL string `toml:"base_url" accept:"@url"`
	// Temperature of the model's answers; -1 leaves it to the model.
	Temperature float64 `toml:"temperature" accept:"-1..2"`
	// MaxTokens bounds one answer of the model.
	MaxTokens int `toml:"max_tokens" accept:"256..200000"`
	// MaxElementsInPrompt bounds the elements among which the model chooses.
	MaxElementsInPrompt int `toml:"max_elements_in_prompt" accept:"2..500"`
	// Prompt is added to the instructions of the model, such as what to look for first.
	Prompt string `toml:"prompt"`
}

// ExploreInteraction sets waits beside the actions of an exploration. None is needed for pages to come to rest.
type ExploreInteraction struct {
	// DelayBeforeMS waits so long before each action.
	DelayBeforeMS int `toml:"delay_before_ms" accept:"0..60000"`
	// DelayAfterMS waits so long after each action.
	DelayAfterMS int `toml:"delay_after_ms" accept:"0..60000"`
	// WaitTimeoutMS bounds the wait until a page is quiet after an action, in milliseconds.
	WaitTimeoutMS int `toml:"wait_timeout_ms" accept:"50..60000"`
}

// ExploreLimits bounds one exploration. 0 is no limit where it is taken.
type ExploreLimits struct {
	// MaxActions stops an exploration after so many actions.
	MaxActions int `toml:"max_actions" accept:"0..1000000"`
	// MaxStates stops an exploration at so many states.
	MaxStates int `toml:"max_states" accept:"0..100000"`
	// MaxTimeMS stops an exploration after so many milliseconds.
	MaxTimeMS int `toml:"max_time_ms" accept:"0..86400000"`
	// MaxIdleActions stops an exploration after so many actions in a row that bring no new state, once no address is left.
	MaxIdleActions int `toml:"max_idle_actions" accept:"1..100000"`
	// ListSample bounds the items of one repeated list that are tried.
	ListSample int `toml:"list_sample" accept:"1..1000"`
	// TemplateVisits bounds the visits to pages whose addresses differ only in numbers and ids.
	TemplateVisits int `toml:"template_visits" accept:"1..1000"`
	// Parallel bounds the sites that are explored side by side.
	Parallel int `toml:"parallel" accept:"1..10"`
}

func defaultExplore() Explore {
	return Explore{
		Browser:           ExploreBrowser{Headless: true, TimeoutMS: 2_000},
		Navigation:        ExploreNavigation{StayOnDomain: true},
		ElementExtraction: ExploreElementExtraction{EnableNotableElements: true, MaxElements: 400, BlacklistTags: []string{"script", "style", "noscript"}},
		AI:                ExploreAI{Temperature: -1, MaxTokens: 1_000, MaxElementsInPrompt: 50},
		Interaction:       ExploreInteraction{WaitTimeoutMS: 1_500},
		Limits:            ExploreLimits{MaxActions: 500, MaxTimeMS: 600_000, MaxIdleActions: 25, ListSample: 2, TemplateVisits: 3, Parallel: 2},
	}
}
