package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agora/internal/forum"
	"agora/internal/httpserver"
	"agora/internal/httpserver/limit"
	"agora/internal/issuer"
	"agora/internal/ratelimit"
	"agora/internal/text"
)

// config is read from the flags and the environment.
type config struct {
	// Addr is where the server listens.
	Addr string
	// OpsAddr is where /metrics and /readyz are served; "" is Addr.
	OpsAddr string
	// DrainDelay is how long the server continues to serve after it was asked to stop, while /readyz reports so.
	DrainDelay time.Duration
	// RedisURL is the URL of the Redis to use; "" is the store inside the process.
	RedisURL string
	// RedisTimeout is how long Redis may take to answer; 0 is the store's default.
	RedisTimeout time.Duration
	// Wait is how long a start of the server waits for a Redis that does not answer.
	Wait time.Duration
	// partly serves a part of the data if another is away.
	partly bool
	// AllowEviction accepts a Redis that may evict keys, AllowOtherKeys one that holds keys of other programs.
	AllowEviction, AllowOtherKeys bool
	// Durability is durabilityLocal or durabilityReplicated.
	Durability string
	// ReadFrom is readFromMaster or readFromReplica.
	ReadFrom string
	// Demo reports whether to write demo data.
	Demo bool
	// Quiet keeps the demo's bot from posting.
	Quiet bool
	// DataDir is where a private Redis keeps its data; "" is none.
	DataDir string
	// SiteName is Site.name.
	SiteName string
	// SignInLimit is that of graph.Resolver; 0 is no limit.
	SignInLimit int
	// Limits bound what a request may ask for, Rates how often callers may call.
	Limits limit.Limits
	Rates  ratelimit.Rates
	// Origins are the sites whose pages may use the API, Proxies those that are trusted to name the client whose
	// request they forward.
	Origins httpserver.Origins
	Proxies httpserver.Proxies
	// Hosts are the host names that Addr accepts, OpsHosts those that OpsAddr accepts.
	Hosts, OpsHosts httpserver.Hosts
	// UI serves the web application at /.
	UI bool
	// HidePlayground omits the playground, HideSchema /schema.graphql.
	HidePlayground, HideSchema bool
	// Images is how images in texts are shown.
	Images text.Images
	// Cache lets shared caches reuse anonymous answers.
	Cache bool
	// ObjectCache is how many bytes of objects are kept in memory; 0 is none.
	ObjectCache int
	// Traces is the URL of a collector of traces; "" is none. TracesSample is the share of traces that is sent to it.
	Traces       string
	TracesSample float64
	// Issuers are the issuers of tokens that are accepted. NoPasswords turns off what passwords are for. SignInPage is the
	// address at which the members of the site sign in; "" is none.
	Issuers     []issuer.Config
	NoPasswords bool
	SignInPage  string
	// Documents is a directory of documents that are run by id; "" is none. With DocumentsOnly, no others are run.
	Documents     string
	DocumentsOnly bool
	// TimeZone is the IANA zone of new data; "" uses that of the data.
	TimeZone string
}

// The values of --durability.
const (
	durabilityLocal      = "local"
	durabilityReplicated = "replicated"
)

// The values of --read-from.
const (
	readFromMaster  = "master"
	readFromReplica = "replica"
)

// The bounds of --redis-timeout.
const (
	minRedisTimeout = 50 * time.Millisecond
	maxRedisTimeout = time.Minute
)

// storeFlags say where the data are, and how to work on them. Flags that need no parsing are stored in the
// configuration directly.
type storeFlags struct {
	config
	redisTimeout string
}

