package listing_test

import (
	"strconv"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/bulk"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// dayZones are zones of every kind: east and west of UTC, without daylight saving time, and two whose
// clocks skip midnight when it begins.
var dayZones = []string{"UTC", "Asia/Shanghai", "America/Sao_Paulo", "America/Santiago", "America/Havana",
	"Asia/Kathmandu", "Pacific/Kiritimati"}

// dayRank returns the current rank of a day: comments by topic.
func dayRank(x *storetest.Site, day forum.Day) map[forum.TopicID]float64 {
	x.T.Helper()
	return x.Order(key.DayContainer(day), key.OrderReplies)
}

// wantDayRank compares the rank of a day.
func wantDayRank(x *storetest.Site, when string, day forum.Day, want map[forum.TopicID]float64) {
	x.T.Helper()
	got := dayRank(x, day)
	for id, n := range want {
		if got[id] != n {
			x.T.Errorf("%s: on %s topic %d has %v comments; want %v", when, day, id, got[id], n)
		}
	}
	if len(got) != len(want) {
		x.T.Errorf("%s: the rank of %s = %v; want %v", when, day, got, want)
	}
}

// skipsMidnight returns the first day of the zone from a day on that does not begin at 00:00.
func skipsMidnight(t testing.TB, zone *time.Location, from forum.Day) forum.Day {
	t.Helper()
	for d := from; d < from+400; d++ {
		if time.UnixMilli(int64(d.Begins(zone))).In(zone).Hour() != 0 {
			return d
		}
	}
	t.Fatalf("clocks of %s skip no midnight in the year after %s", zone, from)
	return 0
}

// Behaviours A37, A38: the clock passes midnight. Comments in the last millisecond of a day count for it,
// those in the first of the next for that one; yesterday's rank stays until the end of today.
func TestDayRanksOverMidnight(t *testing.T) {
	testlevel.Sequential(t)
	for _, name := range dayZones {
		t.Run(name, func(t *testing.T) {
			x := storetest.NewIn(t, store.Layout{TimeZone: name})
			today := x.Engine.Today()
			if name == "America/Santiago" || name == "America/Havana" {
				today = skipsMidnight(t, x.Engine.Location, today) - 1
			}
			ann, room := x.User("ann"), x.Category("go")
			one, two, silent := x.Topic(ann, room), x.Topic(ann, room), x.Topic(ann, room)
			midnight := (today + 1).Begins(x.Engine.Location)
			x.At(midnight - 3_600_000)
			x.Comment(ann, silent, 0)
			x.At(midnight - 1)
			x.Comment(ann, one, 0)
			early := x.Comment(ann, one, 0)
			x.Comment(ann, two, 0)
			if x.Engine.Today() != today {
				t.Fatalf("a millisecond before %d it is %s; want %s", midnight, x.Engine.Today(), today)
			}
			wantDayRank(x, "before midnight", today, map[forum.TopicID]float64{one: 2, two: 1, silent: 1})
			for i, ms := range []forum.Time{0, 1, 999, 1000} { // the first second
				x.At(midnight + ms)
				x.Comment(ann, one, 0)
				wantDayRank(x, "in the first second", today+1, map[forum.TopicID]float64{one: float64(i + 1)})
				wantDayRank(x, "in the first second", today, map[forum.TopicID]float64{one: 2, two: 1, silent: 1})
			}
			wantLives(x, today, today+1)
			x.WantClean()
			storetest.WantOK(t, "DeleteComment", x.Posts.DeleteComment(t.Context(), ann, early))
			wantDayRank(x, "after a deletion", today, map[forum.TopicID]float64{one: 1, two: 1, silent: 1})
			x.At((today + 2).Begins(x.Engine.Location) - 1)
			storetest.WantOK(t, "DeleteTopic", x.Posts.DeleteTopic(t.Context(), ann, two))
			x.Cast(ann, one, forum.VoteUp)
			wantDayRank(x, "at the end of the next day", today, map[forum.TopicID]float64{one: 1, silent: 1})
			wantDayRank(x, "at the end of the next day", today+1, map[forum.TopicID]float64{one: 4})
			wantLives(x, today, today+1)
			x.WantClean()
		})
	}
}

// wantLives checks when the keys of days expire: an hour after the end of the next day.
func wantLives(x *storetest.Site, days ...forum.Day) {
	x.T.Helper()
	for _, day := range days {
		keys := x.KeysLike(string(key.DayContainer(day)))
		if len(keys) < 2 {
			x.T.Errorf("keys of %s = %v; want the rank and its revisions", day, keys)
		}
		next := time.UnixMilli(int64((day + 2).Begins(x.Engine.Location)))
		for _, k := range keys {
			got, err := x.Redis.Do(x.Ctx, "EXPIRETIME", k).Int64()
			if want := next.Add(time.Hour).Unix(); err != nil || !endsAt(x, got, want) {
				x.T.Errorf("%s expires at %d, %v; want %d", k, got, err, want)
			}
		}
	}
}

// A rank that was written once also expires, and so do the marks of a topic that was removed from it as
// the only one.
func TestUnusedDayRankExpires(t *testing.T) {
	x := storetest.NewIn(t, store.Layout{TimeZone: "Asia/Shanghai"})
	ann := x.User("ann")
	topic := x.Topic(ann, x.Category("go"))
	comment := x.Comment(ann, topic, 0)
	wantLives(x, x.Engine.Today())
	storetest.WantOK(t, "DeleteComment", x.Posts.DeleteComment(t.Context(), ann, comment))
	wantDayRank(x, "without comments", x.Engine.Today(), nil)
	wantLives(x, x.Engine.Today())
	x.Clock.Advance(100 * 24 * time.Hour)
	day := x.Engine.Today()
	x.Cast(ann, topic, forum.VoteUp)
	if keys := x.KeysLike(string(key.DayContainer(day))); len(keys) > 0 {
		t.Errorf("a vote on a topic without comments today created %v", keys)
	}
	x.WantClean()
}

// A comment of the last millisecond is written after the new day has begun, before or after its first
// comment: each counts for its own day.
func TestLateCommentOverMidnight(t *testing.T) {
	for _, step := range []string{"comment_create", "index"} {
		w := storetest.NewThread(t)
		today := w.Engine.Today()
		w.At((today + 1).Begins(w.Engine.Location) - 1)
		wake := w.Asleep(step, func(s *store.Store) {
			site.On(t, s).Comment(w.Bob, w.TopicID, 0)
		})
		w.At((today + 1).Begins(w.Engine.Location))
		w.Comment(w.Ann, w.TopicID, 0)
		wake()
		wantDayRank(w.Site, "after a late comment", today,
			map[forum.TopicID]float64{w.TopicID: 3}) // two from the morning
		wantDayRank(w.Site, "after a late comment", today+1, map[forum.TopicID]float64{w.TopicID: 1})
		wantLives(w.Site, today, today+1)
		w.Clock.Advance(engine.FirstLease * time.Millisecond) // the late calls' tasks
		w.WantClean()
	}
}

// A topic's counts for its latest two days, over gaps of several days and with deletions on all of them.
func TestDaysOfATopic(t *testing.T) {
	x := storetest.NewIn(t, store.Layout{TimeZone: "America/Sao_Paulo"})
	ann := x.User("ann")
	topic := x.Topic(ann, x.Category("go"))
	day := x.Engine.Today()
	on := func(d int, want map[int]int) forum.CommentID {
		t.Helper()
		x.At((day + forum.Day(d)).Begins(x.Engine.Location) + 5_000)
		id := x.Comment(ann, topic, 0)
		wantDays(x, topic, day, want)
		return id
	}
	on(1, map[int]int{1: 1})
	first := on(1, map[int]int{1: 2})
	second := on(2, map[int]int{1: 2, 2: 1})
	storetest.WantOK(t, "DeleteComment", x.Posts.DeleteComment(t.Context(), ann, first))
	wantDays(x, topic, day, map[int]int{1: 1, 2: 1})
	storetest.WantOK(t, "DeleteComment", x.Posts.DeleteComment(t.Context(), ann, second))
	wantDays(x, topic, day, map[int]int{1: 1})
	third := on(3, map[int]int{3: 1})
	storetest.WantOK(t, "DeleteComment", x.Posts.DeleteComment(t.Context(), ann, second)) // again
	wantDays(x, topic, day, map[int]int{3: 1})
	fifth := on(5, map[int]int{5: 1}) // nothing on the fourth
	storetest.WantOK(t, "DeleteComment", x.Posts.DeleteComment(t.Context(), ann, third))
	wantDays(x, topic, day, map[int]int{5: 1})
	on(6, map[int]int{5: 1, 6: 1})
	storetest.WantOK(t, "DeleteComment", x.Posts.DeleteComment(t.Context(), ann, fifth))
	wantDays(x, topic, day, map[int]int{6: 1})
	on(7, map[int]int{6: 1, 7: 1})
	on(9, map[int]int{9: 1}) // comments of the sixth day do not count for the eighth
	x.WantClean()
}

// wantDays checks a topic's comments of the days from a first one.
func wantDays(x *storetest.Site, id forum.TopicID, from forum.Day, want map[int]int) {
	x.T.Helper()
	topic := x.OneTopic(id)
	for d := range 10 {
		if got := topic.CommentsOn(from + forum.Day(d)); got != want[d] {
			x.T.Errorf("on day %d the topic has %d comments; want %d", d, got, want[d])
		}
		if rank := dayRank(x, from+forum.Day(d))[id]; from+forum.Day(d) >= x.Engine.Today()-1 && int(rank) != want[d] {
			x.T.Errorf("in the rank of day %d the topic has %v comments; want %d", d, rank, want[d])
		}
	}
}

// Importing old comments of any age changes no ranks of days except those of their own days.
func TestImportsOfOldCommentsLeaveDayRanksAlone(t *testing.T) {
	x := storetest.NewIn(t, store.Layout{TimeZone: "Asia/Shanghai"})
	ann := x.User("ann")
	topic := x.Topic(ann, x.Category("go"))
	x.Comment(ann, topic, 0)
	im, n := x.Import(), 0
	bring := func(created forum.Time) {
		t.Helper()
		n++
		reply := site.ImportedReply("old:"+strconv.Itoa(n), ann.ID, topic, 0)
		reply.CreatedAt = created
		imported, err := im.Comments(t.Context(), []bulk.NewReply{reply})
		if err != nil || imported[0].Err != nil {
			t.Fatalf("Comments = %v, %v", imported[0].Err, err)
		}
		storetest.WantOK(t, "Publish", im.Publish(t.Context(), nil, imported, []bulk.NewReply{reply}))
	}
	today := x.Engine.Today()
	for _, created := range []forum.Time{site.ImportedAt, 1, 90_000_000, site.ImportedAt - 86_400_000,
		(today - 1).Begins(x.Engine.Location) - 1} {
		bring(created)
	}
	wantDayRank(x, "after an import", today, map[forum.TopicID]float64{topic: 1})
	bring(today.Begins(x.Engine.Location) - 1)
	bring(today.Begins(x.Engine.Location))
	wantDayRank(x, "after an import of yesterday and today", today, map[forum.TopicID]float64{topic: 2})
	wantDayRank(x, "after an import of yesterday and today", today-1, map[forum.TopicID]float64{topic: 1})
	x.WantClean()
}

// The first comment of a topic may be of any day that a date can represent, even the first two of 1970.
func TestFirstCommentOfAnyDay(t *testing.T) {
	testlevel.Sequential(t)
	for _, created := range []forum.Time{1, 86_399_999, 86_400_000, 2 * 86_400_000, site.ImportedAt} {
		x := storetest.New(t)
		ann := x.User("ann")
		topic := x.Topic(ann, x.Category("go"))
		in := site.Remark(topic, 0)
		in.CreatedAt = created
		if _, err := x.Posts.CreateComment(t.Context(), ann, in); err != nil {
			t.Errorf("CreateComment at %d ms: %v", created, err)
		}
		x.WantClean()
		x.Comment(ann, topic, 0)
		wantDayRank(x, "after an old comment", x.Engine.Today(), map[forum.TopicID]float64{topic: 1})
		x.WantClean()
	}
}

// endsAt checks when a key expires, in Unix seconds. The embedded server stores remaining lifetimes, which
// shrink only when its clock is moved.
func endsAt(x *storetest.Site, got, want int64) bool {
	return got == want || !x.Server.Real() && want > 0 && got > want && got < want+60
}
