package store_test

import (
	"strconv"
	"testing"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// After a restart of Redis ids begin beyond those that it may have lost; this happens once, before any
// connection is used.
func TestSequencesLeapWhenRedisWasRestarted(t *testing.T) {
	server, conn, s, _ := realServer(t)
	if s == nil {
		return
	}
	id := site.On(t, s).User("ann").ID
	ann, empty := key.Sequence(id.Partition()), key.Sequence(id.Partition()+1)
	before := must.Do(conn.Redis.Get(t.Context(), ann).Int64())(t)
	changes, none, first := key.Consumers("{cat}:"), key.Consumers("{mod}:"), key.Consumers("{p07}:")
	storetest.WantOK(t, "HSET", conn.Redis.HSet(t.Context(), first, "kinds", "t").Err())
	storetest.WantOK(t, "HSET", conn.Redis.HSet(t.Context(), changes, "seq", 5).Err())
	reconnect := func() int64 {
		t.Helper()
		c := must.Do(connection.Open(t.Context(), server.URL(), connection.Options{}))(t)
		defer c.Close()
		again := must.Do(store.Open(t.Context(), c, store.Layout{}))(t)
		again.Close()
		return must.Do(c.Redis.Get(t.Context(), ann).Int64())(t)
	}
	if got := reconnect(); got != before {
		t.Errorf("the sequence is %d after a connection to the same Redis; want %d", got, before)
	}
	storetest.WantOK(t, "HSET", conn.Redis.HSet(t.Context(), key.Layout, connection.LayoutRun, "another").Err())
	if got := reconnect(); got != before+connection.SequenceLeap {
		t.Errorf("the sequence is %d after a restart of Redis; want %d", got, before+connection.SequenceLeap)
	}
	if n := conn.Redis.HGet(t.Context(), changes, "seq").Val(); n != strconv.Itoa(5+connection.ChangesLeap) {
		t.Errorf("the last number of a change is %s after a restart of Redis; want %d", n, 5+connection.ChangesLeap)
	}
	if n := conn.Redis.HGet(t.Context(), first, "seq").Val(); n != strconv.Itoa(connection.ChangesLeap) {
		t.Errorf("the last number of a change is %q where all may be lost; want %d", n, connection.ChangesLeap)
	}
	if conn.Redis.Exists(t.Context(), none).Val() != 0 {
		t.Error("changes have numbers that nobody follows")
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
	storetest.WantOK(t, "ReserveIDs", s.ReserveIDs(t.Context(), n))
	storetest.WantOK(t, "HSET", conn.Redis.HSet(t.Context(), key.Layout, connection.LayoutRun, "another").Err())
	c := must.Do(connection.Open(t.Context(), server.URL(), connection.Options{}))(t)
	defer c.Close()
	again := must.Do(store.Open(t.Context(), c, store.Layout{}))(t)
	defer again.Close()
	storetest.WantOK(t, "ReserveIDs again", again.ReserveIDs(t.Context(), n))
	if got, want := c.Redis.Get(t.Context(), key.Sequence(forum.Partition(7))).Val(),
		connection.LastUpTo(n, 7); got != want {
		t.Errorf("a reserved sequence is %s; want %s", got, want)
	}
}

// An id that exists is never assigned again, even if the sequence has lost it.
func TestIDsThatExistAreSkipped(t *testing.T) {
	x := storetest.New(t)
	ann, category := x.User("ann"), x.Category("go")
	var ids []forum.TopicID
	for range 4 {
		id := x.Post(site.Discussion(ann, category))
		ids = append(ids, id)
		if len(ids) == 3 {
			storetest.WantOK(t, "DECRBY", x.Redis.DecrBy(t.Context(), key.Sequence(id.Partition()), 2).Err())
		}
	}
	if want := ids[2] + forum.Partitions; ids[3] != want {
		t.Errorf("the ids are %v; want %d at the end", ids, want)
	}
}
