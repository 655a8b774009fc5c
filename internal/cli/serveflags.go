package cli

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"agora/internal/forum"
	"agora/internal/httpserver"
	"agora/internal/httpserver/limit"
	"agora/internal/ratelimit"
	"agora/internal/text"
)

// defaultAddr is where the server listens unless told otherwise.
const defaultAddr = "127.0.0.1:8080"

func serveFlags(getenv func(string) string) []cli.Flag {
	addr := getenv("ADDR")
	if addr == "" {
		addr = defaultAddr
		if port := getenv("PORT"); port != "" {
			addr = ":" + port
		}
	}
	name := getenv("SITE_NAME")
	if name == "" {
		name = "Agora"
	}
	return append([]cli.Flag{
		&cli.StringFlag{Name: "addr", Usage: "where to listen (env ADDR, or PORT for all interfaces)", Value: addr},
		&cli.StringFlag{
			Name:  "ops-addr",
			Usage: "where to serve /metrics and /readyz, in place of --addr; /healthz is on both (env OPS_ADDR)",
			Value: getenv("OPS_ADDR"),
		},
		&cli.BoolFlag{
			Name:  "demo",
			Usage: "write demo data into an empty Redis, and allow demo data on other than loopback addresses",
		},
		&cli.BoolFlag{Name: "quiet", Usage: "keep the demo's bot from posting replies"},
		&cli.StringFlag{Name: "site-name", Usage: "name of the site (env SITE_NAME)", Value: name},
	}, slices.Concat(guardFlags(getenv), reachFlags(getenv), storeFlags(getenv))...)
}

// readServe reads the flags of serve.
func readServe(cmd *cli.Command) (config, error) {
	c, err := readData(cmd)
	if err != nil {
		return c, err
	}
	c.Addr, c.Demo, c.SiteName = cmd.String("addr"), cmd.Bool("demo"), cmd.String("site-name")
	c.Quiet = cmd.Bool("quiet")
	if !c.kept() && !c.Demo {
		if !loopback(c.Addr) {
			return c, fmt.Errorf("demo data would be served at %s, which is not a loopback address; "+
				"give --demo if you want that, or --data or REDIS_URL for data of your own", c.Addr)
		}
		c.Demo = true
	}
	return c, c.readGuards(cmd)
}

// guardFlags bound what one caller asks for.
func guardFlags(getenv func(string) string) []cli.Flag {
	signIns := getenv("SIGN_IN_LIMIT")
	if signIns == "" {
		signIns = strconv.Itoa(forum.SignInLimit)
	}
	return []cli.Flag{
		&cli.StringFlag{
			Name: "sign-in-limit",
			Usage: "most calls that take a password a minute from one address, and failures with one name from one address in " +
				"five minutes; 0 is no limit (env SIGN_IN_LIMIT)",
			Value: signIns,
		},
		&cli.StringSliceFlag{
			Name: "rate",
			Usage: "most calls a minute of one user, such as posts=20; 0 is no limit; " +
				"an address has four times as many. Kinds: " + ratelimit.Help() + "; all (env RATES)",
			Value: list(getenv("RATES")),
		},
		&cli.StringSliceFlag{
			Name:  "limit",
			Usage: "bound of a request, such as rows=5000; the names are listed above (env LIMITS)",
			Value: list(getenv("LIMITS")),
		},
		&cli.StringFlag{
			Name:  "documents",
			Usage: "`DIR` of documents that are run by documentId (env DOCUMENTS)",
			Value: getenv("DOCUMENTS"),
		},
		&cli.BoolFlag{
			Name:  "documents-only",
			Usage: "run no other documents (env DOCUMENTS_ONLY=1)",
			Value: getenv("DOCUMENTS_ONLY") == "1",
		},
	}
}

