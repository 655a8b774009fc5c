# make run   builds the server and runs it on the embedded store with demo data, and a forum at /
# make cluster runs it in front of a Redis Cluster of six processes on this machine
# make test  everything that must pass: installs what is missing, then checks and tests
# make release makes the archives, the image and the packages of a version in dist
# make bench the benchmarks whose figures stand in bench/results.md

REDIS_SERVER ?= redis-server
GO ?= go

# The compiler, the linters and the tests collect their garbage less often: a fifth less CPU for more memory. Servers with
# GOGC do not adapt to the memory of the machine, so tests that run whole servers have none. Tests are linked without
# what debuggers need.
FAST = GOGC=400
TEST = $(FAST) $(GO) test -vet=off -ldflags="-s -w" -count=1
SERVING = $(TEST) -exec "env -u GOGC"

# Everything is compiled as a release is, so that what one target has compiled serves the others, in any folder. Only
# the race detector needs cgo.
export GOFLAGS := $(shell $(GO) env GOFLAGS) -trimpath
export CGO_ENABLED := 0

# npm asks its registry only for what it has not fetched before.
export npm_config_prefer_offline := true
export npm_config_audit := false

# gqlgen's own executor, with which tests and benchmarks compare ours, is not committed: see internal/test/oracle.
ORACLE = internal/test/oracle/gqlgen.generated.go
$(ORACLE): schema.graphqls gqlgen.yml $(wildcard breadth/generate/*.go breadth/plugin/*)
	$(GO) generate ./graph
test generated lint plain race pages embedded process clustered random kill faults cut floods bench: export GOFLAGS += -tags=oracle
plain embedded clustered random bench: $(ORACLE)

# A real redis-server for the tests, which else run on the embedded store.
ON_REDIS = TEST_REDIS_SERVER="$$(command -v $(REDIS_SERVER))"

.PHONY: run cluster test assets generated lint plain race pages embedded process clustered random kill faults cut floods bench release

run: assets
	@.ci/build
	@exec bin/agora

# CLUSTER_PORT, CLUSTER_DIR: see deploy/cluster.sh.
cluster: assets
	@.ci/build
	@exec deploy/cluster.sh

# What people download, in dist: see docs/releases.md. It needs git, Node.js and npm.
release:
	$(GO) -C deploy/release run . --source ../.. --out ../../dist

# What runs where is said below, in docs/contributing.md, and in package testlevel. Each target of the last line runs one
# package at a time, two targets side by side, the longest first: more would only make tests slow that measure time. The
# race detector needs everything compiled for itself, so race starts beside the linters, which compile for the others.
test:
	.ci/install
	$(MAKE) -j2 assets generated
	$(MAKE) -j2 race lint plain pages embedded process clustered

# GraphiQL for the playground; without npm the page loads it from its CDN.
assets:
	@internal/httpserver/playground/fetch.sh || true

generated:
	$(FAST) .ci/generated

lint: $(ORACLE)
	@files=$$(gofmt -l $$(git ls-files '*.go' | xargs ls 2>/dev/null)); if [ -n "$$files" ]; then echo "gofmt: $$files"; exit 1; fi
	$(FAST) $(GO) vet ./...
	$(FAST) $(GO) tool staticcheck ./...
	@set -e; check=$$($(GO) tool -n staticcheck); for module in $(MODULES); do \
		(set -x; cd $$module; $(FAST) $(GO) vet ./...; $(FAST) $$check ./...); done

# The modules inside this one. All their tests run: those of bench with PLAIN, of deploy/release with PAGES, the
# others with EMBEDDED.
MODULES = breadth breadth/example bench deploy/release

# Each pass finds what no other finds; what would find nothing else is left out of it:
#   race      data races. What starts goroutines or shares memory, on a real redis-server: all tests but those that
#             measure.
#   plain     what is wrong on a real redis-server: all tests of all other packages, once.
#   pages     the same for what needs Node.js or a browser, which share one installation of npm packages.
#   clustered scripts that use a key of another slot, and commands that reach the wrong node: the quick tests of the API,
#             which run nearly all scripts.
#   embedded  where the embedded store differs from Redis: the quick tests of what reads and writes the data; and, of the
#             packages that race runs, the tests that the race detector leaves out.
#   process   what is lost when whole servers are killed, attacked and moved, and how long others wait while they are flooded.

# The subjects of the store.
SUBJECTS = ./internal/store/accounts ./internal/store/acts ./internal/store/bulk ./internal/store/categories ./internal/store/change ./internal/store/follows ./internal/store/groups \
	./internal/store/homes ./internal/store/listing ./internal/store/moderation ./internal/store/notify ./internal/store/posts ./internal/store/rules ./internal/store/sessions ./internal/store/votes

# With the race detector, the longest first.
RACED = ./internal/store $(SUBJECTS) ./internal/store/engine ./internal/httpserver ./internal/httpserver/limit ./internal/httpserver/live ./internal/event \
	./internal/loader ./internal/worker ./internal/signin ./internal/ratelimit ./internal/turns ./internal/tracing ./internal/issuer ./internal/store/fsck \
	./internal/store/archive ./internal/store/internal/... ./internal/test/cut ./internal/test/proxy

# Everything else. Tests that mostly wait, as for fail-overs, run side by side, more than there are cores.
PLAIN = ./graph ./internal/store/takeout ./internal/importer ./internal/privateredis ./internal/backup ./internal/demo \
	./internal/auth ./internal/text ./internal/version ./internal/forum ./internal/schemalint ./internal/schemadiff ./internal/embedded \
	./internal/store/script/... ./internal/test/archtest ./internal/test/audit \
	./internal/store/catalogue ./internal/test/layout ./internal/test/releases ./internal/test/redistest ./internal/test/clustertest ./internal/httpserver/docs

# Of that, what runs whole servers.
SERVERS = ./internal/cli

# What needs npm packages or a browser.
PAGES = ./internal/test/web ./internal/test/clients ./internal/httpserver/playground ./internal/httpserver/ui

# On the embedded store.
EMBEDDED = ./internal/store $(SUBJECTS) ./internal/store/engine ./internal/httpserver ./internal/loader ./internal/event

# What the race detector leaves out of packages that find nothing on the embedded store which those do not: on a real
# redis-server, which runs scripts faster.
UNRACED = ./internal/store/fsck ./internal/store/archive

race faults: export CGO_ENABLED := 1
race:
	$(FAST) $(GO) build -race $(filter-out ./internal/test/%,$(RACED))
	TEST_LEVEL=all $(ON_REDIS) $(TEST) -race -p 1 $(RACED)
	cd breadth && $(TEST) -race .
plain:
	TEST_LEVEL=all $(ON_REDIS) $(TEST) -p 1 -parallel 4 $(PLAIN)
	TEST_LEVEL=all $(ON_REDIS) $(SERVING) -p 1 -parallel 4 $(SERVERS)
	cd bench && TEST_LEVEL=all $(ON_REDIS) $(SERVING) -p 1 ./...
pages:
	TEST_LEVEL=all $(ON_REDIS) $(SERVING) -p 1 -parallel 4 $(PAGES)
	cd deploy/release && TEST_LEVEL=all $(SERVING) ./...
clustered:
	TEST_REDIS_CLUSTER="$$(command -v $(REDIS_SERVER))" $(TEST) -short ./graph
process:
	TEST_LEVEL=all $(SERVING) -p 1 -short ./internal/test/process ./internal/test/floods
embedded:
	TEST_LEVEL=all $(ON_REDIS) $(TEST) -p 1 -short $(UNRACED)
	TEST_LEVEL=all $(TEST) -p 1 -short $(EMBEDDED)
	for module in $(filter breadth%,$(MODULES)); do (cd $$module && $(TEST) ./...) || exit; done

# The random tests with other seeds in each round, until RANDOM_SECONDS are over. A failure prints the seed that repeats it.
RANDOM_SECONDS ?= 600
random:
	GO="$(GO)" .ci/random $(RANDOM_SECONDS)

# Hundreds of kill -9 of the server under load on a real redis-server, then the other tests of processes (nine minutes).
kill:
	KILL_SECONDS=60 MIRROR_KILLS=200 TEST_LEVEL=all $(ON_REDIS) $(GO) test -count=1 -timeout 15m -v ./internal/test/process

# Everything that a site depends on fails, one thing after the other, under load: masters, replicas, networks, memory,
# servers, clocks; of a cluster, with Sentinels, and of one Redis. Then slots that move, fail-overs and live events. It
# needs root and iproute2 on Linux, for partitions (twenty minutes).
faults:
	FAULTS=all KILL_SECONDS=20 TEST_LEVEL=all $(ON_REDIS) $(GO) test -count=1 -timeout 60m -v \
		-run 'Faults|Linearizable|CheckerRefuses|NobodySweeps' ./internal/test/process
	TEST_LEVEL=all $(ON_REDIS) $(GO) test -count=1 -v -run 'SlotsMove|MovingSlots|Sentinels|Replicated|Replicas' \
		./internal/store
	TEST_LEVEL=all $(ON_REDIS) $(GO) test -race -count=1 -v -run 'FaultsOfClusters' ./internal/event

# Connections cut and Redis killed and started again while replies are followed live (five minutes).
cut:
	LIVE_SECONDS=60 TEST_LEVEL=all $(ON_REDIS) $(GO) test -count=1 -timeout 10m -v ./internal/test/cut

# Whether addresses can slow the site down for others: floods of one and of 50 addresses, some drawn from the schema by
# FLOODS_SEED, while another address asks for the front page (ten minutes). FLOODS_ONLY=hunks runs those with that in
# their names, FLOODS_SECONDS is how long each takes.
floods:
	FLOODS=all TEST_LEVEL=all $(ON_REDIS) $(GO) test -count=1 -timeout 20m -v -run 'TestFloods$$' ./internal/test/floods

# The server against a handler written by hand, gqlgen's executor and the usual set-up, then imports against bare go-redis
# (a quarter of an hour; make kill and this want an idle machine).
bench:
	$(GO) -C bench run .
	$(ON_REDIS) $(GO) -C bench test -run '^$$' -bench . -benchtime 5s .
