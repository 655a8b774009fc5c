package store_test

import (
	"maps"
	"slices"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/votes"
	"agora/internal/test/must"
	built "agora/internal/test/site"
)

// at moves the clock to an instant.
func (x *site) at(t forum.Time) { x.clock.Advance(time.Duration(t-x.Engine.Now()) * time.Millisecond) }

// label returns the id of a tag.
func label(name string) forum.TagID { return labels(name)[0].ID }

// voteOf returns one user's vote on a topic, as readers see it.
func (x *site) voteOf(by *forum.Viewer, id forum.TopicID) forum.VoteDirection {
	x.t.Helper()
	r := x.Read(x.ctx)
	of := votes.SubjectOf(x.oneTopic(id).Votes(x.Engine.Now()), x.Engine.Now())
	return built.Sent(x.t, r, r.Votes.VotesBy(by.ID, []votes.Subject{of}))[0]
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
	found := must.Do(x.rdb.ZRangeWithScores(x.ctx, c.Order(name), 0, -1).Result())(x.t)
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
		all[i] = x.User(n)
	}
	return all
}

// sortedIDs returns the keys of a map, sorted.
func sortedIDs[ID ~int64, V any](m map[ID]V) []ID { return slices.Sorted(maps.Keys(m)) }
