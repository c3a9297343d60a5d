package driver

// BrowserProcess holds one process of a browser.
type BrowserProcess struct {
	PID     int
	Kind    string // renderer, gpu-process, utility, zygote and so on; empty for the browser itself
	Private int64  // bytes that no other process shares
}

// renderer names the kind of process that runs pages.
const renderer = "renderer"

// Renderers sums up the renderer processes; with pids, only those.
func Renderers(all []BrowserProcess, pids map[int]bool) (bytes int64) {
	for _, p := range all {
		if p.Kind == renderer && (pids == nil || pids[p.PID]) {
			bytes += p.Private
		}
	}
	return bytes
}

// OwnMemory sums up what is no renderer: the browser's own processes, which all pages share.
func OwnMemory(all []BrowserProcess) (bytes int64) {
	for _, p := range all {
		if p.Kind != renderer {
			bytes += p.Private
		}
	}
	return bytes
}

// RendererPIDs returns those of the renderer processes that are among pids.
func RendererPIDs(all []BrowserProcess, pids map[int]bool) []int {
	var out []int
	for _, p := range all {
		if p.Kind == renderer && pids[p.PID] {
			out = append(out, p.PID)
		}
	}
	return out
}
