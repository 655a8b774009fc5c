package httpserver

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Hosts are the host names that the server accepts. A page of another site can point its own name at this machine
// (DNS rebinding): for the browser, the server is then that site's own. The zero value accepts every name.
type Hosts struct {
	bounded bool // to names of this machine and the listed ones
	every   bool
	exact   []string
	under   []string // ".example.org", for every name below it
}

// ParseHosts parses host names and addresses separated by commas: "forum.example.org", "*.example.org" for every name
// below it, or "*" alone for every name. Ports are ignored. Names of this machine always belong to a list; the empty
// list accepts every name.
func ParseHosts(list string) (Hosts, error) {
	var h Hosts
	for entry := range strings.SplitSeq(list, ",") {
		entry = strings.TrimSuffix(strings.ToLower(strings.TrimSpace(entry)), ".")
		name, below := strings.CutPrefix(entry, "*.")
		address, err := netip.ParseAddr(strings.Trim(entry, "[]"))
		switch {
		case entry == "":
			continue
		case entry == "*":
			h.every = true
		case err == nil:
			h.exact = append(h.exact, plain(address).String())
		case !hostname.MatchString(name):
			return Hosts{}, fmt.Errorf(
				"host %q: want a name without scheme or port, such as forum.example.org or *.example.org; international names "+
					"are written in punycode",
				entry,
			)
		case below:
			h.under = append(h.under, "."+name)
		default:
			h.exact = append(h.exact, name)
		}
		h.bounded = true
	}
	if h.every && len(h.exact)+len(h.under) > 0 {
		return Hosts{}, fmt.Errorf("host %q: it allows every name, so it must be the only one", "*")
	}
	return h, nil
}

// Local limits the names to those of this machine and the listed ones.
func (h Hosts) Local() Hosts {
	h.bounded = true
	return h
}

// Has reports whether a request uses one of the names. Browsers always send a Host header, so a request without one
// passes.
func (h Hosts) Has(r *http.Request) bool { return h.has(r.Host) }

func (h Hosts) has(header string) bool {
	if !h.bounded || h.every || header == "" {
		return true
	}
	name := header
	if host, _, err := net.SplitHostPort(header); err == nil {
		name = host
	}
	name = strings.TrimSuffix(strings.ToLower(strings.Trim(name, "[]")), ".")
	if address, err := netip.ParseAddr(name); err == nil {
		return address.IsLoopback() || slices.Contains(h.exact, plain(address).String())
	}
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || slices.Contains(h.exact, name) ||
		slices.ContainsFunc(h.under, func(domain string) bool { return strings.HasSuffix(name, domain) })
}

// guard refuses requests with other names.
func (h Hosts) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h.Has(r) {
			refuse(w, r, http.StatusMisdirectedRequest, "HOST_NOT_ALLOWED",
				"The server does not accept this host name. Besides localhost, it accepts the names in --hosts.")
			return
		}
		next.ServeHTTP(w, r)
	})
}
