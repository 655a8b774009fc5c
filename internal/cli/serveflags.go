package cli

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
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

// defaultObjectCache is the default of --object-cache: about 50,000 objects.
const defaultObjectCache = 64 << 20

// defaultAddr is the default address of the server.
const defaultAddr = "127.0.0.1:8080"

// maxWait is the longest --wait.
const maxWait = time.Hour

// serveFlags are the flags of serve. Flags that need no parsing are stored in the configuration directly.
type serveFlags struct {
	storeFlags
	signInLimit, objectCache               string
	rates, limits, origins, hosts, proxies []string
	drainDelay, images, ui, playground     string
	wait, tracesSample, passwords          string
	// configPath is a configuration file, "" for none; printConfig prints the configuration instead of serving.
	configPath  string
	printConfig bool
	// issuers are those of the configuration file.
	issuers []issuer.Config
}

func (s *serveFlags) add(cmd *cobra.Command, getenv func(string) string) {
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
	f := cmd.Flags()
	f.StringVar(&s.Addr, "addr", addr, "where to listen (env ADDR, or PORT for all interfaces)")
	f.StringVar(&s.OpsAddr, "ops-addr", getenv("OPS_ADDR"),
		"where to serve /metrics and /readyz, instead of --addr; /healthz is on both (env OPS_ADDR)")
	f.BoolVar(&s.Demo, "demo", false,
		"write demo data into an empty Redis, and allow demo data on non-loopback addresses")
	f.BoolVar(&s.Quiet, "quiet", false, "stop the demo's bot from posting replies")
	f.StringVar(&s.wait, "wait", cmp.Or(getenv("WAIT"), "0s"),
		"how long to wait at the start for a Redis, or a master of a cluster, that does not answer, before what the others "+
			"have is served; at most 1h (env WAIT)")
	f.StringVar(&s.SiteName, "site-name", name, "name of the site (env SITE_NAME)")
	f.StringVar(&s.configPath, "config", getenv("AGORA_CONFIG"),
		"YAML `FILE` with these flags and the issuers of tokens; see agora config check (env AGORA_CONFIG)")
	f.StringVar(&s.passwords, "passwords", cmp.Or(getenv("PASSWORDS"), "on"),
		"on or off: whether people register and sign in with passwords; off needs issuers of tokens in --config (env "+
			"PASSWORDS)")
	f.StringVar(&s.SignInPage, "sign-in-page", getenv("SIGN_IN_PAGE"),
		"`URL` of the page on which the members of your site sign in, such as https://www.example.org/login: the web "+
			"application leads there (env SIGN_IN_PAGE)")
	s.addGuards(cmd, getenv)
	s.addReach(cmd, getenv)
	s.addTraces(cmd, getenv)
	s.storeFlags.add(cmd, getenv)
}

func (s *serveFlags) read() (config, error) {
	c, err := s.storeFlags.read()
	if err != nil {
		return c, err
	}
	if !c.kept() && !c.Demo {
		if !loopback(c.Addr) {
			return c, fmt.Errorf("demo data would be served at %s, which is not a loopback address; "+
				"use --demo to allow that, or --data or REDIS_URL for your own data", c.Addr)
		}
		c.Demo = true
	}
	if c.Wait, err = time.ParseDuration(s.wait); err != nil || c.Wait < 0 || c.Wait > maxWait {
		return c, fmt.Errorf("--wait must be 0s to %s, such as 30s", maxWait)
	}
	if err := s.readGuards(&c); err != nil {
		return c, err
	}
	if err := s.readTraces(&c); err != nil {
		return c, err
	}
	if err := s.readSignIn(&c); err != nil {
		return c, err
	}
	return c, s.readReach(&c)
}

// readSignIn reads how people sign in.
func (s *serveFlags) readSignIn(c *config) error {
	c.Issuers = s.issuers
	switch s.passwords {
	case "on":
	case "off":
		if c.NoPasswords = true; len(c.Issuers) == 0 {
			return errors.New("--passwords off needs issuers of tokens in --config FILE, or nobody could sign in")
		}
	default:
		return fmt.Errorf("--passwords must be on or off, not %.100q", s.passwords)
	}
	if c.SignInPage == "" {
		return nil
	}
	if err := issuer.CheckURL(c.SignInPage); err != nil {
		return fmt.Errorf("--sign-in-page: %w", err)
	}
	if u, err := url.Parse(c.SignInPage); err != nil || u.Query().Has("return") {
		return errors.New("--sign-in-page must not have the parameter return: pages add it")
	}
	return nil
}

