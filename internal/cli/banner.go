package cli

import (
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"

	"agora/internal/demo"
	"agora/internal/httpserver/playground"
	"agora/internal/store"
)

// banner is what serve prints when it starts.
type banner struct {
	url  string
	conn *store.Connection
	data string
	// logins are the demo's accounts that can sign in, with their roles; all have the same password.
	logins   []string
	password string
	// bot reports whether the demo's bot posts, ui and playground whether there is an application and a playground.
	bot, ui, playground bool
	// fresh reports whether the site is empty, closed whether it is for members only.
	fresh, closed bool
	// ops is the URL of /metrics and /readyz; "" is url.
	ops string
	// issuers are those whose tokens are accepted.
	issuers []string
	// passwords reports whether passwords are accepted.
	passwords bool
	// traces is where traces are sent, without password; "" is nowhere.
	traces string
}

func newBanner(c config, conn *store.Connection, public, ops net.Listener) banner {
	b := banner{url: address(public.Addr()), conn: conn, bot: c.Demo && !c.Quiet, ui: c.UI,
		playground: !c.HidePlayground,
		passwords:  !c.NoPasswords, traces: withoutPassword(c.Traces)}
	for _, i := range c.Issuers {
		b.issuers = append(b.issuers, i.Issuer)
	}
	if ops != nil {
		b.ops = address(ops.Addr())
	}
	return b
}

func (b banner) print(w io.Writer) {
	keeps := "everything you write is stored"
	if !b.conn.Durable {
		keeps = "NOT PERSISTENT: all data are lost when the server stops"
	}
	lines := []string{"Agora is ready."}
	if b.ui {
		lines = append(lines, "  Forum       "+b.url+"/")
	}
	lines = append(lines, "  GraphQL     "+b.url+"/graphql")
	if b.playground {
		lines = append(lines, "  Playground  "+b.url+playground.Path, "  Docs        "+b.url+"/docs/")
	}
	if b.ops != "" {
		lines = append(lines, "  Operations  "+b.ops+"/metrics and /readyz")
	}
	if b.traces != "" {
		lines = append(lines, "  Traces      are sent to "+b.traces)
	}
	lines = append(lines, "  Store       "+b.conn.Where+"; "+keeps)
	if b.data != "" {
		lines = append(lines, "  Data        "+b.data)
	}
	if len(b.issuers) > 0 {
		lines = append(lines, "  Members     sign in with tokens of "+strings.Join(b.issuers, ", "))
	}
	if len(b.logins) > 0 && b.passwords {
		lines = append(lines, "  Sign in as  "+strings.Join(b.logins, ", ")+", with the password "+b.password)
	}
	if b.fresh {
		lines = append(lines, "  Next        this site is empty: make an administrator and a category with",
			"              agora user create NAME --role ADMIN"+b.conn.Reach,
			"              agora init --category NAME"+b.conn.Reach)
	}
	if b.bot {
		lines = append(
			lines,
			fmt.Sprintf(
				"  Bot         posts a reply every %d s, which the forum and the playground show; --quiet stops it",
				demo.BotEvery/time.Second,
			),
		)
	}
	query := "{front{topics(first:3){nodes{title author{login}}}}}"
	if b.closed {
		query = "{site{name access registration}}"
	}
	lines = append(lines, fmt.Sprintf(
		`  Try         curl -s %s/graphql -H 'Content-Type: application/json' -d '{"query":"%s"}'`, b.url, query))
	fmt.Fprintln(w, strings.Join(lines, "\n"))
}

// withoutPassword returns a valid URL without its passwords.
func withoutPassword(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	query := u.Query()
	for name := range query {
		if strings.Contains(name, "password") {
			query.Set(name, masked)
			u.RawQuery = query.Encode()
		}
	}
	return u.Redacted()
}

// address returns the URL at which a browser on this machine finds the listener.
func address(a net.Addr) string {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return "http://" + a.String()
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}
