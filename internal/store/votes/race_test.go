package votes_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	"agora/internal/store/votes"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
	"agora/internal/test/testseed"
)

// voter is one user who votes as fast as possible, one vote after the other.
type voter struct {
	x        *storetest.Site
	s        *store.Store
	by       *forum.Viewer
	rng      *rand.Rand
	topics   []forum.TopicID
	comments []forum.CommentID
	onTopic  map[forum.TopicID]forum.VoteDirection // the last vote that was acknowledged
	onRemark map[forum.CommentID]forum.VoteDirection
}

// vote casts one vote at random and checks the result against the previous vote.
func (r *voter) vote() {
	want := voteDirections[r.rng.IntN(len(voteDirections))]
	if n := r.rng.IntN(len(r.topics) + len(r.comments)); n >= len(r.topics) {
		id := r.comments[n-len(r.topics)]
		voted, err := r.s.Votes.VoteComment(r.x.Ctx, r.by, id, want)
		r.compare(voted, err, r.onRemark[id], want)
		r.onRemark[id] = want
		return
	}
	id := r.topics[r.rng.IntN(len(r.topics))]
	voted, err := r.s.Votes.VoteTopic(r.x.Ctx, r.by, id, want)
	r.compare(voted, err, r.onTopic[id], want)
	r.onTopic[id] = want
}

func (r *voter) compare(voted votes.Voted, err error, before, want forum.VoteDirection) {
	if before == "" {
		before = forum.VoteNone
	}
	if err != nil || voted.Changed != (before != want) {
		r.x.T.Errorf("vote %s of user %d after %s = changed %t, %v", want, r.by.ID, before, voted.Changed, err)
	}
}

// check compares the stored votes with those acknowledged.
func (r *voter) check() {
	for id, want := range r.onTopic {
		if got := voteOf(r.x, r.by, id); got != want {
			r.x.T.Errorf("vote of user %d on topic %d = %s; want %s, as acknowledged", r.by.ID, id, got, want)
		}
	}
	for id, want := range r.onRemark {
		read := r.x.Read(r.x.Ctx)
		get := read.Votes.VotesBy(r.by.ID, []votes.Subject{votes.SubjectOf(forum.VoteSummary{Comment: id},
			r.x.Engine.Now())})
		storetest.WantOK(r.x.T, "Exec", read.Exec())
		if got, err := get(); err != nil || got[0] != want {
			r.x.T.Errorf("vote of user %d on comment %d = %v, %v; want %s, as acknowledged", r.by.ID, id, got, err,
				want)
		}
	}
}

// changeTopics makes other changes to topics until the voters are done.
func changeTopics(x *storetest.Site, s *store.Store, mod *forum.Viewer, topics []forum.TopicID,
	sections []forum.CategoryID,
	done <-chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-done:
			return
		default:
		}
		why := forum.Grounds{Reason: forum.ReasonOther}
		id, to := topics[n%len(topics)], sections[n/len(topics)%len(sections)]
		var err error
		switch n % 5 {
		case 0:
			_, err = s.Posts.CreateComment(x.Ctx, mod, site.Remark(id, 0))
		case 1:
			err = s.Posts.UpdateTopic(x.Ctx, mod, id, posts.TopicChange{Category: &to, Why: why})
		case 2:
			err = s.Posts.RetagTopic(x.Ctx, mod, id, site.Tags("go"), site.Tags("redis"), why)
		case 3:
			err = s.Posts.RetagTopic(x.Ctx, mod, id, site.Tags("redis"), site.Tags("go"), why)
		case 4:
			x.Clock.Advance(500 * time.Millisecond)
			_, err = s.Engine.Sweep(x.Ctx)
		}
		if err != nil {
			x.T.Errorf("change %d: %v", n, err)
		}
	}
}

// Behaviour A32, row X11: many clients vote at random on few topics, articles and comments, in two
// processes, while topics are commented on, moved and tagged and sweepers run. The last acknowledged votes
// are stored, and everything else follows from them.
func TestRacingVotes(t *testing.T) {
	testlevel.Long(t)
	x := storetest.New(t)
	seed := testseed.First()
	t.Logf("seed %d", seed)
	mod, sections := x.Moderator("mod"), x.SomeCategories(2)
	users := append(x.Voters("u1", "u2", "u3", "u4", "u5", "u6", "u7"), mod)
	topics := []forum.TopicID{x.Topic(users[0], sections[0]), x.Topic(users[1], sections[1]),
		x.Post(site.Link(users[2], "go")),
		x.Post(site.Link(users[3]))}
	var comments []forum.CommentID
	for _, id := range topics[:2] {
		comments = append(comments, x.Comment(mod, id, 0))
		comments = append(comments, x.Comment(mod, id, comments[len(comments)-1]))
	}
	processes := []*store.Store{x.Store, x.Process(), x.Process()}
	calls := 300
	if x.Server.Real() {
		calls = 1000
	}
	var voting, others sync.WaitGroup
	voters := make([]*voter, len(users))
	for n, by := range users {
		voters[n] = &voter{x: x, s: processes[n%2], by: by, rng: rand.New(rand.NewPCG(seed, uint64(n))), topics: topics,
			comments: comments,
			onTopic:  map[forum.TopicID]forum.VoteDirection{}, onRemark: map[forum.CommentID]forum.VoteDirection{}}
		if n == 2 || n == 3 {
			voters[n].onTopic[topics[n]] = forum.VoteUp // the author's own
		}
		voting.Go(func() {
			for range calls {
				voters[n].vote()
			}
		})
	}
	done := make(chan struct{})
	others.Go(func() { changeTopics(x, processes[2], mod, topics, sections, done) })
	voting.Wait()
	close(done)
	others.Wait()
	for _, s := range processes {
		storetest.WantOK(t, "Settle", s.Flush(t.Context()))
	}
	x.Clock.Advance(time.Minute)
	x.WantClean()
	for _, r := range voters {
		r.check()
	}
}
