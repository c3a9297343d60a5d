package agent

// How much of what a page looked like stays in a conversation. What is older is
// told in a line: a model pays for every turn again. It goes in chunks, because
// each change of what was said before costs a provider its cache.
const (
	keptImages    = 3
	keptSnapshots = 2
	staleChunk    = 4
)

const (
	staleImage    = "(an older picture; it is in the run's evidence)"
	staleSnapshot = "(an older snapshot; the page may have changed since: call page_snapshot)"
)

// condense replaces pictures and snapshots that newer ones have superseded.
func condense(turns []Turn) {
	var images []*Part
	var snapshots []*Result
	for i := len(turns) - 1; i >= 0; i-- {
		for j := len(turns[i].Results) - 1; j >= 0; j-- {
			r := &turns[i].Results[j]
			if r.Name == "page_snapshot" && !r.IsError && r.Structured != nil {
				snapshots = append(snapshots, r)
			}
			for k := range r.Parts {
				if r.Parts[k].Image != nil {
					images = append(images, &r.Parts[k])
				}
			}
		}
	}
	if len(images) >= keptImages+staleChunk {
		for _, p := range images[keptImages:] {
			*p = Part{Text: staleImage}
		}
	}
	if len(snapshots) >= keptSnapshots+staleChunk {
		for _, r := range snapshots[keptSnapshots:] {
			r.Parts, r.Structured = []Part{{Text: staleSnapshot}}, nil
		}
	}
}
