package store_test

import (
	"strings"
	"testing"

	"agora/internal/store"
	"agora/internal/store/internal/connection"
	"agora/internal/store/storetest"
	"agora/internal/test/logbook"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// A Redis that cannot be used is refused with advice; some problems can be accepted by options.
func TestConnectRefusesARedisThatCannotBeUsed(t *testing.T) {
	testlevel.RealRedis(t)
	tests := []struct {
		name    string
		prepare []string // a command, if any
		want    []string // words of the error; none for no error
		insist  connection.Options
		insists bool // whether the option helps
		warns   string
	}{
		{"suitable", nil, nil, connection.Options{}, false, ""},
		{"a replica", []string{"REPLICAOF", "127.0.0.1", "1"}, []string{"replica", "127.0.0.1:1"},
			connection.Options{AllowEviction: true, AllowOtherKeys: true}, false, ""},
		{"an evicting policy", []string{"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"},
			[]string{"allkeys-lru", "CONFIG SET maxmemory-policy noeviction", "--allow-eviction"},
			connection.Options{AllowEviction: true}, true, "MAY DELETE DATA"},
		{"another one", []string{"CONFIG", "SET", "maxmemory-policy", "volatile-ttl"}, []string{"volatile-ttl"},
			connection.Options{AllowEviction: true}, true, "MAY DELETE DATA"},
		{"others' keys", []string{"MSET", "a", "1", "b", "2"}, []string{"2 keys", "--allow-other-keys"},
			connection.Options{AllowOtherKeys: true}, true, ""},
		{"data without a layout", []string{"SET", "{p07}:seq", "12"},
			[]string{"HSET meta:layout version 3 partitions 256"},
			connection.Options{AllowOtherKeys: true}, true, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := redistest.Start(t)
			if tt.prepare != nil {
				args := make([]any, len(tt.prepare))
				for i, a := range tt.prepare {
					args[i] = a
				}
				storetest.WantOK(t, "prepare", server.Client(t).Do(t.Context(), args...).Err())
			}
			conn, err := connection.Open(t.Context(), server.URL(), connection.Options{})
			if conn != nil {
				defer conn.Close()
			}
			if (err == nil) != (tt.want == nil) {
				t.Fatalf("Connect = %v; want an error with %q", err, tt.want)
			}
			for _, w := range tt.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("Connect = %v; want an error with %q", err, w)
				}
			}
			l := &logbook.Log{}
			tt.insist.Log = l.Logger()
			insisted, err := connection.Open(t.Context(), server.URL(), tt.insist)
			if insisted != nil {
				defer insisted.Close()
			}
			if tt.want != nil && (err == nil) != tt.insists {
				t.Errorf("Connect with %+v = %v; want an error: %t", tt.insist, err, !tt.insists)
			}
			if tt.warns != "" && l.Count(tt.warns) != 1 {
				t.Errorf("the log does not say %q", tt.warns)
			}
		})
	}
}

// Keys of other programs are found even without INFO.
func TestConnectRefusesKeysOfOthers(t *testing.T) {
	server := redistest.Start(t)
	storetest.WantOK(t, "SET", server.Client(t).Set(t.Context(), "session:1", "x", 0).Err())
	if _, err := connection.Open(t.Context(), server.URL(), connection.Options{}); err == nil ||
		!strings.Contains(err.Error(), "1 keys that do not belong to Agora") {
		t.Errorf("Connect = %v; want an error with the number of keys", err)
	}
	conn := must.Do(connection.Open(t.Context(), server.URL(), connection.Options{AllowOtherKeys: true}))(t)
	defer conn.Close()
	s := must.Do(store.Open(t.Context(), conn, store.Layout{}))(t)
	defer s.Close()
	again := must.Do(connection.Open(t.Context(), server.URL(), connection.Options{}))(t)
	again.Close()
}
