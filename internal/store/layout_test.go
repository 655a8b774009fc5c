package store_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

func TestOpenWritesLayoutOnce(t *testing.T) {
	server, clock := redistest.Start(t), redistest.NewClock()
	first, err := store.Open(t.Context(), store.Over(server.Client(t)), store.Layout{TimeZone: "Asia/Shanghai"},
		store.WithClock(clock.Now))
	storetest.WantOK(t, "Open", err)
	defer first.Close()
	created := first.Engine.Now()
	clock.Advance(time.Hour)
	second := must.Do(store.Open(t.Context(), store.Over(server.Client(t)), store.Layout{},
		store.WithClock(clock.Now)))(t)
	defer second.Close()
	if of := second.Layout(); of.Created != created || of.TimeZone != "Asia/Shanghai" {
		t.Errorf("second Open: Layout = %+v; want %d, Asia/Shanghai", of, created)
	}
	third := must.Do(store.Open(t.Context(), store.Over(server.Client(t)), store.Layout{TimeZone: "Asia/Shanghai"}))(t)
	third.Close()
}

func TestOpenUsesUTCForNewData(t *testing.T) {
	if x := storetest.New(t); x.Layout().TimeZone != "UTC" {
		t.Errorf("TimeZone = %q; want UTC", x.Layout().TimeZone)
	}
}

func TestDividedListsAreRefused(t *testing.T) {
	x := storetest.New(t)
	x.Redis.HSet(x.Ctx, "meta:{divisions}", "front", "divided 16")
	conn := store.Over(x.Redis)
	_, opened := store.Open(x.Ctx, conn, store.Layout{})
	_, read := store.OpenReadOnly(x.Ctx, conn, store.Layout{})
	_, found := store.FindMigration(x.Ctx, conn)
	for call, err := range map[string]error{"Open": opened, "OpenReadOnly": read, "FindMigration": found} {
		if !errors.Is(err, connection.ErrDivided) {
			t.Errorf("%s = %v; want %v", call, err, connection.ErrDivided)
		}
	}
}

func TestOpenRefusesOtherLayouts(t *testing.T) {
	tests := []struct {
		name, field, value, want string
		layout                   store.Layout
	}{
		{"other partitions", "partitions", "128", "128 partitions", store.Layout{}},
		{"newer version", "version", "4", "layout version 4", store.Layout{}},
		{"older version", "version", "2", "layout version 2, which this program cannot bring to version 3",
			store.Layout{}},
		{"interrupted migration", "migrating", "2", "run agora migrate again", store.Layout{}},
		{"a zone that depends on the machine", "timeZone", "Local", "HSET meta:layout timeZone", store.Layout{}},
		{"other time zone", "timeZone", "Europe/Berlin", "Europe/Berlin", store.Layout{TimeZone: "UTC"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := redistest.Start(t)
			rdb := server.Client(t)
			rdb.HSet(t.Context(), key.Layout, tt.field, tt.value)
			_, err := store.Open(t.Context(), store.Over(rdb), tt.layout)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Open = %v; want an error with %q", err, tt.want)
			}
		})
	}
}

// Behaviours A3 and A4: ids up to n are never assigned.
func TestReserveIDsReservesAllIDsUpToN(t *testing.T) {
	for _, n := range []int64{1, 255, 256, 1000, 123_456} {
		x := storetest.New(t)
		storetest.WantOK(t, "ReserveIDs", x.ReserveIDs(t.Context(), n))
		storetest.WantOK(t, "ReserveIDs again with the same n", x.ReserveIDs(t.Context(), n))
		author := x.User("ann")
		topic := x.Topic(author, x.Category("go"))
		comment := x.Comment(author, topic, 0)
		if int64(author.ID) <= n || int64(topic) <= author64(author) || comment <= forum.CommentID(topic) {
			t.Errorf("after ReserveIDs(%d): user %d, topic %d, comment %d; want rising ids above it", n, author.ID,
				topic,
				comment)
		}
		// The first assigned id is less than a round of all partitions above n.
		if int64(author.ID) > n+2*forum.Partitions {
			t.Errorf("after ReserveIDs(%d): user %d; want the next of its partition", n, author.ID)
		}
	}
}

func author64(v *forum.Viewer) int64 { return int64(v.ID) }

