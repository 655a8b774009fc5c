package clients

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"

	"agora/internal/forum"
)

// order is a request of a client's program to the test.
type order struct {
	// Topic and N are for replies, Token for a session to end.
	Topic, Token string
	N            int
	// Sockets, Streams and Subscriptions are the numbers to wait for.
	Sockets, Streams, Subscriptions int
}

// control lets a client's program cause events at the site. It answers one order at a time.
func (s *site) control() http.Handler {
	var one sync.Mutex
	mux := http.NewServeMux()
	on := func(name string, do func(order) (any, error)) {
		mux.HandleFunc("POST /"+name, func(w http.ResponseWriter, r *http.Request) {
			one.Lock()
			defer one.Unlock()
			var o order
			err := json.NewDecoder(r.Body).Decode(&o)
			var result any
			if err == nil {
				result, err = do(o)
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			json.NewEncoder(w).Encode(result)
		})
	}
	quick := func(do func()) func(order) (any, error) {
		return func(order) (any, error) { do(); return nil, nil }
	}
	on("user", func(order) (any, error) { return s.member(forum.RoleUser) })
	on("revoke", func(o order) (any, error) { return nil, s.revoke(o.Token) })
	on("promote", func(o order) (any, error) { return nil, s.promote(o.Token) })
	on("settle", func(order) (any, error) { return nil, s.store.Flush(s.t.Context()) })
	on("topic", func(order) (any, error) { return s.topic() })
	on("reply", func(o order) (any, error) { return s.reply(o.Topic, o.N) })
	on("storm", func(o order) (any, error) { return s.storm(o.Topic, o.N) })
	on("requests", func(order) (any, error) { n, _ := s.asked(); return n, nil })
	on("await", func(o order) (any, error) { return nil, s.await(o) })
	on("restart", quick(s.restart))
	on("cut", quick(func() { s.proxy.Cut(true) }))
	on("freeze", quick(func() { s.proxy.Freeze() }))
	on("down", quick(func() { s.proxy.Lead(""); s.proxy.Cut(true) }))
	on("up", quick(func() { s.proxy.Lead(s.server.address) }))
	return mux
}

// await waits until the server's metrics show as many live connections and subscriptions. It polls, because nothing
// announces a change.
func (s *site) await(o order) error {
	want := fmt.Sprint(o.Sockets, " sockets, ", o.Streams, " streams, ", o.Subscriptions, " subscriptions")
	again := time.NewTicker(2 * time.Millisecond)
	defer again.Stop()
	got := ""
	for end := time.Now().Add(patience); time.Now().Before(end); <-again.C {
		m := s.gauges()
		got = fmt.Sprint(m[`agora_live_connections{kind="socket"}`], " sockets, ", m[`agora_live_connections{kind="stream"}`],
			" streams, ", m["agora_subscriptions"], " subscriptions")
		if got == want {
			return nil
		}
	}
	return fmt.Errorf("the server has %s; want %s", got, want)
}

// gauges are the server's metrics by name.
func (s *site) gauges() map[string]int {
	w := httptest.NewRecorder()
	s.server.handler.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	values := map[string]int{}
	for lines := bufio.NewScanner(w.Body); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), " "); ok {
			if n, err := strconv.Atoi(value); err == nil {
				values[name] = n
			}
		}
	}
	return values
}
