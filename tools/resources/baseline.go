package resources

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/tools/engine"
)

const baselineURI = "assay://baselines/"

// baselineResource holds a version with the addresses of its pictures.
type baselineResource struct {
	baseline.Version
	URIs map[string]string `json:"uris"` // by SHA-256: pictures, and what differs
}

func (d reader) readBaseline(ctx context.Context, uri string) ([]byte, string, error) {
	v, err := d.baselineOf(ctx, strings.TrimPrefix(uri, baselineURI))
	if err != nil {
		return nil, "", err
	}
	r := baselineResource{v, map[string]string{}}
	for _, digest := range pictureDigests(v) {
		r.URIs[digest] = baselineURI + v.ID + "/pictures/" + digest + ".png"
	}
	return engine.JSON(r), "application/json", nil
}

// readBaselinePicture reads only what belongs to the version that is named.
func (d reader) readBaselinePicture(ctx context.Context, uri string) ([]byte, string, error) {
	id, rest, _ := strings.Cut(strings.TrimPrefix(uri, baselineURI), "/")
	v, err := d.baselineOf(ctx, id)
	if err != nil {
		return nil, "", err
	}
	digest := strings.TrimSuffix(strings.TrimPrefix(rest, "pictures/"), ".png")
	if !slices.Contains(pictureDigests(v), digest) {
		return nil, "", fmt.Errorf("%w: baseline %s has no picture %q", ErrNoResource, id, digest)
	}
	data, err := d.Baselines.Read(digest)
	return data, "image/png", err
}

func (d reader) baselineOf(ctx context.Context, id string) (baseline.Version, error) {
	if d.Baselines == nil {
		return baseline.Version{}, fmt.Errorf("%w: no baselines are kept here", ErrNoResource)
	}
	v, err := d.Baselines.Get(ctx, id)
	if errors.Is(err, baseline.ErrNotFound) {
		err = fmt.Errorf("%w: %w", ErrNoResource, err)
	}
	return v, err
}

// pictureDigests returns those of a version's pictures and of what differs.
func pictureDigests(v baseline.Version) []string {
	out := slices.Clone(v.Diffs)
	for _, p := range v.Pictures {
		out = append(out, p.SHA256)
	}
	return out
}