// Behaviour A3: the reservation is refused once the counter exists.
func TestReserveIDsIsRefusedOnceIDsExist(t *testing.T) {
	x := storetest.New(t)
	x.User("ann")
	if err := x.ReserveIDs(t.Context(), 1000); err == nil {
		t.Error("ReserveIDs after a registration = nil; want an error")
	}
	other := storetest.New(t)
	storetest.WantOK(t, "ReserveIDs", other.ReserveIDs(t.Context(), 1000))
	if err := other.ReserveIDs(t.Context(), 5000); err == nil {
		t.Error("ReserveIDs with another n = nil; want an error")
	}
	other.User("ann")
	if err := other.ReserveIDs(t.Context(), 1000); err == nil {
		t.Error("ReserveIDs with the same n after a registration = nil; want an error")
	}
}

func TestReserveIDsBounds(t *testing.T) {
	x := storetest.New(t)
	for _, n := range []int64{0, -1, forum.MaxID + 1} {
		if err := x.ReserveIDs(t.Context(), n); err == nil {
			t.Errorf("ReserveIDs(%d) = nil; want an error", n)
		}
	}
	for k := range x.Keys() {
		if k != key.Layout && k != key.Secret {
			t.Errorf("a refused ReserveIDs left %s", k)
		}
	}
}

// reserveTogether makes twenty processes reserve ids concurrently.
func reserveTogether(x *storetest.Site, n func(caller int) int64) []error {
	x.T.Helper()
	errs := make([]error, 20)
	begin := make(chan struct{})
	var wg sync.WaitGroup
	for i := range errs {
		s := x.Process()
		wg.Go(func() {
			<-begin
			errs[i] = s.ReserveIDs(x.Ctx, n(i))
		})
	}
	close(begin)
	wg.Wait()
	return errs
}

// Behaviour X5: of many concurrent callers with different numbers, one number is reserved in all
// partitions, and all other callers get an error.
func TestReserveIDsWithConcurrentCallers(t *testing.T) {
	x := storetest.New(t)
	number := func(caller int) int64 { return int64(1000 * (caller + 1)) }
	won := []int64{}
	for i, err := range reserveTogether(x, number) {
		if err == nil {
			won = append(won, number(i))
		}
	}
	if len(won) != 1 {
		t.Fatalf("ReserveIDs succeeded for %v; want exactly one", won)
	}
	for p := range forum.Partitions {
		got, err := x.Redis.Get(t.Context(), key.Sequence(forum.Partition(p))).Result()
		if want := connection.LastUpTo(won[0], p); got != want {
			t.Fatalf("%s = %q, %v; want %q of ReserveIDs(%d)", key.Sequence(forum.Partition(p)), got, err, want, won[0])
		}
	}
}

// Concurrent callers with the same number make one reservation.
func TestReserveIDsWithConcurrentEqualCallers(t *testing.T) {
	testlevel.Usual(t)
	x := storetest.New(t)
	for i, err := range reserveTogether(x, func(int) int64 { return 777 }) {
		if err != nil {
			t.Errorf("ReserveIDs(777) of caller %d: %v", i, err)
		}
	}
}

func TestStartSequenceNeverLowersIt(t *testing.T) {
	x := storetest.New(t)
	author := x.User("ann")
	p := author.ID.Partition()
	storetest.WantOK(t, "StartSequence(99)", x.StartSequence(t.Context(), p, 99))
	storetest.WantOK(t, "StartSequence(3)", x.StartSequence(t.Context(), p, 3))
	topic := x.Topic(author, x.Category("go"))
	if want := forum.TopicID(100*forum.Partitions + int64(p)); topic != want {
		t.Errorf("topic after StartSequence(99) = %d; want %d", topic, want)
	}
}

// Ids beyond the largest or in use are refused.
func TestIDsRunOut(t *testing.T) {
	x := storetest.New(t)
	author, category := x.User("ann"), x.Category("go")
	p := author.ID.Partition()
	storetest.WantOK(t, "Flush", x.Flush(x.Ctx)) // consumers walk before the ids have gaps
	storetest.WantOK(t, "StartSequence", x.StartSequence(t.Context(), p, forum.MaxID/forum.Partitions))
	if _, err := x.Posts.CreateTopic(t.Context(), site.Discussion(author, category)); err == nil ||
		forum.CodeOf(err) != "" {
		t.Errorf("CreateTopic beyond the largest id = %v; want an internal error", err)
	}
	if got := x.FrontTopics(); len(got) != 0 {
		t.Errorf("front = %v; want nothing", got)
	}
	x.WantClean()
}