func (s *storeFlags) add(cmd *cobra.Command, getenv func(string) string) {
	f := cmd.Flags()
	f.StringVar(&s.RedisURL, "redis-url", getenv("REDIS_URL"),
		"Redis to use, such as redis://localhost:6379/0 (env REDIS_URL)")
	f.Lookup("redis-url").DefValue = "" // the help shows it, and a URL may contain a password
	f.StringVar(&s.redisTimeout, "redis-timeout", getenv("REDIS_TIMEOUT"),
		"how long Redis may take to answer a command, such as 2s; long pipelines may take longer. Parameters of the URL "+
			"take precedence, such as ?read_timeout=2s (env REDIS_TIMEOUT, default 800ms)")
	f.StringVar(&s.Durability, "durability", cmp.Or(getenv("DURABILITY"), durabilityLocal),
		"when a write is acknowledged: local, as soon as Redis has executed it, or replicated, when a replica has it, "+
			"too (env DURABILITY)")
	f.StringVar(&s.ReadFrom, "read-from", cmp.Or(getenv("READ_FROM"), readFromMaster),
		"which servers of a cluster, or by Sentinels, serve queries of those who are signed out: master, or replica, which "+
			"may be a moment behind (env READ_FROM)")
	f.BoolVar(&s.AllowEviction, "allow-eviction", getenv("ALLOW_EVICTION") == "1",
		"use a Redis whose maxmemory-policy lets it delete data (env ALLOW_EVICTION=1)")
	f.BoolVar(&s.AllowOtherKeys, "allow-other-keys", getenv("ALLOW_OTHER_KEYS") == "1",
		"create a site in a database that holds keys of other programs (env ALLOW_OTHER_KEYS=1)")
	f.StringVar(&s.DataDir, "data", getenv("DATA_DIR"),
		"keep the data in `DIR`, with a private redis-server (env DATA_DIR)")
	f.StringVar(&s.TimeZone, "time-zone", getenv("TIME_ZONE"),
		"IANA time zone of the site's days; fixed with the data, UTC for new data (env TIME_ZONE)")
}

// readKept reads the flags of a command that works on persistent data.
func (s *storeFlags) readKept(command string) (config, error) {
	c, err := s.read()
	if err == nil && !c.kept() {
		err = fmt.Errorf(
			"%s needs --data DIR, or REDIS_URL or --redis-url: the store inside the process is not persistent",
			command,
		)
	}
	return c, err
}

func (s *storeFlags) read() (config, error) {
	c := s.config
	if c.RedisURL != "" && c.DataDir != "" {
		return c, errors.New("use either --data (DATA_DIR) or --redis-url (REDIS_URL), not both")
	}
	switch {
	case c.ReadFrom != readFromMaster && c.ReadFrom != readFromReplica:
		return c, fmt.Errorf("--read-from must be %s or %s", readFromMaster, readFromReplica)
	case c.ReadFrom == readFromReplica && c.RedisURL == "":
		return c, fmt.Errorf("--read-from %s needs a Redis with replicas: REDIS_URL or --redis-url", readFromReplica)
	case c.Durability != durabilityLocal && c.Durability != durabilityReplicated:
		return c, fmt.Errorf("--durability must be %s or %s", durabilityLocal, durabilityReplicated)
	case c.Durability == durabilityReplicated && c.RedisURL == "":
		return c, fmt.Errorf("--durability %s needs a Redis with replicas: REDIS_URL or --redis-url", durabilityReplicated)
	}
	if s.redisTimeout != "" {
		var err error
		if c.RedisTimeout, err = time.ParseDuration(s.redisTimeout); err != nil || c.RedisTimeout < minRedisTimeout ||
			c.RedisTimeout > maxRedisTimeout {
			return c, fmt.Errorf("--redis-timeout must be %s to %s, such as 2s", minRedisTimeout, maxRedisTimeout)
		}
	}
	if c.TimeZone != "" {
		if _, err := forum.LoadZone(c.TimeZone); err != nil {
			return c, fmt.Errorf("--time-zone: %w", err)
		}
	}
	return c, nil
}

// replicated reports whether Redis may have replicas, which take the place of masters that are away.
func (c config) replicated() bool {
	return strings.Contains(c.RedisURL, "+cluster://") || strings.Contains(c.RedisURL, "+sentinel://")
}

// kept reports whether the data outlive the process.
func (c config) kept() bool { return c.RedisURL != "" || c.DataDir != "" }
