# make run   the server on the embedded store with demo data, and the playground at /
# make test  everything that must pass: installs what is missing, then checks and tests
# make bench the benchmarks whose figures stand in docs/performance.md

REDIS_SERVER ?= redis-server
GO ?= go

.PHONY: run test assets lint unit real race live processes random bench kill cut

run: assets
	$(GO) run .

test:
	.ci/install
	$(MAKE) assets
	$(MAKE) lint
	$(MAKE) unit
	$(MAKE) real

# GraphiQL for the playground; without npm the page loads it from its CDN.
assets:
	@internal/httpserver/playground/fetch.sh || true

lint:
	@files=$$(gofmt -l $$(git ls-files '*.go' | xargs ls 2>/dev/null)); if [ -n "$$files" ]; then echo "gofmt: $$files"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	.ci/generated

# All tests on the embedded store, but the kills, the cuts, and the longest of those with many processes or random
# operations, which run on the real Redis. The audits of GraphQL over HTTP and the npm clients, which need Node.js, must run.
unit:
	TEST_AUDIT=1 $(GO) test -vet=off -skip '^TestKill|^TestAttackOn|^TestCut|^TestPrivateServerLoses|AgreesWithModel$$|^TestMeetings|^TestNamesHaveOneOwner|^TestChangeOfEmailSleeps|^TestTwoImportsAtOnce|^TestCheckWhileTheSite|^TestRacingVotes' ./internal/store ./...

# Everything that touches Redis, on a real redis-server.
real:
	$(MAKE) race
	$(MAKE) -j2 live processes

# With the race detector: what touches Redis, and what else starts goroutines. Not the tests of limits, which measure, and
# what is long, or needs neither.
race:
	TEST_REDIS_SERVER="$$(command -v $(REDIS_SERVER))" $(GO) test -vet=off -race -count=1 -skip '^TestAttacks|^TestLargest|^TestSlow|^TestRandomDocuments|^TestSampleOperations|^TestFieldsSay|^TestExecutorsAgree|^TestReadOf|^TestImportPlacesCommentsAcrossChunks|^TestImportOfAny|^TestImportGivesLoginsToMany|^TestBad|^TestRanks|^TestVotesToPass|^TestPagesCost|^TestB11|^TestA46|^TestWrongCredentials|^TestThirty|^TestGuesses|^TestForged|^TestX25|^TestC12C15|^TestC8C10|^TestImportOfManyEdges|^TestCheckFindsEachBreak|^TestLateIndex|^TestKill|^TestShutdown|^TestAttackOn' ./internal/store/... ./internal/cli ./graph/... ./internal/event ./internal/loader/... ./internal/worker/... ./internal/demo/... ./internal/importer ./internal/privateredis ./internal/bench/... ./internal/breadth ./internal/ratelimit ./internal/auth

# The same of httpserver, by name.
live:
	TEST_REDIS_SERVER="$$(command -v $(REDIS_SERVER))" $(GO) test -vet=off -race -count=1 -run '^TestReady|^TestRoutes|^TestBadTokens|^TestTrace|^TestPool|^TestTasks|^TestDrain|^TestDataStay|^TestBudget|^TestRemembered|^TestTrusted|^TestAutomatic|^TestCallIsNoted|^TestPanic|^TestUnknownCodes|Socket|^TestStreams|Feed|^TestReplies|Live|^TestShutdown|^TestSlowClients|^TestOutbox|^TestAnswersWait|^TestNothingIsLeft' ./internal/httpserver

# Processes of the server, which are killed, told to end, and attacked.
processes:
	TEST_REDIS_SERVER="$$(command -v $(REDIS_SERVER))" $(GO) test -vet=off -count=1 -run ^Test ./internal/test/process

# The random tests with other seeds in each round, until RANDOM_SECONDS are over. A failure prints the seed that repeats it.
RANDOM_SECONDS ?= 600
random:
	@files=$$(git grep -l -e '"pgregory.net/rapid"' -e 'breadthtest\.Compare(' -- '*_test.go'); \
	tests=$$(sed -n 's/^func \(Test[A-Za-z0-9]*\)(.*/^\1$$/p' $$files | sort -u | paste -sd'|' -); \
	packages=$$(dirname $$files | sort -u | sed 's|^|./|'); \
	end=$$(( $$(date +%s) + $(RANDOM_SECONDS) )); round=0; \
	while [ $$(date +%s) -lt $$end ]; do \
		round=$$((round + 1)); echo "round $$round"; \
		TEST_SEED=random $(GO) test -count=1 -run "$$tests" $$packages || exit 1; \
	done

# Hundreds of kill -9 of the server under load on a real redis-server (four minutes).
kill:
	KILL_SECONDS=60 TEST_REDIS_SERVER="$$(command -v $(REDIS_SERVER))" $(GO) test -count=1 -timeout 10m -v -run TestKill ./internal/test/process

# Connections cut and Redis killed and started again while replies are followed live (five minutes).
cut:
	LIVE_SECONDS=60 TEST_REDIS_SERVER="$$(command -v $(REDIS_SERVER))" $(GO) test -count=1 -timeout 10m -v -run TestCut ./internal/test/cut

# The server against a handler written by hand, gqlgen's executor and the usual set-up, then imports against bare go-redis
# (a quarter of an hour; make kill and this want an idle machine).
bench:
	$(GO) run ./internal/bench
	TEST_REDIS_SERVER="$$(command -v $(REDIS_SERVER))" $(GO) test -run '^$$' -bench . -benchtime 5s ./internal/bench
