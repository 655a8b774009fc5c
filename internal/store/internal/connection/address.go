package connection

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"
)

// address is a parsed REDIS_URL.
type address struct {
	// options are those of each connection; their Addr is the first of hosts.
	options *redis.Options
	cluster bool
	// master is the name by which Sentinels know the master; "" without Sentinels.
	master string
	// hosts are nodes of the cluster, or Sentinels.
	hosts []string
	// sentinelUser and sentinelPassword sign in to the Sentinels, if set.
	sentinelUser, sentinelPassword string
}

const (
	clusterWord  = "+cluster://"
	sentinelWord = "+sentinel://"
)

// parseAddress parses the forms of REDIS_URL. Its errors contain no password:
//
//	redis://user:password@host:6379/0, rediss://…, unix://user:password@/path/redis.sock?db=0
//	redis+cluster://user:password@host1:6379,host2:6379, rediss+cluster://…
//	redis+sentinel://user:password@host1:26379,host2:26379/master/0, rediss+sentinel://…
//
// Sentinels with a password take the parameters sentinel_username and sentinel_password.
func parseAddress(text string) (a address, err error) {
	if base, rest, ok := strings.Cut(text, clusterWord); ok {
		a.cluster = true
		text, a.hosts, err = firstHost(base, rest, "6379")
	} else if base, rest, ok := strings.Cut(text, sentinelWord); ok {
		if text, a.hosts, err = firstHost(base, rest, "26379"); err == nil {
			text, err = a.takeSentinels(text)
		}
	}
	if err != nil {
		return a, err
	}
	a.options, err = redis.ParseURL(text)
	var unread *url.Error
	switch {
	case errors.As(err, &unread): // its text contains the password
		return a, errors.New("invalid URL; use the form redis://user:password@localhost:6379/0, with %XX for special " +
			"characters")
	case err != nil:
		return a, err
	case a.cluster && a.options.DB != 0:
		return a, errors.New("a cluster has only database 0")
	}
	if len(a.hosts) > 0 && a.options.TLSConfig != nil {
		a.options.TLSConfig.ServerName = "" // that of each host
	}
	return a, nil
}

// firstHost returns the URL of the first of several hosts, and all hosts with their ports. package net/url
// does not accept several hosts with ports.
func firstHost(scheme, rest, port string) (text string, hosts []string, err error) {
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	authority, tail := rest[:end], rest[end:]
	user := ""
	if at := strings.LastIndex(authority, "@"); at >= 0 {
		user, authority = authority[:at+1], authority[at+1:]
	}
	for host := range strings.SplitSeq(authority, ",") {
		if _, _, err := net.SplitHostPort(host); err != nil {
			host = net.JoinHostPort(strings.Trim(host, "[]"), port)
		}
		if strings.HasPrefix(host, ":") {
			return "", nil, errors.New("a host is missing; use the form " + scheme + "+…://host1,host2,host3")
		}
		hosts = append(hosts, host)
	}
	return scheme + "://" + user + hosts[0] + tail, slices.Compact(hosts), nil
}

// takeSentinels takes the name of the master from the path of a URL, and what signs in to the Sentinels
// from its parameters. It returns the rest.
func (a *address) takeSentinels(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil {
		return text, nil // ParseURL reports it
	}
	name, db, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	if name == "" {
		return "", errors.New("the name of the master is missing; use the form redis+sentinel://host1,host2,host3/master")
	}
	query := u.Query()
	a.master, a.sentinelUser, a.sentinelPassword = name, query.Get("sentinel_username"), query.Get("sentinel_password")
	query.Del("sentinel_username")
	query.Del("sentinel_password")
	u.Path, u.RawQuery = "/"+db, query.Encode()
	return u.String(), nil
}

// String describes the address for people; it holds no password.
func (a address) String() string {
	switch {
	case a.cluster:
		return "Redis Cluster at " + strings.Join(a.hosts, ", ")
	case a.master != "":
		return fmt.Sprintf("Redis %s by the Sentinels at %s, database %d", a.master, strings.Join(a.hosts, ", "),
			a.options.DB)
	}
	return fmt.Sprintf("Redis at %s, database %d", a.options.Addr, a.options.DB)
}
