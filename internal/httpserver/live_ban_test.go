package httpserver

import (
	"io"
	"strings"
	"testing"
	"time"

	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/httpserver/live"
	"agora/internal/store"
	"agora/internal/test/redistest"
)

// another returns a second server on the data of the first one.
func (w *liveWire) another() *liveWire {
	w.t.Helper()
	data, err := store.Open(w.t.Context(), store.Over(w.redis), store.Layout{}, store.WithClock(redistest.NewClock().Now))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(data.Close)
	return newRealWire(w.t.(*testing.T), func(o *Options, _ *live.Connections) {
		o.Resolver.Store, o.Resolver.Events = data, event.New(data, o.Log)
	})
}

// A ban from signing in ends sockets and streams on all servers within a second.
func TestBansEndConnectionsOfAllServers(t *testing.T) {
	first := newRealWire(t, nil)
	second := first.another()
	ann, token := first.member("ann")
	header := "Authorization: Bearer " + token
	document := `subscription { notificationAdded { kind } }`
	var sockets []*socketClient
	var streams []*streamClient
	for _, w := range []*liveWire{first, second} {
		c := w.signedIn(token)
		c.subscribe("1", document)
		c.wantQuiet()
		sockets, streams = append(sockets, c), append(streams, w.stream(document, header))
	}
	for _, s := range streams {
		s.wantStream()
	}
	ban := forum.Ban{Scope: forum.BanSignIn, Grounds: forum.Grounds{Reason: forum.ReasonSpam}}
	began := time.Now()
	if _, _, err := first.options.Resolver.Store.Moderation.Ban(t.Context(), nil, ann.ID, ban); err != nil {
		t.Fatal(err)
	}
	for _, c := range sockets {
		c.wantClosed(4401)
	}
	for i, s := range streams {
		rest, err := io.ReadAll(s.r)
		if err != nil || !strings.Contains(string(rest), "UNAUTHENTICATED") {
			t.Errorf("stream %d ends with %q, %v; want UNAUTHENTICATED", i, rest, err)
		}
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("the connections ended after %v; want within a second", took)
	}
	for i, w := range []*liveWire{first, second} {
		if resp := w.post(`{ viewer { id } }`, header); resp.Code != 401 {
			t.Errorf("server %d answers the token with %d %s; want 401", i, resp.Code, resp.Body)
		}
	}
}

// A ban from posting holds on a socket that was open before, on another server, once it has connected again.
func TestBansFromPostingHoldOnOtherServers(t *testing.T) {
	first := newRealWire(t, nil)
	second := first.another()
	ann, token := first.member("ann")
	c := second.signedIn(token)
	c.wantQuiet()
	ban := forum.Ban{Scope: forum.BanPost, Grounds: forum.Grounds{Reason: forum.ReasonSpam}}
	if _, _, err := first.options.Resolver.Store.Moderation.Ban(t.Context(), nil, ann.ID, ban); err != nil {
		t.Fatal(err)
	}
	c.wantClosed(1012)
	for i, w := range []*liveWire{first, second} {
		var posted struct {
			CreateTopic struct{ Errors []struct{ Code string } }
		}
		w.signedIn(token).run(`mutation { createTopic(input: {kind: STATUS, content: "Hello"}) { errors { code } } }`, &posted)
		if errs := posted.CreateTopic.Errors; len(errs) != 1 || errs[0].Code != "BANNED" {
			t.Errorf("createTopic on server %d: %v; want BANNED", i, errs)
		}
	}
}