// reachFlags say who reaches the server, and what they see of it.
func reachFlags(getenv func(string) string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name: "allowed-origins",
			Usage: "sites whose pages may use the API, such as https://app.example.org,http://localhost:*; none by default, " +
				"local ones with demo data (env ALLOWED_ORIGINS)",
			Value: getenv("ALLOWED_ORIGINS"),
		},
		&cli.StringFlag{
			Name: "drain-delay",
			Usage: "how long to go on when told to end, while /readyz is 503, so that a balancer sends no more; at most 1m " +
				"(env DRAIN_DELAY, default 0s)",
			Value: getenv("DRAIN_DELAY"),
		},
		&cli.StringFlag{
			Name: "hosts",
			Usage: "host names to answer to besides localhost, such as forum.example.org,*.example.org; * is every name, and " +
				"the default unless --addr is a loopback address (env HOSTS)",
			Value: getenv("HOSTS"),
		},
		&cli.StringFlag{
			Name: "images",
			Usage: "images in texts, whose hosts learn who reads: all shows them, none shows links in their place; or the " +
				"address of a proxy, which theirs are appended to, escaped, such as https://images.example.org/?url= (env " +
				"IMAGES, default all)",
			Value: getenv("IMAGES"),
		},
		&cli.StringFlag{
			Name: "playground",
			Usage: "on or off; on by default, off with --documents-only, which hides /schema.graphql too unless it is on (env " +
				"PLAYGROUND)",
			Value: getenv("PLAYGROUND"),
		},
		&cli.StringFlag{
			Name:  "trusted-proxies",
			Usage: "addresses and networks of proxies whose X-Forwarded-For counts, such as 10.0.0.0/8 (env TRUSTED_PROXIES)",
			Value: getenv("TRUSTED_PROXIES"),
		},
	}
}

// list splits what an environment variable holds at its commas.
func list(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// maxDrainDelay is the longest --drain-delay.
const maxDrainDelay = time.Minute

// readGuards reads the flags of guardFlags and reachFlags.
func (c *config) readGuards(cmd *cli.Command) error {
	var err error
	if c.SignInLimit, err = strconv.Atoi(cmd.String("sign-in-limit")); err != nil || c.SignInLimit < 0 {
		return errors.New("--sign-in-limit must be a whole number, 0 or more")
	}
	c.Rates = ratelimit.Defaults()
	if c.Demo {
		c.Rates[ratelimit.Requests] = 0 // who tries it out may measure it
	}
	for _, rate := range cmd.StringSlice("rate") {
		if err := c.Rates.Set(strings.TrimSpace(rate)); err != nil {
			return fmt.Errorf("--rate: %w", err)
		}
	}
	c.Limits = limit.Defaults()
	for _, limit := range cmd.StringSlice("limit") {
		if err := c.Limits.Set(strings.TrimSpace(limit)); err != nil {
			return fmt.Errorf("--limit: %w", err)
		}
	}
	if c.Origins, err = httpserver.ParseOrigins(cmd.String("allowed-origins")); err != nil {
		return err
	}
	if c.Demo && cmd.String("allowed-origins") == "" {
		c.Origins = httpserver.LocalOrigins()
	}
	if c.Proxies, err = httpserver.ParseProxies(cmd.String("trusted-proxies")); err != nil {
		return err
	}
	c.Documents, c.DocumentsOnly = cmd.String("documents"), cmd.Bool("documents-only")
	if c.DocumentsOnly && c.Documents == "" {
		return errors.New("--documents-only needs --documents DIR")
	}
	if text := cmd.String("drain-delay"); text != "" {
		var err error
		if c.DrainDelay, err = time.ParseDuration(text); err != nil || c.DrainDelay < 0 || c.DrainDelay > maxDrainDelay {
			return fmt.Errorf("--drain-delay must be 0s to %s, such as 5s", maxDrainDelay)
		}
	}
	if err := c.readHosts(cmd.String("hosts"), cmd.String("ops-addr")); err != nil {
		return err
	}
	if c.Images, err = text.ParseImages(cmd.String("images")); err != nil {
		return fmt.Errorf("--images: %w", err)
	}
	return c.readPlayground(cmd.String("playground"))
}

// readHosts reads by which names the listeners may be asked. Who can reach a loopback
// address besides people on this machine are pages in their browsers, by rebinding a name.
func (c *config) readHosts(list, opsAddr string) error {
	hosts, err := httpserver.ParseHosts(list)
	if err != nil {
		return fmt.Errorf("--hosts: %w", err)
	}
	c.Hosts, c.OpsAddr = hosts, opsAddr
	if loopback(c.Addr) {
		c.Hosts = hosts.Local()
	}
	if loopback(opsAddr) {
		c.OpsHosts = hosts.Local()
	}
	return nil
}

// readPlayground reads what is shown to people who explore the API.
func (c *config) readPlayground(set string) error {
	switch set {
	case "":
		c.HidePlayground, c.HideSchema = c.DocumentsOnly, c.DocumentsOnly
	case "on":
	case "off":
		c.HidePlayground, c.HideSchema = true, c.DocumentsOnly
	default:
		return fmt.Errorf("--playground must be on or off, not %.100q", set)
	}
	return nil
}

func loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
