package cli

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"agora/internal/store"
)

// examineFlags examines who can reach the server, and what they see of it.
func examineFlags(c config) []store.Finding {
	return []store.Finding{examineProxies(c), examineOrigins(c), examineOps(c)}
}

func examineProxies(c config) store.Finding {
	f := store.Finding{Item: "trusted-proxies", Text: "the client's address is taken from these proxies only"}
	for _, network := range c.Proxies {
		if network.Bits() == 0 {
			return store.Finding{Grade: store.Bad, Item: f.Item, Text: fmt.Sprintf("%s is everybody: visitors could claim any "+
				"address, and escape all limits; name only the addresses of the proxies", network)}
		}
	}
	switch {
	case len(c.Proxies) > 0:
	case loopback(c.Addr):
		f.Grade, f.Text = store.Warning, "none, and the server listens on "+c.Addr+": visitors behind a proxy would share its "+
			"address and its limits; with a proxy on this machine set --trusted-proxies 127.0.0.1,::1, and the site's names "+
			"with --hosts"
	default:
		f.Grade, f.Text = store.Warning, "none, and the server listens on "+c.Addr+" without TLS: put a proxy with TLS in "+
			"front, and name it with --trusted-proxies"
	}
	return f
}

func examineOrigins(c config) store.Finding {
	f := store.Finding{Item: "allowed-origins", Text: "only pages over https, and of this machine"}
	switch risky := c.Origins.Risky(); {
	case len(risky) > 0 && risky[0] == "*":
		f.Grade, f.Text = store.Warning, "every site's pages may use the API; list the sites"
	case len(risky) > 0:
		f.Grade, f.Text = store.Warning, strings.Join(risky, ", ")+": a network on the way can change these pages; use https"
	}
	return f
}

func examineOps(c config) store.Finding {
	f := store.Finding{Item: "ops-addr", Text: "/metrics and /readyz are served at " + c.OpsAddr}
	switch {
	case c.OpsAddr == "":
		f.Grade, f.Text = store.Warning, "/metrics is served with the site, to everybody; set --ops-addr 127.0.0.1:9090"
	case strings.HasPrefix(c.OpsAddr, ":") || strings.HasPrefix(c.OpsAddr, "0.0.0.0:") || strings.HasPrefix(c.OpsAddr, "[::]:"):
		f.Grade, f.Text = store.Warning, c.OpsAddr+" is on all networks of this machine: close the port to visitors, or set "+
			"--ops-addr 127.0.0.1:9090"
	}
	return f
}

// examineHost reports whether the server answers to the name of the site.
func examineHost(c config, site *url.URL) store.Finding {
	if !c.Hosts.Has(&http.Request{Host: site.Host}) {
		return store.Finding{Grade: store.Bad, Item: "hosts", Text: "a server with these flags refuses " + site.Hostname() +
			"; set --hosts " + site.Hostname()}
	}
	return store.Finding{Item: "hosts", Text: site.Hostname() + " is accepted"}
}

// spareFiles is how many files the server opens besides connections of visitors: those to Redis, and its own.
const spareFiles = 500

// examineMachine examines what this machine gives the server, and a Redis on it.
func examineMachine(c config) []store.Finding {
	var found []store.Finding
	if most, known := openFiles(); known {
		f := store.Finding{Item: "open files", Text: fmt.Sprintf("at most %d", most)}
		if need := uint64(c.Limits.Connections + spareFiles); most < need {
			f.Grade = store.Warning
			f.Text = fmt.Sprintf("at most %d, but --limit connections=%d needs %d; set ulimit -n %[3]d, or LimitNOFILE=%[3]d in the "+
				"unit, or lower --limit connections", most, c.Limits.Connections, need)
		}
		found = append(found, f)
	}
	if c.redisHere() {
		found = append(found, examineOvercommit("/proc/sys/vm/overcommit_memory")...)
	}
	return found
}

// redisHere reports whether Redis runs on this machine.
func (c config) redisHere() bool {
	u, err := url.Parse(c.RedisURL)
	return c.DataDir != "" || err == nil && (u.Scheme == "unix" || loopback(u.Hostname()+":0"))
}

// examineOvercommit reads whether the kernel lets a large process fork; nothing if it does not say.
func examineOvercommit(file string) []store.Finding {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	f := store.Finding{Item: "overcommit", Text: "vm.overcommit_memory is 1"}
	if got := strings.TrimSpace(string(text)); got != "1" {
		f.Grade, f.Text = store.Warning, "vm.overcommit_memory is "+got+": Redis may fail to rewrite its append-only file when it "+
			"uses much memory; run sysctl vm.overcommit_memory=1, and set it in /etc/sysctl.conf"
	}
	return []store.Finding{f}
}
