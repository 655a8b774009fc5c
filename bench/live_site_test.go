package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"agora/graph"
	"agora/internal/auth"
	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/httpserver"
	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/posts"
	"agora/internal/store/sessions"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// liveSite is a server with one topic, and a user who replies to it.
type liveSite struct {
	store             *store.Store
	url, topic, token string
}

func newLiveSite(b *testing.B, server *redistest.Server) *liveSite {
	b.Helper()
	s := empty(b, client(b, server))
	ann := must.Do(s.Accounts.Register(background, accounts.NewUser{Login: "ann", LoginFold: "ann", Name: "ann"}))(b)
	topic := must.Do(s.Posts.CreateTopic(
		background,
		posts.NewTopic{Author: ann, Kind: forum.Discussion, Title: "live", Content: "live", Format: forum.Markdown},
	))(b)
	silent := slog.New(slog.DiscardHandler)
	hub := event.New(s, silent)
	ctx, stop := context.WithCancel(background)
	ended := make(chan struct{})
	go func() { // ends with the benchmark
		defer close(ended)
		hub.Run(ctx)
	}()
	live, limits := live.New(), limit.Defaults()
	limits.LiveAddress, limits.LiveAnonymous, limits.LiveAnonymousAddress = limits.Live, limits.Live, limits.Live
	limits.LiveSubscriptions, limits.LiveValues = limits.Live, 1_000_000
	l := must.Do(net.Listen("tcp", "127.0.0.1:0"))(b)
	h := httpserver.Server(httpserver.New(httpserver.Options{
		Resolver: &graph.Resolver{
			Store:  s,
			Hasher: auth.NewHasher(1, auth.Cheap()),
			Events: hub,
			Log:    silent,
		}, Live: live, Limits: &limits, Log: silent,
	}))
	go h.Serve(l) // ends with Close
	b.Cleanup(func() {
		live.Shutdown(background)
		h.Close()
		stop()
		<-ended
		s.Close()
	})
	return &liveSite{
		store: s,
		url:   "http://" + l.Addr().String() + "/graphql",
		topic: globalid.New(globalid.Topic, strconv.Itoa(int(topic))),
		token: signIn(b, s, ann),
	}
}

// signIn begins a session.
func signIn(b *testing.B, s *store.Store, user forum.UserID) string {
	b.Helper()
	token := must.Do(auth.NewToken(user))(b)
	must.OK(b, s.Sessions.StartSession(background, sessions.NewSession{User: user, Digest: token.Digest(),
		Ends: s.Engine.Now() + 1e9}))
	return token.String()
}

// viewers are the tokens of n users.
func (s *liveSite) viewers(b *testing.B, n int) []string {
	b.Helper()
	tokens := make([]string, n)
	for i := range tokens {
		login := fmt.Sprint("viewer", i)
		user := must.Do(s.store.Accounts.Register(background, accounts.NewUser{Login: login, LoginFold: login,
			Name: login}))(b)
		tokens[i] = signIn(b, s.store, user)
	}
	return tokens
}

// reply posts a reply and returns when it was answered (Unix ns).
func (s *liveSite) reply(b *testing.B) int64 {
	b.Helper()
	body, err := json.Marshal(
		map[string]any{
			"query":     `mutation($t: ID!) { createComment(input: {topicId: $t, content: "hello"}) { comment { id } } }`,
			"variables": map[string]string{"t": s.topic},
		},
	)
	if err != nil {
		b.Fatal(err)
	}
	req := must.Do(http.NewRequest(http.MethodPost, s.url, bytes.NewReader(body)))(b)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+s.token)
	resp := must.Do(http.DefaultClient.Do(req))(b)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || !strings.Contains(string(answer), `"comment":{"id"`) {
		b.Fatal(errors.Join(err, errors.New(string(answer))))
	}
	return time.Now().UnixNano()
}

// eventID returns the id of the latest event.
func (s *liveSite) eventID(b *testing.B) string {
	b.Helper()
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	query := url.Values{"query": {`subscription { commentAdded(topic: {id: "` + s.topic + `"}) { eventId } }`}}
	req := must.Do(http.NewRequestWithContext(ctx, http.MethodGet, s.url+"?"+query.Encode(), nil))(b)
	req.Header.Set("Accept", "text/event-stream")
	resp := must.Do(http.DefaultClient.Do(req))(b)
	defer resp.Body.Close()
	s.reply(b)
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if _, rest, ok := strings.Cut(lines.Text(), `"eventId":"`); ok {
			id, _, _ := strings.Cut(rest, `"`)
			return id
		}
	}
	b.Fatal("no event came")
	return ""
}
