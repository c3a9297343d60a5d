package config

// Environment is one system under test, [env.NAME] in the file. Its settings come from the file
// alone, because a variable can't carry a name chosen by the user.
type Environment struct {
	// BaseURL is what a task's route is appended to.
	BaseURL string `toml:"base_url" accept:"@url"`
	// Roles are the users a task can be signed in as, by name.
	Roles map[string]Role `toml:"roles" name:"ROLE"`
	// KPI says where the expected numbers come from.
	KPI KPI `toml:"kpi"`
	// Tolerance is how far a KPI may be from its expected value, in the KPI's own unit, by the
	// KPI's label; "default" holds for those without an entry.
	Tolerance map[string]float64 `toml:"tolerance" label:"KPI" accept:"0..1e300"`
	// Agent is [agent] with what [env.NAME.agent] says differently. Variables and flags override both.
	Agent Agent `toml:"agent"`
}

// Role is one user of an environment.
type Role struct {
	// State is the file with the role's Playwright storage state.
	State string `toml:"state"`
	// LoginFlow is the file with the flow that signs the role in.
	LoginFlow string `toml:"login_flow"`
}

// KPI is the endpoint that tells the expected numbers of an environment.
type KPI struct {
	// URL of the endpoint; a path is appended to the base URL.
	URL string `toml:"url" accept:"@target"`
	// Params are the query parameters of every request, by name.
	Params map[string]string `toml:"params" label:"PARAM"`
	// Map leads from a KPI's label to the JSON pointer of its value in the answer.
	Map map[string]string `toml:"map" label:"KPI" accept:"@pointer"`
}
