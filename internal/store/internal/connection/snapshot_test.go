package connection

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/must"
)

// sending starts a server that answers +OK to REPLCONF, sends what follows SYNC in parts, and closes the connection. It
// returns a connection to it.
func sending(t *testing.T, parts ...string) *Connection {
	t.Helper()
	l := must.Do(net.Listen("tcp", "127.0.0.1:0"))(t)
	ended := make(chan struct{})
	go func() { // ends with the snapshot, or with the listener
		defer close(ended)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		in := bufio.NewReader(conn)
		for line := ""; !strings.HasPrefix(line, "SYNC"); {
			if line, err = in.ReadString('\n'); err != nil {
				return
			}
			if strings.HasPrefix(line, "REPLCONF") {
				io.WriteString(conn, "+OK\r\n")
			}
		}
		for _, part := range parts {
			io.WriteString(conn, part)
		}
	}()
	client := redis.NewClient(&redis.Options{Addr: l.Addr().String()})
	t.Cleanup(func() {
		client.Close()
		l.Close()
		<-ended
	})
	return &Connection{Redis: client}
}

// A snapshot is whole, or an error: in both ways of Redis, however it arrives.
func TestSnapshotIsWholeOrFails(t *testing.T) {
	mark, data := strings.Repeat("0123456789", 4), strings.Repeat("REDIS0010", 20_000)
	for _, tt := range []struct {
		name, fails string
		parts       []string
	}{
		{"with its length", "", []string{"\n", "\n", "$180000\r\n", data[:70_000], data[70_000:]}},
		{"with a mark", "", []string{"\n$EOF:" + mark + "\r\n", data, mark}},
		{"with a mark in parts", "", []string{"$EOF:" + mark + "\r\n", data + mark[:7], mark[7:39], mark[39:]}},
		{"cut, with its length", "EOF", []string{"$180000\r\n", data[:70_000]}},
		{"cut, with a mark", "EOF", []string{"$EOF:" + mark + "\r\n", data, mark[:39]}},
		{"refused", "-NOMASTERLINK", []string{"-NOMASTERLINK Can't SYNC\r\n"}},
		{"forbidden", "+sync +replconf", []string{"-NOPERM this user has no permissions\r\n"}},
	} {
		var got bytes.Buffer
		err := sending(t, tt.parts...).Snapshot(t.Context(), &got)
		switch {
		case tt.fails == "" && (err != nil || got.String() != data):
			t.Errorf("%s: %d bytes, %v; want %d", tt.name, got.Len(), err, len(data))
		case tt.fails != "" && (err == nil || !strings.Contains(err.Error(), tt.fails)):
			t.Errorf("%s: %v; want %s", tt.name, err, tt.fails)
		}
	}
}

func TestClusterHasNoSnapshot(t *testing.T) {
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{"127.0.0.1:1"}})
	defer client.Close()
	err := (&Connection{Redis: client}).Snapshot(t.Context(), io.Discard)
	if err == nil || !strings.Contains(err.Error(), "agora export") {
		t.Errorf("Snapshot of a cluster = %v; want what to use instead", err)
	}
}
