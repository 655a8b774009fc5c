package httpserver

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rs/cors"
)

// Origins are the sites whose pages may use the API from a browser, in addition to the server's own. The zero value
// is none. One list determines both CORS and the protection against forged requests (CSRF).
type Origins struct {
	every  bool
	exact  []string
	anyOne []string // scheme and host, for any port
}

// LocalOrigins are pages served by this machine, at any port: the demo allows them.
func LocalOrigins() Origins {
	return Origins{anyOne: []string{"http://localhost", "http://127.0.0.1", "http://[::1]"}}
}

// ParseOrigins parses origins separated by commas: "https://app.example.org", "http://localhost:*" for any port, or
// "*" alone for every site.
func ParseOrigins(list string) (Origins, error) {
	var o Origins
	n := 0
	for entry := range strings.SplitSeq(list, ",") {
		entry = strings.TrimSpace(entry)
		if entry == "" {
			continue
		}
		n++
		if entry == "*" {
			o.every = true
		} else if err := o.add(entry); err != nil {
			return Origins{}, fmt.Errorf("allowed origin %q: %w", entry, err)
		}
	}
	if o.every && n > 1 {
		return Origins{}, fmt.Errorf("allowed origin %q: it allows every site, so it must be the only one", "*")
	}
	return o, nil
}

// hostname is a DNS name as browsers send it: international ones in punycode.
var hostname = regexp.MustCompile(`^[a-z0-9]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]*[a-z0-9])?)*$`)

// add adds one origin, in the spelling that browsers send.
func (o *Origins) add(entry string) error {
	entry, anyPort := strings.CutSuffix(strings.ToLower(entry), ":*")
	u, err := url.Parse(entry)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("want http:// or https://, a host and optionally a port")
	}
	site := u.Scheme + "://" + u.Host
	if site != entry {
		return fmt.Errorf("nothing may follow the host and the port, not even a slash")
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil {
		if ip.Zone() != "" || ip.Is6() != strings.HasPrefix(u.Host, "[") {
			return fmt.Errorf("the address is not in the form that browsers use")
		}
	} else if !hostname.MatchString(u.Hostname()) {
		return fmt.Errorf("the host is not a valid name; write international names in punycode, and use * for the " +
			"port only")
	}
	if anyPort {
		if u.Port() != "" || strings.HasSuffix(u.Host, ":") {
			return fmt.Errorf("there is more than one port")
		}
		o.anyOne = append(o.anyOne, site)
		return nil
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return fmt.Errorf("%s is not a port", port)
		}
		if u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
			site = strings.TrimSuffix(site, ":"+port) // browsers omit it
		}
	} else if strings.HasSuffix(u.Host, ":") {
		return fmt.Errorf("the port is missing")
	}
	o.exact = append(o.exact, site)
	return nil
}

// has reports whether pages of the origin may use the API.
func (o Origins) has(origin string) bool {
	if o.every || slices.Contains(o.exact, origin) {
		return true
	}
	return slices.ContainsFunc(o.anyOne, func(site string) bool {
		port, ok := strings.CutPrefix(origin, site)
		return ok && (port == "" || anyPort.MatchString(port))
	})
}

var anyPort = regexp.MustCompile(`^:[0-9]{1,5}$`)

// Risky describes the origins by which others could use the API in the name of a visitor: all of them, or those whose
// pages a network on the way can change. Those of this machine are none.
func (o Origins) Risky() (risky []string) {
	if o.every {
		return []string{"*"}
	}
	local := LocalOrigins()
	for _, site := range slices.Concat(o.exact, o.anyOne) {
		if strings.HasPrefix(site, "http://") && !local.has(site) {
			risky = append(risky, site)
		}
	}
	return risky
}

// preflightLife is how long a browser may cache the answer to a preflight, in seconds. Source: the maximum that
// Chromium accepts.
const preflightLife = 7200

// anyHeaders permits pages all the headers that they ask for: libraries for tracing and clients add their own, and the
// server ignores those that it does not know.
var anyHeaders = []string{"*"}

// exposedHeaders are the headers of answers that pages may read in addition to those that need no permission.
var exposedHeaders = []string{
	RequestIDHeader, "ETag", "Retry-After", "WWW-Authenticate", "RateLimit", "RateLimit-Policy",
}

// share sets the headers by which browsers decide which pages may read the answers (CORS), and answers their
// preflights. Pages that are listed, not only because all are, may send the cookie. The preflight of a POST from any
// other page passes, too, because guard refuses the POST with an answer that the page may read.
func (o Origins) share(next http.Handler) http.Handler {
	origins := []string{"*"}
	var decide func(*http.Request, string) (bool, []string)
	if !o.every {
		origins, decide = nil, func(_ *http.Request, origin string) (bool, []string) { return o.has(origin), nil }
	}
	known := cors.New(cors.Options{
		AllowedOrigins:             origins,
		AllowOriginVaryRequestFunc: decide,
		AllowedMethods:             []string{http.MethodGet, http.MethodPost, http.MethodOptions},
		AllowedHeaders:             anyHeaders,
		AllowCredentials:           !o.every,
		ExposedHeaders:             exposedHeaders,
		MaxAge:                     preflightLife,
	}).Handler(next)
	foreign := cors.New(cors.Options{
		AllowOriginVaryRequestFunc: func(*http.Request, string) (bool, []string) { return true, nil },
		AllowedMethods:             []string{http.MethodPost},
		AllowedHeaders:             anyHeaders,
		MaxAge:                     -1, // not to be cached
	}).Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		preflight := r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") == http.MethodPost
		if preflight && !o.has(r.Header.Get("Origin")) {
			foreign.ServeHTTP(w, r)
			return
		}
		known.ServeHTTP(w, r)
	})
}

// guard refuses requests that a browser sent for a page of another site (CSRF). GET is allowed, because it never
// changes anything. But it opens sockets, which CORS does not restrict, and streams, which stay open although CORS
// hides them: these are refused, too. The page may read the refusal, and nothing else. Requests that no browser sent
// have neither Sec-Fetch-Site nor Origin and pass.
func (o Origins) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reads := (r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions) &&
			!isUpgrade(r) && !wantsStream(r)
		if !reads && foreign(r) && !o.has(r.Header.Get("Origin")) {
			if origin := r.Header.Get("Origin"); origin != "" {
				w.Header().Set("Access-Control-Allow-Origin", origin) // this refusal is not secret
			}
			refuse(w, r, http.StatusForbidden, "FORBIDDEN",
				"Pages of this origin may not send requests here. The operator can allow it with --allowed-origins.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

var crossOrigin = http.NewCrossOriginProtection()

// foreign reports whether a browser sent a request for a page of another site.
func foreign(r *http.Request) bool {
	if r.Method != http.MethodPost { // as if it changed something
		r = &http.Request{Method: http.MethodPost, Header: r.Header, Host: r.Host, URL: r.URL}
	}
	return crossOrigin.Check(r) != nil
}

// isUpgrade reports whether a request asks for a WebSocket.
func isUpgrade(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.EqualFold(strings.TrimSpace(r.Header.Get("Upgrade")), "websocket")
}

// wantsStream reports whether a request may be answered by server-sent events.
func wantsStream(r *http.Request) bool {
	a, _ := negotiate(r.Header["Accept"])
	return a.stream
}
