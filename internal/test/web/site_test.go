package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/graph"
	"agora/internal/auth"
	"agora/internal/demo"
	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/httpserver"
	"agora/internal/httpserver/live"
	"agora/internal/httpserver/ui"
	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/proxy"
	"agora/internal/test/redistest"
	"agora/internal/test/wait"
	"agora/internal/worker"
)

// password is that of the demo's accounts.
const password = "correct horse battery"

// site is a server with demo data, which browsers reach through a proxy.
type site struct {
	// origin is the address of the proxy, direct that of the server, control that of controlOf.
	origin, direct, control string
}

// newSite starts a site; change, unless nil, changes its options.
func newSite(t *testing.T, change func(*httpserver.Options)) site {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	rdb := redistest.New(t)
	data := must.Do(store.Open(t.Context(), store.Over(rdb), store.Layout{}, store.WithLog(log)))(t)
	t.Cleanup(data.Close)
	hub := event.New(data, log)
	wait.Beside(t, hub.Run)
	wait.Beside(t, func(ctx context.Context) { worker.Run(ctx, data, log) })
	connections := live.New()
	options := httpserver.Options{
		Resolver: &graph.Resolver{
			Store: data, Hasher: auth.NewHasher(1, auth.Cheap()), Events: hub, SiteName: "Agora", Log: log,
		},
		UI: true, Demo: offer(t, data), AlwaysTrace: true, Live: connections, Log: log,
	}
	if change != nil {
		change(&options)
	}
	listener := must.Do(net.Listen("tcp", "127.0.0.1:0"))(t)
	server := httpserver.Server(httpserver.New(options))
	go server.Serve(listener) // ends with Close
	t.Cleanup(func() {
		ended, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := connections.Shutdown(ended); err != nil {
			t.Errorf("shutdown of live connections: %v", err)
		}
		server.Close()
	})
	address := listener.Addr().String()
	between := proxy.New(t, address)
	control := httptest.NewServer(controlOf(between, address, rdb))
	t.Cleanup(control.Close)
	return site{"http://" + between.Addr(), "http://" + address, control.URL}
}

// offer writes the demo data, and returns its accounts.
func offer(t *testing.T, data *store.Store) *ui.Demo {
	t.Helper()
	hash := must.Do(auth.NewHasher(1, auth.Cheap()).Hash(t.Context(), password))(t)
	seeded := must.Do(demo.Seed(t.Context(), data, hash))(t)
	var accounts []ui.Account
	for i, u := range seeded.Data.Users {
		if i == 0 || u.Role != forum.RoleUser {
			accounts = append(accounts, ui.Account{Login: u.Login, Role: string(u.Role)})
		}
	}
	offered := &ui.Demo{}
	must.OK(t, offered.Offer(password, accounts))
	return offered
}

// controlOf cuts all connections of the browsers and refuses new ones, until it is told to mend them. It also adds a
// task that was given up, which is to notify of a topic.
func controlOf(p *proxy.Proxy, target string, rdb redis.UniversalClient) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /cut", func(http.ResponseWriter, *http.Request) {
		p.Lead("")
		p.Cut(true)
	})
	mux.HandleFunc("POST /mend", func(http.ResponseWriter, *http.Request) { p.Lead(target) })
	mux.HandleFunc("POST /dead", func(w http.ResponseWriter, r *http.Request) {
		const topic forum.TopicID = 131853
		name, keys := fmt.Sprintf("n:t%d", topic), fmt.Sprintf("{p%02x}:", byte(topic.Partition()))
		at := float64(time.Now().UnixMilli())
		if err := errors.Join(
			rdb.HSet(r.Context(), keys+"task:"+name, "n", 1, "attempts", 20, "cursor", "", "failure", "out of luck").Err(),
			rdb.ZAdd(r.Context(), keys+"dead", redis.Z{Score: at, Member: name}).Err(),
		); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	return mux
}
