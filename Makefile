# make demo and make test set up whatever is missing by themselves; they need
# Go, Node and make. "make help" lists the rest.

GOLANGCI_LINT_VERSION := v2.15.0
GOLANGCI_LINT := bin/tools/golangci-lint-$(GOLANGCI_LINT_VERSION)

GORELEASER_VERSION := v2.16.0
GORELEASER := bin/tools/goreleaser-$(GORELEASER_VERSION)
GORELEASER_FLAGS := --snapshot # the workflow of a release has others
CYCLONEDX_VERSION := v1.10.0
CYCLONEDX := bin/tools/cyclonedx-gomod-$(CYCLONEDX_VERSION)

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)

# Everything of ours is built without the paths of this folder: builds, tests and lint
# share what they compile, and so do clones in other folders.
export GOFLAGS := $(strip $(shell go env GOFLAGS) -trimpath)

# Only root on Debian and Ubuntu can be given browser and font packages.
WITH_DEPS := $(shell test "$$(id -u)" = 0 && test -e /etc/debian_version && echo --with-deps)

# The packages whose tests drive a browser or the built binary. Their results are
# not reused: go test can't see that one of those has changed. As many of
# them as there are cores are tested side by side, and two tests of each. Those without
# a browser are tested beside them, only after a change, and then the cheap ones of them:
# tests wait a third of their time, so that keeps the cores busy, and pages answer in time.
BROWSER := ./agent ./agent/anthropic ./agent/gemini ./agent/openai ./agent/replay ./author/admit ./bench ./browser ./browser/driver ./cmd/assay ./e2e ./evidence/report ./packaging ./tools ./tools/author
TEST_FLAGS := -count=1 -p 2 -parallel 2 -timeout 40m

# The tests of the built binary take the one that make build has made.
GO_TEST := ASSAY_BIN=$(CURDIR)/bin/assay go test $(TEST_FLAGS)

# The rooms without a browser: fast enough for the race detector.
PURE := ./internal/laws ./agent ./suite/... ./agent/replay/... ./agent/provider/... ./agent/rules/... ./agent/anthropic/... ./agent/gemini/... ./qa/... ./config/... ./internal/demo/... ./evidence/... ./internal/disk/... ./visual/... ./server/... ./internal/secrets/... ./internal/text/... ./browser/egress/... ./browser/guard/... ./bench/measure/... ./bench/wire/...

.DEFAULT_GOAL := help
.PHONY: help setup build release site snapshot snapshot-test snapshot-again runner window witnesses demo demo-faults test soak test-short race e2e fuzz bench lint vet-others generate clean

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/  \1|\2/p' Makefile | awk -F'|' '{ printf "  make %-12s %s\n", $$1, $$2 }'

build: ## make bin/assay
	@began=$$(date +%s); go build -ldflags '-X main.version=$(VERSION)' -o bin/assay ./cmd/assay && printf '%5d s  build bin/assay\n' $$(($$(date +%s) - began)) >&2

bin/assay-broker: FORCE # the broker of assay run --workers: NATS takes as long to compile as all of ours, so make build does without
	@go build -ldflags '-s -w' -o bin/assay-broker ./cmd/assay-broker

.PHONY: FORCE
FORCE:

release: ## make bin/assay without symbols, as it is released
	@go build -ldflags '-s -w -X main.version=$(VERSION)' -o bin/assay ./cmd/assay

# One after the other: GoReleaser puts the parts of macOS' universal program in the order in
# which they were done, and no two builds were the same. It reads nothing of a commit where git
# knows no remote: it is told one, in the environment alone, and asks it nothing.
snapshot: export GIT_CONFIG_COUNT = 1
snapshot: export GIT_CONFIG_KEY_0 = remote.origin.url
snapshot: export GIT_CONFIG_VALUE_0 = https://github.com/assay-qa/assay.git
snapshot: export PATH := $(CURDIR)/bin/tools:$(PATH)
snapshot: $(GORELEASER) $(CYCLONEDX) packaging/site/node_modules/.package-lock.json ## build everything of a release into dist/, and publish nothing
	@$(GORELEASER) check --quiet
	@$(GORELEASER) release $(GORELEASER_FLAGS) --clean --parallelism 1
	@go run ./packaging dist

