package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/test/redistest"
)

// lines collects what a command prints, and hands each line on.
type lines struct {
	mu   sync.Mutex
	buf  bytes.Buffer
	each chan string
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf.Write(b)
	for {
		line, err := l.buf.ReadString('\n')
		if err != nil {
			l.buf.WriteString(line)
			return len(b), nil
		}
		l.each <- strings.TrimSuffix(line, "\n")
	}
}

// next returns the next line.
func (l *lines) next(t *testing.T) string {
	t.Helper()
	select {
	case line := <-l.each:
		return line
	case <-time.After(10 * time.Second):
		t.Fatal("no line within 10 s")
		return ""
	}
}

func TestLog(t *testing.T) {
	env := map[string]string{"REDIS_URL": redistest.Start(t).URL()}
	commandReading(t, "a good password\n", env, "user", "create", "Ada", "--role", "ADMIN")
	commandReading(t, "a good password\n", env, "user", "create", "Bob")
	command(t, env, "user", "set-role", "Bob", "MODERATOR")

	const stamp = `20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ `
	out := command(t, env, "log")
	want := regexp.MustCompile(`^` + stamp + `\(command line\) SET_ROLE Ada USER to ADMIN for OTHER
` + stamp + `\(command line\) SET_ROLE Bob USER to MODERATOR for OTHER
$`)
	if !want.MatchString(out) {
		t.Errorf("log prints %q; want %s", out, want)
	}
	if out := command(t, env, "log", "-n", "1"); strings.Count(out, "\n") != 1 || !strings.Contains(out, "Bob") {
		t.Errorf("log -n 1 prints %q; want Bob's line", out)
	}
	var act struct{ Action, Subject, Member, Detail, Reason string }
	if err := json.Unmarshal([]byte(command(t, env, "log", "-n", "1", "--json")), &act); err != nil ||
		act.Action != "SET_ROLE" || act.Member != "Bob" || act.Detail != "USER MODERATOR" || act.Reason != "OTHER" {
		t.Errorf("log --json prints %+v, %v; want Bob's act", act, err)
	}
}

// An act on all posts of a user says how many, and from when on.
func TestLogOfActsOnPosts(t *testing.T) {
	for detail, want := range map[string]string{
		"1 0":                "2026-11-23T18:02:11Z mia HIDE_POSTS bob 1 post for SPAM",
		"12 0":               "2026-11-23T18:02:11Z mia HIDE_POSTS bob 12 posts for SPAM",
		"1000 1795370400000": "2026-11-23T18:02:11Z mia HIDE_POSTS bob 1000 posts since 2026-11-22T18:00:00Z for SPAM",
	} {
		got := lineOf(acts.LoggedAct{Moderator: "mia", Affected: "bob", Act: &forum.Act{Kind: forum.ActHidePosts, By: 7,
			Subject: forum.Subject{User: 263}, Member: 263, CreatedAt: 1795456931000, Detail: detail,
			Grounds: forum.Grounds{Reason: forum.ReasonSpam}}})
		if got != want {
			t.Errorf("the line of %q is %q; want %q", detail, got, want)
		}
	}
}

func TestLogFollows(t *testing.T) {
	env := map[string]string{"REDIS_URL": redistest.Start(t).URL()}
	commandReading(t, "a good password\n", env, "user", "create", "Bob")
	command(t, env, "user", "set-role", "Bob", "MODERATOR")
	shown := &lines{each: make(chan string, 16)}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { // ends with stop
		p := newProgram("", nil, strings.NewReader(""), shown, io.Discard)
		ended <- p.run(ctx, []string{"agora", "log", "--follow", "-n", "1"}, environment(env))
	}()
	if got := shown.next(t); !strings.Contains(got, "to MODERATOR") {
		t.Errorf("log --follow -n 1 begins with %q; want the role MODERATOR", got)
	}
	for _, role := range []string{"ADMIN", "USER"} {
		command(t, env, "user", "set-role", "Bob", role)
		if got := shown.next(t); !strings.Contains(got, "to "+role) {
			t.Errorf("log --follow prints %q; want the role %s", got, role)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("log --follow ends with %v; want nil", err)
	}
}
