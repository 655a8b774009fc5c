// Package config reads flags and environment and says what can be run:
// the command line of the program.
package config

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/urfave/cli/v3"

	"agora/internal/bench"
	"agora/internal/forum"
	"agora/internal/httpserver"
	"agora/internal/ratelimit"
	"agora/internal/text"
)

// Config is what the flags and the environment say.
type Config struct {
	// Addr is where the server listens.
	Addr string
	// OpsAddr is where /metrics and /readyz are served; "" is Addr.
	OpsAddr string
	// DrainDelay is how long the server goes on after it was told to end, with /readyz
	// saying so.
	DrainDelay time.Duration
	// RedisURL names the Redis to use; "" is the store inside the process.
	RedisURL string
	// RedisTimeout is how long Redis may take to answer; 0 is the store's default.
	RedisTimeout time.Duration
	// AllowEviction uses a Redis that may evict keys, AllowOtherKeys one that holds keys
	// of others.
	AllowEviction, AllowOtherKeys bool
	// Demo tells whether demo data are written.
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
	Limits httpserver.Limits
	Rates  ratelimit.Rates
	// Origins are the sites whose pages may use the API, Proxies those that are
	// believed when they say whose request they pass on.
	Origins httpserver.Origins
	Proxies httpserver.Proxies
	// Hosts are the names by which Addr may be asked, OpsHosts those for OpsAddr.
	Hosts, OpsHosts httpserver.Hosts
	// HidePlayground leaves out the playground, HideSchema /schema.graphql.
	HidePlayground, HideSchema bool
	// Images is what becomes of images in texts.
	Images text.Images
	// Documents is a directory of documents that are run by id; "" is none. With
	// DocumentsOnly nothing else is run.
	Documents     string
	DocumentsOnly bool
	// TimeZone is the IANA zone of new data; "" takes what the data say.
	TimeZone string
}

// Actions are what the commands do.
type Actions struct {
	Serve       func(ctx context.Context, c Config) error
	Init        func(ctx context.Context, c Config, i Init) error
	Check       func(ctx context.Context, c Config, o Check) error
	CreateUser  func(ctx context.Context, c Config, u NewUser) error
	SetPassword func(ctx context.Context, c Config, login string, generate bool) error
	SetRole     func(ctx context.Context, c Config, login string, role forum.Role) error
	Import      func(ctx context.Context, c Config, i Import) error
	PrintSchema func(w io.Writer) error
	LintSchema  func(w io.Writer, file string) error
	Bench       func(ctx context.Context, o bench.Options) error
	// Watch shows replies of a running server.
	Watch func(ctx context.Context, w Watch) error
	// ServeSubject serves what Bench measures, in a process of its own.
	ServeSubject func(ctx context.Context, name, redisURL string) error
}

// Init is what `init` does besides laying out the data.
type Init struct {
	// ReserveIDs is the highest id that is never given out; 0 reserves none.
	ReserveIDs int64
	// Categories are names of categories to make, unless they exist.
	Categories []string
}

// NewUser is an account that `user create` makes.
type NewUser struct {
	Login, Name, Email string
	Role               forum.Role
	// Generate makes up a password and prints it.
	Generate bool
}

// Check is what `check` does.
type Check struct {
	// Repair puts right what can be.
	Repair bool
	// Prune forgets what is lost for good, or, without Yes, lists what it would forget.
	Prune, Yes bool
}

// Import is what `import` reads.
type Import struct {
	// Format is the files' format, as the command line says it.
	Format string
	// Source tells sites of one format apart; "" is the format's name.
	Source string
	// Category takes topics that have none; "" is the source's name, of a Stack Exchange site.
	Category string
	// Strict stops at the first bad record.
	Strict bool
	// Files are paths; "-" is standard input.
	Files []string
}

// The bounds of --redis-timeout.
const (
	minRedisTimeout = 50 * time.Millisecond
	maxRedisTimeout = time.Minute
)

// defaultAddr is where the server listens unless told otherwise.
const defaultAddr = "127.0.0.1:8080"

// Command is the program's command line. getenv is asked for the environment.
func Command(a Actions, getenv func(string) string, stdout, stderr io.Writer) *cli.Command {
	flags := storeFlags(getenv)
	serve := append(serveFlags(getenv), flags...)
	run := func(ctx context.Context, cmd *cli.Command) error {
		if cmd.Args().Present() {
			return fmt.Errorf("there is no command %q; --help lists them", cmd.Args().First())
		}
		c, err := read(cmd)
		if err != nil {
			return err
		}
		return a.Serve(ctx, c)
	}
	return &cli.Command{
		Name: "agora", Usage: "one GraphQL API for a forum, a voting site and a social network, on Redis",
		Description: "Without a command it serves. Without --data or REDIS_URL it keeps its data inside the process, fills it with demo data and forgets all at the end.\n\n" +
			"Bounds that --limit sets, by name:\n\n" + httpserver.LimitHelp(),
		Writer: stdout, ErrWriter: stderr, HideVersion: true,
		Flags: serve, Action: run,
		ExitErrHandler: func(context.Context, *cli.Command, error) {},
		Commands: []*cli.Command{
			{Name: "serve", Usage: "serve GraphQL at /graphql and the playground at / (the default)", Flags: serve, Action: run},
			initCommand(a, flags),
			checkCommand(a, flags),
			userCommand(a, flags),
			importCommand(a, flags),
			watchCommand(a, getenv),
			benchCommand(a),
			{Name: "schema", Usage: "the GraphQL schema", Commands: []*cli.Command{
				{Name: "print", Usage: "print the schema in SDL", Action: func(context.Context, *cli.Command) error { return a.PrintSchema(stdout) }},
				{
					Name: "lint", Usage: "check that everything in the schema is described, and named by the conventions; exit code 1 when not", ArgsUsage: "[FILE]",
					Action: func(_ context.Context, cmd *cli.Command) error { return a.LintSchema(stdout, cmd.Args().First()) },
				},
			}},
		},
	}
}

