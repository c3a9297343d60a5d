package install

// What must be there before a way begins: packages of Debian, or what is put beside them.
const (
	aBrowser = "chromium-headless-shell"
	node     = "nodejs"
	npm      = "npm"
	git      = "git"
	makeTool = "make"
	goTool   = "Go" // this machine's, put into the root
)

// way is a way to install.
type way struct {
	name     string
	given    []string          // what must be there
	files    map[string]string // what the person has downloaded: patterns in dist, by names in their folder; of an image, by paths
	commands []string          // what is typed; the last one gives the first verdict
	breaks   string            // what then judges what is broken
	alone    bool              // the last of commands also judges what is broken: nothing is left to call
	bundle   bool              // a client unpacks and starts it, and calls its tools
	note     string
}

const (
	npx     = "npx -y assay-qa "
	healthy = "check http://localhost:3000/"
	broken  = "check http://localhost:3000/broken"
)

// ways lists them, in the order of docs/install.md.
func ways() []way {
	deb := map[string]string{"assay_VERSION_amd64.deb": "assay_*_amd64.deb"}
	return []way{
		{name: "npx", given: []string{aBrowser, node, npm}, commands: []string{npx + "install", npx + healthy}, breaks: npx + broken},
		{name: "npx-bare", given: []string{node, npm}, commands: []string{npx + "install --with-deps", npx + healthy}, breaks: npx + broken,
			note: "no browser there: Debian's is fetched, with fonts"},
		{name: "mcpb", given: []string{aBrowser, node, npm}, files: map[string]string{"assay.mcpb": "assay_*_linux-x64.mcpb"}, bundle: true,
			note: "a scripted client opens it; the command is the one that its first answer names"},
		{name: "deb", given: []string{aBrowser}, files: deb, commands: []string{"apt-get install -y ./assay_VERSION_amd64.deb", "assay install", "assay " + healthy}, breaks: "assay " + broken,
			note: "apt fetches Debian's Node, which the package recommends"},
		{name: "deb-bare", files: deb, commands: []string{"apt-get install -y ./assay_VERSION_amd64.deb", "assay install --with-deps", "assay " + healthy}, breaks: "assay " + broken,
			note: "no browser there: Debian's is fetched, with fonts"},
		{name: "go", given: []string{aBrowser, node, npm, goTool}, commands: []string{"go install github.com/assay-qa/assay/cmd/assay@latest", "assay install", "assay " + healthy}, breaks: "assay " + broken,
			note: "all is compiled"},
		{name: "archive", given: []string{aBrowser, node, npm}, files: map[string]string{"assay_VERSION_linux_amd64.tar.gz": "assay_*_linux_amd64.tar.gz"},
			commands: []string{"tar -xzf assay_VERSION_linux_amd64.tar.gz -C /usr/local/bin", "assay install", "assay " + healthy}, breaks: "assay " + broken},
		{name: "clone", given: []string{aBrowser, node, npm, git, makeTool, goTool}, commands: []string{"git clone file:///srv/assay.git assay", "make -C assay demo"}, alone: true,
			note: "all is compiled, fonts are fetched, and the broken dashboard is judged too"},
		{name: "container", files: map[string]string{"/usr/local/bin/assay": "assay_linux_amd64*/assay", "/srv/setup.sh": ""},
			commands: []string{"sh /srv/setup.sh", "cd /project && su assay -c 'assay demo'"}, breaks: "cd /project && su assay -c 'assay demo --broken'",
			note: "no engine here: the recipe's steps stand for docker build and docker run; no browser there, Debian's is fetched with fonts"},
	}
}

func wayNames() []string {
	var out []string
	for _, w := range ways() {
		out = append(out, w.name)
	}
	return out
}
