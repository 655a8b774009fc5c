package store

import (
	"maps"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/store/votes"
	"agora/internal/test/redistest"
	texts "agora/internal/text"
)

// newSiteIn opens a store on an empty database whose days begin in a zone.
func newSiteIn(t testing.TB, zone string) *site {
	t.Helper()
	server := redistest.Start(t)
	x := &site{t: t, ctx: t.Context(), server: server, rdb: server.Client(t), clock: redistest.NewClock()}
	s, err := Open(x.ctx, Over(server.Client(t)), Layout{TimeZone: zone}, WithClock(x.clock.Now))
	wantOK(t, "Open", err)
	t.Cleanup(s.Close)
	x.Store = s
	return x
}

// at moves the clock to an instant.
func (x *site) at(t forum.Time) { x.clock.Advance(time.Duration(t-x.Now()) * time.Millisecond) }

// labels returns tags with these names.
func labels(names ...string) forum.TopicTags {
	tags, err := texts.Tags(nil, names)
	if err != nil {
		panic(err)
	}
	return tags
}

// label returns the id of a tag.
func label(name string) forum.TagID { return labels(name)[0].ID }

// link returns an article to post.
func link(by *forum.Viewer, tags ...string) posts.NewTopic {
	return posts.NewTopic{Author: by.ID, Kind: forum.Article, Title: "a link", Link: "https://example.org/",
		Format: forum.Markdown, Tags: labels(tags...)}
}

// post posts a topic.
func (x *site) post(in posts.NewTopic) forum.TopicID {
	x.t.Helper()
	id, err := x.CreateTopic(x.ctx, in)
	wantOK(x.t, "CreateTopic", err)
	return id
}

// cast votes on a topic.
func (x *site) cast(by *forum.Viewer, id forum.TopicID, v forum.VoteDirection) votes.Voted {
	x.t.Helper()
	voted, err := x.VoteTopic(x.ctx, by, id, v)
	wantOK(x.t, "VoteTopic", err)
	return voted
}

// give adds and removes tags of a topic.
func (x *site) give(by *forum.Viewer, id forum.TopicID, add, remove forum.TopicTags) {
	x.t.Helper()
	wantOK(x.t, "RetagTopic", x.RetagTopic(x.ctx, by, id, add, remove, forum.Grounds{Reason: forum.ReasonOther}))
}

// voteOf returns one user's vote on a topic, as readers see it.
func (x *site) voteOf(by *forum.Viewer, id forum.TopicID) forum.VoteDirection {
	x.t.Helper()
	r := x.Read(x.ctx)
	get := r.VotesBy(by.ID, []votes.Subject{votes.SubjectOf(x.oneTopic(id).Votes(x.Now()), x.Now())})
	wantOK(x.t, "Exec", r.Exec())
	votes, err := get()
	wantOK(x.t, "VotesBy", err)
	return votes[0]
}

// logOf returns the entry of a user's log for a topic.
func (x *site) logOf(by *forum.Viewer, id forum.TopicID) (at forum.Time, v forum.VoteDirection) {
	x.t.Helper()
	entry, err := x.rdb.ZScore(x.ctx, key.VoteLog(by.ID), key.Itoa(id)).Result()
	if pipeline.IsNil(err) {
		return 0, ""
	}
	wantOK(x.t, "ZSCORE", err)
	return record.UnpackVote(entry)
}

// order returns a container's entries in one order: scores by topic.
func (x *site) order(c key.Container, name string) map[forum.TopicID]float64 {
	x.t.Helper()
	found, err := x.rdb.ZRangeWithScores(x.ctx, c.Order(name), 0, -1).Result()
	wantOK(x.t, "ZRANGE", err)
	scores := make(map[forum.TopicID]float64, len(found))
	for _, z := range found {
		id, _, err := record.ParseMember(z.Member.(string))
		wantOK(x.t, "member of "+c.Order(name), err)
		scores[forum.TopicID(id)] = z.Score
	}
	return scores
}

// voters registers users in several partitions.
func (x *site) voters(names ...string) []*forum.Viewer {
	x.t.Helper()
	all := make([]*forum.Viewer, len(names))
	for i, n := range names {
		all[i] = x.user(n)
	}
	return all
}

// sortedIDs returns the keys of a map, sorted.
func sortedIDs[ID ~int64, V any](m map[ID]V) []ID { return slices.Sorted(maps.Keys(m)) }
