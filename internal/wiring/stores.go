package wiring

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/evidence/retain"
	"github.com/assay-qa/assay/evidence/verify"
)

// Store opens the runs of the data folder alone, without browser and tools.
func (p Program) Store(cfg config.Config) (*evidence.Store, string, error) {
	dir, err := DataDir(cfg)
	if err != nil {
		return nil, "", err
	}
	store, err := evidence.Open(dir, p.Now)
	if err != nil {
		return nil, "", config.Usage("data directory: %w", err)
	}
	store.Log = p.Ledger(cfg, dir)
	return store, dir, nil
}

// Baselines opens the baselines of the data folder alone.
func (p Program) Baselines(cfg config.Config) (*baseline.Store, string, error) {
	dir, err := DataDir(cfg)
	if err != nil {
		return nil, "", err
	}
	store, err := baseline.Open(dir, p.Now)
	if err != nil {
		return nil, "", err
	}
	store.Log = p.Ledger(cfg, dir)
	return store, dir, nil
}

// Keeper opens what decides on deletion in the data folder.
func (p Program) Keeper(cfg config.Config) (*retain.Keeper, error) {
	if err := p.Folder.Check("compliance.trusted_keys", "what decides on deletion"); err != nil {
		return nil, err
	}
	store, dir, err := p.Store(cfg)
	if err != nil {
		return nil, err
	}
	return retain.Open(dir, p.Ledger(cfg, dir), p.Now, retain.Options{
		Days: cfg.Compliance.EvidenceRetentionDays, Damage: damageOf(store, dir, cfg.Compliance.TrustedKeys), Uses: baseline.Uses,
	})
}

// damageOf returns what says what is wrong with a run: what a verifier finds, or
// what its journal alone shows where nothing was signed.
func damageOf(store *evidence.Store, dir string, trusted []string) func(context.Context, string) (string, error) {
	runs := sync.OnceValues(store.Runs)
	return func(ctx context.Context, id string) (string, error) {
		if _, err := os.Lstat(filepath.Join(dir, ledger.RunsFolder, id, ledger.Evidence)); err != nil {
			all, err := runs()
			i := slices.IndexFunc(all, func(r evidence.RunSummary) bool { return r.ID == id })
			if i < 0 {
				return "", err
			}
			problem, _, _ := strings.Cut(all[i].Problem, "; ") // what to do about it comes after
			return problem, err
		}
		report, err := verify.Run(ctx, dir, id, verify.Options{Trusted: trusted})
		if err != nil || report.Verdict != verify.Failed {
			return "", err
		}
		worst := report.Findings[0]
		return strings.TrimSpace(worst.File + " " + worst.Code), nil
	}
}

// Verification returns what a verification has found as the views of a report show it.
func Verification(found verify.Report, at time.Time) report.Verification {
	v := report.Verification{Time: at, Outcome: string(found.Verdict), Line: found.Line(),
		Pinned: slices.ContainsFunc(found.Keys, func(k verify.Key) bool { return k.Pinned })}
	for _, f := range found.Findings {
		v.Findings = append(v.Findings, fmt.Sprintf("%s %s: %s: %s; next: %s", f.Severity, f.Code, cmp.Or(f.File, f.Run), f.Problem, f.Next))
	}
	return v
}

// stamp asks the configured authority when a checkpoint existed; nil if there is
// none. It follows no redirect: the answer shall come from who was named.
func (p Program) stamp(cfg config.Config) func(context.Context, []byte) attest.Timestamp {
	authority := cfg.Compliance.TSAURL
	if authority == "" {
		return nil
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return func(ctx context.Context, checkpoint []byte) attest.Timestamp {
		stamp := attest.Timestamp{Authority: authority, Over: ledger.BlobDigest(checkpoint)}
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