site: build packaging/site/node_modules/.package-lock.json ## make the pages of the documentation, dist/site/index.html, which need no server
	@go run ./packaging site bin/assay $(VERSION) dist/site

snapshot-test: setup snapshot packaging/node_modules/.package-lock.json ## use everything that make snapshot builds, and build it again
	@go test -count=1 -timeout 30m ./packaging -args -dist $(CURDIR)/dist
	@$(MAKE) --no-print-directory snapshot-again

snapshot-again: # a clone of the same commit, in another folder, builds what is in dist
	@if [ -n "$$(git status --porcelain)" ]; then echo "snapshot-test: commit first: what is built again is HEAD" >&2; exit 1; fi
	@again=$$(mktemp -d) && trap 'rm -rf "$$again"' EXIT && git clone --quiet . "$$again/assay" && mkdir "$$again/assay/bin" && ln -s "$(CURDIR)/bin/tools" "$$again/assay/bin/tools" && \
	$(MAKE) --no-print-directory -C "$$again/assay" snapshot && diff dist/checksums.txt "$$again/assay/dist/checksums.txt" && \
	echo "snapshot-test: two builds, the same $$(wc -l <dist/checksums.txt) digests"

setup: build ## make bin/assay and install driver and browser, using what is there
	@bin/assay install $(WITH_DEPS)

runner: build # the test runner, eslint and prettier that tests of generated tests need
	@bin/assay install --test-runner >/dev/null

# Signatures, time-stamps, exported bundles and JUnit files are checked by programs that
# are not ours: their word is the test.
witnesses:
	@missing=; for tool in openssl python3 sha256sum xmllint; do command -v $$tool >/dev/null || missing="$$missing $$tool"; done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ -n "$(WITH_DEPS)" ]; then apt-get update -qq && apt-get install -y -qq --no-install-recommends openssl python3 coreutils libxml2-utils; \
	else echo "make: install$$missing: the tests of signatures, time-stamps, bundles and JUnit files need it" >&2; exit 1; fi

# A person's window is shown on a display of its own.
window: build
	@bin/assay install --headed $(WITH_DEPS) >/dev/null
	@if ! command -v Xvfb >/dev/null; then \
	if [ -n "$(WITH_DEPS)" ]; then apt-get update -qq && apt-get install -y -qq --no-install-recommends xvfb; \
	else echo "make: install Xvfb: the test of assay record needs it" >&2; exit 1; fi; fi

demo: setup ## check the sample dashboard: the healthy one passes, the broken one fails
	@printf '\n== the healthy dashboard must pass\n'
	@bin/assay demo
	@printf '\n== the broken dashboard must fail\n'
	@answer=$$(bin/assay demo --broken); code=$$?; printf '%s\n' "$$answer"; \
	case "$$code $$answer" in \
	"1 failed "*) printf '\ndemo: the healthy dashboard passed and the broken one failed, as they must\nnext: make demo-faults, one task on nineteen variants of it: healthy looks, and single faults\n' ;; \
	*) printf '\ndemo: the broken dashboard must be judged "failed" with exit code 1, not %s\n' "$$code" >&2; exit 1 ;; \
	esac

demo-faults: setup ## run the sanity task on nineteen variants: healthy looks pass, every seeded fault is found
	@bin/assay demo sanity

test: setup runner witnesses bin/assay-broker packaging/site/node_modules/.package-lock.json $(if $(wildcard e2e/package.json),e2e/node_modules/.package-lock.json) ## all tests, with the real browser; what repeats by a fixed sample
	@go build -o bin/testcost ./internal/testcost
	@ASSAY_BIN=$(CURDIR)/bin/assay bin/testcost -budgets internal/testcost/budgets.txt $(BROWSER)

