package store

import (
	"strconv"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/key"
)

// After a restart of Redis ids begin beyond those that it may have lost; this happens once, before any
// connection is used.
func TestSequencesLeapWhenRedisWasRestarted(t *testing.T) {
	server, conn, s, _ := realServer(t)
	if s == nil {
		return
	}
	id, err := s.Register(t.Context(), account("ann"))
	wantOK(t, "Register", err)
	ann, empty := key.Sequence(id.Partition()), key.Sequence(id.Partition()+1)
	before, err := conn.Redis.Get(t.Context(), ann).Int64()
	wantOK(t, "GET", err)
	reconnect := func() int64 {
		t.Helper()
		c, err := connection.Open(t.Context(), server.URL(), connection.Options{})
		wantOK(t, "Connect", err)
		defer c.Close()
		again, err := Open(t.Context(), c, Layout{})
		wantOK(t, "Open", err)
		again.Close()
		n, err := c.Redis.Get(t.Context(), ann).Int64()
		wantOK(t, "GET", err)
		return n
	}
	if got := reconnect(); got != before {
		t.Errorf("the sequence is %d after a connection to the same Redis; want %d", got, before)
	}
	wantOK(t, "HSET", conn.Redis.HSet(t.Context(), key.Layout, connection.LayoutRun, "another").Err())
	if got := reconnect(); got != before+connection.SequenceLeap {
		t.Errorf("the sequence is %d after a restart of Redis; want %d", got, before+connection.SequenceLeap)
	}
	if got := reconnect(); got != before+connection.SequenceLeap {
		t.Errorf("the sequence is %d after one more connection; want %d", got, before+connection.SequenceLeap)
	}
	if n := conn.Redis.Get(t.Context(), empty).Val(); n != strconv.Itoa(connection.SequenceLeap) {
		t.Errorf("a sequence whose first ids may be lost is %q; want %d", n, connection.SequenceLeap)
	}
}

// Reserved ids of sequences that have not begun stay reserved: the reservation can be repeated.
func TestSequencesOfReservedIDsDoNotLeap(t *testing.T) {
	server, conn, s, _ := realServer(t)
	if s == nil {
		return
	}
	const n = 100_000
	wantOK(t, "ReserveIDs", s.ReserveIDs(t.Context(), n))
	wantOK(t, "HSET", conn.Redis.HSet(t.Context(), key.Layout, connection.LayoutRun, "another").Err())
	c, err := connection.Open(t.Context(), server.URL(), connection.Options{})
	wantOK(t, "Connect", err)
	defer c.Close()
	again, err := Open(t.Context(), c, Layout{})
	wantOK(t, "Open", err)
	defer again.Close()
	wantOK(t, "ReserveIDs again", again.ReserveIDs(t.Context(), n))
	if got, want := c.Redis.Get(t.Context(), key.Sequence(forum.Partition(7))).Val(),
		connection.LastUpTo(n, 7); got != want {
		t.Errorf("a reserved sequence is %s; want %s", got, want)
	}
}

// An id that exists is never assigned again, even if the sequence has lost it.
func TestIDsThatExistAreSkipped(t *testing.T) {
	x := newSite(t)
	ann, category := x.user("ann"), x.category("go")
	var ids []forum.TopicID
	for range 4 {
		id, err := x.CreateTopic(t.Context(), discussion(ann, category))
		wantOK(t, "CreateTopic", err)
		ids = append(ids, id)
		if len(ids) == 3 {
			wantOK(t, "DECRBY", x.rdb.DecrBy(t.Context(), key.Sequence(id.Partition()), 2).Err())
		}
	}
	if want := ids[2] + forum.Partitions; ids[3] != want {
		t.Errorf("the ids are %v; want %d at the end", ids, want)
	}
}
