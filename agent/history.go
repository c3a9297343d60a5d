package agent

// These bound how many of a page's pictures and snapshots stay in a
// conversation. Older ones are replaced by a line: a model pays for every turn
// again. It happens in chunks, because each change of earlier turns costs a
// provider its cache.
const (
	keptImages    = 3
	keptSnapshots = 2
	staleChunk    = 4
)

const (
	staleImage    = "(an older picture; it is in the run's evidence)"
	staleSnapshot = "(an older snapshot; the page may have changed since: call page_snapshot)"
)

// squeeze leaves of what pages looked like the newest alone, for a model that
// the conversation no longer fits. It reports whether anything was left out.
func squeeze(turns []Turn) bool { return superseded(turns, 1, 1) }

// condense replaces pictures and snapshots that newer ones have superseded.
func condense(turns []Turn) {
	images, snapshots := shownOf(turns)
	if len(images) >= keptImages+staleChunk {
		superseded(turns, keptImages, len(snapshots))
	}
	if len(snapshots) >= keptSnapshots+staleChunk {
		superseded(turns, len(images), keptSnapshots)
	}
}

// superseded keeps so many of the newest pictures and snapshots, and replaces
// the others. It reports whether there were any.
func superseded(turns []Turn, keepImages, keepSnapshots int) bool {
	images, snapshots := shownOf(turns)
	images, snapshots = images[min(keepImages, len(images)):], snapshots[min(keepSnapshots, len(snapshots)):]
	for _, p := range images {
		*p = Part{Text: staleImage}
	}
	for _, r := range snapshots {
		r.Parts, r.Structured = []Part{{Text: staleSnapshot}}, nil
	}
	return len(images)+len(snapshots) > 0
}

// shownOf finds the pictures and the snapshots of a conversation, the newest first.
func shownOf(turns []Turn) ([]*Part, []*Result) {
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
	return images, snapshots
}