// addGuards adds the flags that bound what one caller may do.
func (s *serveFlags) addGuards(cmd *cobra.Command, getenv func(string) string) {
	signIns := getenv("SIGN_IN_LIMIT")
	if signIns == "" {
		signIns = strconv.Itoa(forum.SignInLimit)
	}
	f := cmd.Flags()
	f.StringVar(&s.signInLimit, "sign-in-limit", signIns,
		"maximum calls with a password per minute from one address, and failures with one name from one address in "+
			"five minutes; 0 is no limit (env SIGN_IN_LIMIT)")
	f.StringArrayVar(&s.rates, "rate", unlessEmpty(getenv("RATES")),
		"maximum calls per minute of one user, as `KIND=N`, such as posts=20; 0 is no limit; "+
			"an address has four times as many. cost counts microseconds of a core. Kinds: "+ratelimit.Help()+"; all (env RATES)")
	f.StringArrayVar(&s.limits, "limit", unlessEmpty(getenv("LIMITS")),
		"limit on requests, as `NAME=N`, such as rows=5000; the names are listed above (env LIMITS)")
	f.StringVar(&s.Documents, "documents", getenv("DOCUMENTS"),
		"`DIR` with documents that can be run by documentId (env DOCUMENTS)")
	f.BoolVar(&s.DocumentsOnly, "documents-only", getenv("DOCUMENTS_ONLY") == "1",
		"refuse other documents (env DOCUMENTS_ONLY=1)")
}

// addReach adds the flags that determine who can reach the server, and what they see of it.
func (s *serveFlags) addReach(cmd *cobra.Command, getenv func(string) string) {
	f := cmd.Flags()
	f.StringArrayVar(&s.origins, "allowed-origins", unlessEmpty(getenv("ALLOWED_ORIGINS")),
		"sites whose pages may use the API, such as https://app.example.org,http://localhost:*; none by default, "+
			"local ones with demo data (env ALLOWED_ORIGINS)")
	f.StringVar(&s.drainDelay, "drain-delay", getenv("DRAIN_DELAY"),
		"how long to keep serving when asked to stop, with /readyz at 503, so that a balancer stops sending "+
			"requests; at most 1m (env DRAIN_DELAY, default 0s)")
	f.StringArrayVar(&s.hosts, "hosts", unlessEmpty(getenv("HOSTS")),
		"host names to accept besides localhost, such as forum.example.org,*.example.org; * is every name, and "+
			"the default unless --addr is a loopback address (env HOSTS)")
	f.StringVar(&s.images, "images", getenv("IMAGES"),
		"images in texts, whose hosts see who reads: all shows them, none shows links instead; or the "+
			"URL of a proxy, to which theirs are appended, escaped, such as https://images.example.org/?url= (env "+
			"IMAGES, default all)")
	f.StringVar(&s.ui, "ui", getenv("UI"),
		"on or off: the web application at /; on by default with demo data, otherwise off (env UI)")
	f.StringVar(&s.playground, "playground", getenv("PLAYGROUND"),
		"on or off: the playground at /playground and the documentation at /docs/; on by default, off with "+
			"--documents-only, which hides /schema.graphql too unless it is on (env PLAYGROUND)")
	f.BoolVar(&s.Cache, "cache", getenv("CACHE") == "1",
		"let shared caches, such as a CDN, reuse answers to GETs without token for 5 to 300 seconds (env CACHE=1)")
	f.StringVar(&s.objectCache, "object-cache", cmp.Or(getenv("OBJECT_CACHE"), strconv.Itoa(defaultObjectCache)),
		"how many `BYTES` of topics, comments, users, categories, tabs and tags to keep in memory; those who are signed out "+
			"may see them up to a second old. 0 is none. No effect on a cluster or with Sentinels (env OBJECT_CACHE)")
	f.StringArrayVar(&s.proxies, "trusted-proxies", unlessEmpty(getenv("TRUSTED_PROXIES")),
		"addresses and networks of proxies whose X-Forwarded-For is trusted, such as 10.0.0.0/8 (env TRUSTED_PROXIES)")
}