func storeFlags(getenv func(string) string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "redis-url", Usage: "Redis to use, such as redis://localhost:6379/0 (env REDIS_URL)", Value: getenv("REDIS_URL")},
		&cli.StringFlag{Name: "redis-timeout", Usage: "how long Redis may take to answer a command, such as 2s; long pipelines get more. Parameters of the URL come first, such as ?read_timeout=2s (env REDIS_TIMEOUT, default 800ms)", Value: getenv("REDIS_TIMEOUT")},
		&cli.BoolFlag{Name: "allow-eviction", Usage: "use a Redis whose maxmemory-policy lets it delete data (env ALLOW_EVICTION=1)", Value: getenv("ALLOW_EVICTION") == "1"},
		&cli.BoolFlag{Name: "allow-other-keys", Usage: "lay out data in a database that holds keys of other programs (env ALLOW_OTHER_KEYS=1)", Value: getenv("ALLOW_OTHER_KEYS") == "1"},
		&cli.StringFlag{Name: "data", Usage: "keep the data in `DIR`, by a private redis-server (env DATA_DIR)", Value: getenv("DATA_DIR")},
		&cli.StringFlag{Name: "time-zone", Usage: "IANA zone in which the site's days begin; fixed with the data, UTC for new data (env TIME_ZONE)", Value: getenv("TIME_ZONE")},
	}
}

func initCommand(a Actions, flags []cli.Flag) *cli.Command {
	return &cli.Command{
		Name: "init", Usage: "lay out the data of a new site",
		Flags: append([]cli.Flag{
			&cli.Int64Flag{Name: "reserve-ids", Usage: "never give out the ids up to `N`; refused once ids exist"},
			&cli.StringSliceFlag{Name: "category", Usage: "make a category `NAME` for topics, unless there is one; may be repeated"},
		}, flags...),
		Action: func(ctx context.Context, cmd *cli.Command) error {
			c, err := readStore(cmd, "init")
			if err != nil {
				return err
			}
			if cmd.IsSet("reserve-ids") && cmd.Int64("reserve-ids") < 1 {
				return errors.New("--reserve-ids must be at least 1")
			}
			return a.Init(ctx, c, Init{ReserveIDs: cmd.Int64("reserve-ids"), Categories: cmd.StringSlice("category")})
		},
	}
}

func checkCommand(a Actions, flags []cli.Flag) *cli.Command {
	return &cli.Command{
		Name: "check", Usage: "verify every invariant of the data, which it only reads; exit code 1 when one is broken",
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "repair", Usage: "repair what can be repaired, and check again"},
			&cli.BoolFlag{Name: "prune", Usage: "list what is lost for good and what would be forgotten with it; with --yes forget it, and repair the rest"},
			&cli.BoolFlag{Name: "yes", Usage: "forget what --prune lists"},
		}, flags...),
		Action: func(ctx context.Context, cmd *cli.Command) error {
			c, err := readStore(cmd, "check")
			if err != nil {
				return err
			}
			o := Check{Repair: cmd.Bool("repair"), Prune: cmd.Bool("prune"), Yes: cmd.Bool("yes")}
			if o.Yes && !o.Prune {
				return errors.New("--yes needs --prune")
			}
			return a.Check(ctx, c, o)
		},
	}
}

func read(cmd *cli.Command) (Config, error) {
	c, err := readData(cmd)
	if err != nil {
		return c, err
	}
	c.Addr, c.Demo, c.SiteName = cmd.String("addr"), cmd.Bool("demo"), cmd.String("site-name")
	c.Quiet = cmd.Bool("quiet")
	if !c.kept() && !c.Demo {
		if !loopback(c.Addr) {
			return c, fmt.Errorf("demo data would be served at %s, which is not a loopback address; give --demo if you want that, or --data or REDIS_URL for data of your own", c.Addr)
		}
		c.Demo = true
	}
	return c, c.readGuards(cmd)
}

// readStore reads the flags of a command that works on data that are kept.
func readStore(cmd *cli.Command, command string) (Config, error) {
	c, err := readData(cmd)
	if err == nil && !c.kept() {
		err = fmt.Errorf("%s needs --data DIR, or REDIS_URL or --redis-url: the store inside the process keeps nothing", command)
	}
	return c, err
}

// readData reads where the data are.
func readData(cmd *cli.Command) (Config, error) {
	c := Config{RedisURL: cmd.String("redis-url"), DataDir: cmd.String("data"), TimeZone: cmd.String("time-zone")}
	if c.RedisURL != "" && c.DataDir != "" {
		return c, errors.New("give either --data (DATA_DIR) or --redis-url (REDIS_URL), not both")
	}
	c.AllowEviction, c.AllowOtherKeys = cmd.Bool("allow-eviction"), cmd.Bool("allow-other-keys")
	if text := cmd.String("redis-timeout"); text != "" {
		var err error
		if c.RedisTimeout, err = time.ParseDuration(text); err != nil || c.RedisTimeout < minRedisTimeout || c.RedisTimeout > maxRedisTimeout {
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

// kept tells whether the data outlive the process.
func (c Config) kept() bool { return c.RedisURL != "" || c.DataDir != "" }

func loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
