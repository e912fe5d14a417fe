# sallyport: what a person runs.  `make demo` shows it, `make test` tests it.

GO       ?= go
TOOL      = $(GO) run -modfile=.ci/tools/go.mod
PACKAGES ?= ./... ./.ci/bench ./.ci/tests
TESTFLAGS ?= -shuffle=on -timeout=10m
# Packages whose goroutines are worth the race detector at every push; `make nightly` has it on all.
RACE      = ./console ./console/copilot ./console/gate ./console/screen ./console/tui ./console/tty \
            ./audit ./audit/daemon ./audit/durable ./audit/recording ./audit/seal ./audit/ship ./redact
DEBIAN    = apt dpkg openssh-server openssh-client systemd curl bash zsh fish dash mksh busybox tmux strace \
            vim less nano mc htop procps man-db sudo ed locales bash-completion python3 asciinema \
            e2fsprogs mount util-linux ca-certificates gcc libc6-dev sqlite3 crun zsh-autosuggestions zsh-syntax-highlighting

.PHONY: all build demo deps test race collectors test-collectors fuzz lint format bench bench-check pictures nightly clean

all: build

build: ## the two programs, in bin/
	$(GO) build -o bin/ ./cmd/sallyport ./cmd/linus

demo: build ## the main job on a throwaway host; without a terminal one story is played and printed
	@if [ -t 0 ] && [ -t 1 ]; then bin/sallyport demo; else bin/sallyport demo --headless; fi

deps: ## everything a test needs: Debian packages and Go modules
	.ci/deps $(DEBIAN)
	$(GO) mod download
	cd .ci/tools && $(GO) mod download

test: ## what can be tested here; ends with a list of what was skipped and why
	$(GO) run ./.ci/tests $(TESTFLAGS) $(PACKAGES)

race: ## the race detector on the packages where goroutines meet
	$(GO) run ./.ci/tests -race -shuffle=on -timeout=10m $(RACE)

collectors: ## builds a real OpenTelemetry Collector and VictoriaLogs, in the user's cache folder
	.ci/collector/build

test-collectors: ## the tests that need them
	$(GO) run ./.ci/tests -count=1 -timeout=10m ./.ci/collector

fuzz: ## a quarter or half a minute each: the readers of commands and of screens, the redactor
	.ci/fuzz ./policy FuzzDecide 30s
	.ci/fuzz ./console/screen FuzzSplits 30s
	.ci/fuzz ./redact FuzzSplit 15s
	.ci/fuzz ./redact/detect FuzzScan 15s

lint: ## format, vet, staticcheck
	.ci/lint

format:
	$(TOOL) mvdan.cc/gofumpt -w cmd console audit redact policy policies .ci/tests .ci/bench .ci/collector

nightly: collectors ## what takes longer: fuzzing, real kernels, kill -9 at random moments
	SALLYPORT_NIGHTLY=1 $(GO) run ./.ci/tests -race -shuffle=on -timeout=60m $(PACKAGES) ./.ci/collector
	SALLYPORT_NIGHTLY=1 $(GO) run ./.ci/tests -run 'TestManyConsoles|TestTime|Gigabyte' -timeout=30m ./audit/daemon ./console/session ./cmd/sallyport
	.ci/fuzz ./redact FuzzSplit 5m
	.ci/fuzz ./redact/detect FuzzScan 5m
	.ci/fuzz ./console/socks FuzzReadRequest 1m
	.ci/fuzz ./console/x11 FuzzSetup 1m
	.ci/fuzz ./console/x11 FuzzCookieOf 1m

bench: ## every figure beside its peer in the same run
	$(GO) test -run XXX -bench . -benchtime 1s ./audit ./audit/verify ./console/screen ./console/tui ./policy ./redact
	$(GO) test -run XXX -bench 'KeyToGlyph|FirstPaint' -benchtime 5x ./cmd/sallyport
	$(GO) test -run XXX -bench Output -benchtime 1x -timeout 30m ./cmd/sallyport
	SALLYPORT_NIGHTLY=1 $(GO) test -run TestTime -v ./console/session
	cd .ci/rivals && $(GO) test -run XXX -bench . -benchtime 1x ./...

bench-check: ## fails where a ratio to a peer, or a rate, falls below its floor in .ci/bench/floors
	$(GO) run ./.ci/bench .ci/bench/floors

pictures: build ## the pictures of README, drawn from real runs
	$(GO) run ./.ci/picture -size 120x36 -story .ci/picture/demo.story -out console/tui/testdata/pictures -- bin/sallyport demo
	$(GO) run ./.ci/picture -size 80x24 -story .ci/picture/narrow.story -out console/tui/testdata/pictures -- bin/sallyport demo

clean:
	rm -rf bin dist
