package listing_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/storetest"
)

// A tab's snapshot is chosen from all its categories; a topic that is in two of them, because it is moving,
// appears once, with its votes.
func TestSnapshotOfATabHasEachTopicOnce(t *testing.T) {
	e := storetest.NewVoting(t)
	other := e.Topic(e.Bob, e.B)
	e.Cast(e.Bob, other, forum.VoteUp)
	e.Cast(e.Ann, e.TopicID, forum.VoteDown)
	wake := e.Asleep("leave", func(s *store.Store) {
		storetest.WantOK(t, "UpdateTopic", storetest.Move(s, e.Thread, e.B))
	})
	if len(e.Order(key.CategoryContainer(e.A), key.OrderCreated)) != 1 ||
		len(e.Order(key.CategoryContainer(e.B), key.OrderCreated)) != 2 {
		t.Fatal("the moving topic is not in both categories")
	}
	tl := forum.Timeline{Kind: forum.TabTimeline, Owner: 1, Order: forum.ByTop, Direction: forum.Descending,
		Period: forum.PeriodAll}
	got := standing(e.Snapshot(tl, forum.Window{Count: 10}, e.A, e.B, e.EmptyID))
	wake()
	if len(got) != 2 || got[0].id != other || got[0].up != 1 || got[1].id != e.TopicID || got[1].down != 2 {
		t.Errorf("TOP of a tab while a topic moves = %+v; want %d, then %d", got, other, e.TopicID)
	}
	e.WantClean()
}

// Votes are derived from scores. A topic that was removed between the reads of the list and of its votes is
// not in the snapshot; one without votes against is.
func TestSnapshotOmitsRemovedTopics(t *testing.T) {
	e := storetest.NewVoting(t)
	stays := e.Topic(e.Bob, e.A)
	e.Cast(e.Bob, stays, forum.VoteDown)
	e.Cast(e.Ann, e.TopicID, forum.VoteUp)
	var once sync.Once
	s := e.Watched(func(cmd redis.Cmder) {
		if cmd.Name() == "zmscore" {
			once.Do(func() { storetest.WantOK(t, "DeleteTopic", e.Posts.DeleteTopic(e.Ctx, e.Ann, e.TopicID)) })
		}
	})
	tl, n := storetest.Ranking(forum.ByTop, forum.Descending), e.Listing.SnapshotNow()
	storetest.WantOK(t, "TakeSnapshot", s.Listing.TakeSnapshot(t.Context(), tl, n, nil))
	got := standing(e.ReadSnapshot(tl, n, forum.Window{Count: 10}))
	want := []planted{{e.Article, e.Engine.Now(), 2, 0}, {stays, e.Engine.Now(), 0, 1}}
	if !slices.Equal(got, want) {
		t.Errorf("the snapshot = %+v; want %+v", got, want)
	}
}

// A topic that is in no list any more has no votes.
func TestVotesOfMissingTopics(t *testing.T) {
	x := storetest.New(t)
	rows := []forum.Row{{ID: 1, CreatedAt: 5, Position: forum.Position{Member: record.Member(5, 1)}},
		{ID: 2, CreatedAt: 9, Position: forum.Position{Member: record.Member(9, 2)}}}
	plant(x, key.FrontContainer, planted{id: 2, created: 9, up: 3, down: 7})
	kept, err := x.Listing.ReadVotes(t.Context(), key.FrontContainer, rows)
	if err != nil || len(kept) != 1 || kept[0].ID != 2 || kept[0].Up != 3 || kept[0].Down != 7 {
		t.Errorf("readVotes = %+v, %v; want the present one, 3 up, 7 down", kept, err)
	}
}

// Both vote counts are of one instant, however fast votes change.
func TestVotesOfASnapshotAreOfOneInstant(t *testing.T) {
	x := storetest.New(t)
	const created = 9
	at := forum.Position{Member: record.Member(created, 2)}
	plant(x, key.FrontContainer, planted{id: 2, created: created})
	done := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() { // one vote against is cast and withdrawn until the reader is done
		for net := 0; ; net = -1 - net {
			select {
			case <-done:
				return
			default:
			}
			pipe := x.Redis.TxPipeline()
			pipe.ZAdd(x.Ctx, key.FrontContainer.Order(key.OrderScore),
				redis.Z{Score: forum.Score(created, net), Member: at.Member})
			pipe.ZAdd(x.Ctx, key.FrontContainer.Order(key.OrderDown),
				redis.Z{Score: float64(0 - net), Member: at.Member})
			pipe.Exec(x.Ctx)
		}
	})
	for range 500 {
		rows, err := x.Listing.ReadVotes(t.Context(), key.FrontContainer, []forum.Row{{ID: 2, CreatedAt: created,
			Position: at}})
		if err != nil || len(rows) != 1 || rows[0].Up != 0 {
			t.Errorf("readVotes while a vote against changes = %+v, %v; want none in favour", rows, err)
			break
		}
	}
	close(done)
	writer.Wait()
}
