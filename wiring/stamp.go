package wiring

import (
	"context"
	"crypto/rand"
	"net/http"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/blob"
)

// stamp asks the configured authority when a checkpoint existed; nil if there is
// none. It follows no redirect: the answer shall come from who was named.
func (p Program) stamp(cfg config.Config) func(context.Context, []byte) attest.Timestamp {
	authority := cfg.Compliance.TSAURL
	if authority == "" {
		return nil
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return func(ctx context.Context, checkpoint []byte) attest.Timestamp {
		stamp := attest.Timestamp{Authority: authority, Over: blob.Digest(checkpoint)}
		token, err := attest.Stamp(ctx, client, authority, checkpoint, rand.Reader)
		if err != nil {
			p.Log.Warn("no time-stamp: the report is not affected", "authority", authority, "err", err)
			stamp.Problem = err.Error()
			return stamp
		}
		stamp.Token = token
		return stamp
	}
}