soak: setup runner window witnesses bin/assay-broker race demo demo-faults packaging/site/node_modules/.package-lock.json $(if $(wildcard bench/package.json),bench/node_modules/.package-lock.json) $(if $(wildcard e2e/package.json),e2e/node_modules/.package-lock.json) ## all tests, whole: every byte flipped, every kill repeated, all rooms under the race detector
	@SOAK=1 ASSAY_BIN=$(CURDIR)/bin/assay go test -count=1 -p 1 -timeout 120m ./... ./bench/...
	@for os in darwin windows; do GOOS=$$os go vet ./... ./bench/... || exit 1; done
	@go run ./bench explore -part crawl,todo,tests,mutants -time 2m -rounds 2 -tests 2
	@go run ./bench heal
	@$(MAKE) --no-print-directory snapshot-test

test-short: witnesses ## the tests that need no browser
	@go test -short ./... ./bench/...

# CHANGED names the folders that count; without it all of them do.
RACE = $(if $(filter undefined,$(origin CHANGED)),$(PURE),$(shell { go list $(PURE); echo; go list -e $(CHANGED) 2>/dev/null; } | awk '/^$$/ { second = 1 } second && pure[$$0] { print } !second { pure[$$0] = 1 }'))

race: witnesses ## the browserless tests under the race detector (needs a C compiler)
	@rooms="$(RACE)"; if [ -z "$$rooms" ]; then echo "race: no browserless room has changed"; else CGO_ENABLED=1 go test -race -short $$rooms; fi

e2e: setup witnesses bin/assay-broker $(if $(wildcard e2e/package.json),e2e/node_modules/.package-lock.json) ## the built binary with the official MCP clients
	@$(GO_TEST) ./e2e/...

FUZZ_TIME := 20s

fuzz: ## each fuzzer for FUZZ_TIME; what one finds is kept as a seed of its test
	@grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n 1 dirname | sort -u | while read -r folder; do \
	for fuzzer in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$$folder"/*_test.go); do \
	echo "$$folder $$fuzzer" && go test -run '^$$' -fuzz "^$$fuzzer\$$" -fuzztime $(FUZZ_TIME) "$$folder" </dev/null || exit 1; done; done

bench: setup runner $(if $(wildcard bench/package.json),bench/node_modules/.package-lock.json) $(if $(wildcard e2e/package.json),e2e/node_modules/.package-lock.json) ## benchmarks, and the comparisons with @playwright/mcp and odiff
	@go test -run '^$$' -bench . -benchmem ./... ./bench/...
	@go run ./bench peer
	@go run ./bench endurance
	@go run ./bench sanity
	@go run ./bench visual
	@go run ./bench evidence
	@go run ./bench tokens
	@go run ./bench agent
	@go run ./bench author
	@go run ./bench growth
	@go run ./bench explore
	@go run ./bench heal

lint: $(GOLANGCI_LINT) ## what a machine can say about the code
	@$(GOLANGCI_LINT) run ./... ./bench/...

vet-others: ## type-check the builds for macOS and Windows; make lint has this system's, make soak vets them too
	@go run ./internal/othersystems darwin windows

generate: ## write docs/tools.md from the catalogue, the forms in docs/verdict.md from their tables
	@go test ./internal/laws -run 'DocsAreCurrent$$' -update

clean: ## remove what make made; stored runs stay
	@rm -rf bin dist e2e/node_modules bench/node_modules packaging/node_modules packaging/site/node_modules

$(GOLANGCI_LINT):
	@echo "building golangci-lint $(GOLANGCI_LINT_VERSION): some minutes, once"
	@GOBIN=$(CURDIR)/bin/tools go install -trimpath=false github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)
	@mv bin/tools/golangci-lint $@

$(GORELEASER):
	@echo "building GoReleaser $(GORELEASER_VERSION): some minutes, once"
	@GOBIN=$(CURDIR)/bin/tools go install -trimpath=false github.com/goreleaser/goreleaser/v2@$(GORELEASER_VERSION)
	@mv bin/tools/goreleaser $@

$(CYCLONEDX):
	@GOBIN=$(CURDIR)/bin/tools go install -trimpath=false github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@$(CYCLONEDX_VERSION)
	@mv bin/tools/cyclonedx-gomod $@

%/node_modules/.package-lock.json: %/package.json %/package-lock.json
	@npm ci --prefix $* --no-audit --no-fund --loglevel=error
	@touch $@