// unlessEmpty returns a list with s, or an empty one if s is "".
func unlessEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// values returns the values of a flag that may be repeated, and have several values separated by commas.
func values(repeated []string) []string {
	var all []string
	for _, g := range repeated {
		for v := range strings.SplitSeq(g, ",") {
			all = append(all, strings.TrimSpace(v))
		}
	}
	return all
}

// maxDrainDelay is the longest --drain-delay.
const maxDrainDelay = time.Minute

// readGuards reads the flags of addGuards.
func (s *serveFlags) readGuards(c *config) error {
	var err error
	if c.SignInLimit, err = strconv.Atoi(s.signInLimit); err != nil || c.SignInLimit < 0 {
		return errors.New("--sign-in-limit must be a whole number, 0 or more")
	}
	c.Rates = ratelimit.Defaults()
	if c.Demo {
		c.Rates[ratelimit.Requests], c.Rates[ratelimit.Cost] = 0, 0 // so that visitors can measure the demo
	}
	for _, rate := range values(s.rates) {
		if err := c.Rates.Set(rate); err != nil {
			return fmt.Errorf("--rate: %w", err)
		}
	}
	c.Limits = limit.Defaults()
	for _, limit := range values(s.limits) {
		if err := c.Limits.Set(limit); err != nil {
			return fmt.Errorf("--limit: %w", err)
		}
	}
	if c.DocumentsOnly && c.Documents == "" {
		return errors.New("--documents-only needs --documents DIR")
	}
	return nil
}

// readReach reads the flags of addReach.
func (s *serveFlags) readReach(c *config) error {
	var err error
	if c.Origins, err = httpserver.ParseOrigins(strings.Join(s.origins, ",")); err != nil {
		return err
	}
	if c.Demo && len(s.origins) == 0 {
		c.Origins = httpserver.LocalOrigins()
	}
	if c.Proxies, err = httpserver.ParseProxies(strings.Join(s.proxies, ",")); err != nil {
		return err
	}
	if s.drainDelay != "" {
		c.DrainDelay, err = time.ParseDuration(s.drainDelay)
		if err != nil || c.DrainDelay < 0 || c.DrainDelay > maxDrainDelay {
			return fmt.Errorf("--drain-delay must be 0s to %s, such as 5s", maxDrainDelay)
		}
	}
	if c.ObjectCache, err = strconv.Atoi(s.objectCache); err != nil || c.ObjectCache < 0 {
		return errors.New("--object-cache must be a whole number of bytes, 0 or more")
	}
	if err := c.readHosts(strings.Join(s.hosts, ",")); err != nil {
		return err
	}
	if c.Images, err = text.ParseImages(s.images); err != nil {
		return fmt.Errorf("--images: %w", err)
	}
	if err := c.readUI(s.ui); err != nil {
		return err
	}
	return c.readPlayground(s.playground)
}

// readHosts determines the host names that the listeners accept. Besides people on this machine, a loopback address
// can be reached by pages in their browsers, by rebinding a name.
func (c *config) readHosts(list string) error {
	hosts, err := httpserver.ParseHosts(list)
	if err != nil {
		return fmt.Errorf("--hosts: %w", err)
	}
	c.Hosts = hosts
	if loopback(c.Addr) {
		c.Hosts = hosts.Local()
	}
	if loopback(c.OpsAddr) {
		c.OpsHosts = hosts.Local()
	}
	return nil
}

// readUI determines whether the web application is served. Its documents are not among those of DocumentsOnly.
func (c *config) readUI(set string) error {
	switch set {
	case "":
		c.UI = c.Demo && !c.DocumentsOnly
	case "on", "off":
		c.UI = set == "on"
	default:
		return fmt.Errorf("--ui must be on or off, not %.100q", set)
	}
	return nil
}

// readPlayground determines what is shown to people who explore the API.
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
