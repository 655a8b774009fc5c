package votes_test

import (
	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/storetest"
	"agora/internal/store/votes"
	"agora/internal/test/site"
)

// voteOf returns one user's vote on a topic, as readers see it.
func voteOf(x *storetest.Site, by *forum.Viewer, id forum.TopicID) forum.VoteDirection {
	x.T.Helper()
	r := x.Read(x.Ctx)
	of := votes.SubjectOf(x.OneTopic(id).Votes(x.Engine.Now()), x.Engine.Now())
	return site.Sent(x.T, r, r.Votes.VotesBy(by.ID, []votes.Subject{of}))[0]
}

// logOf returns the entry of a user's log for a topic.
func logOf(x *storetest.Site, by *forum.Viewer, id forum.TopicID) (at forum.Time, v forum.VoteDirection) {
	x.T.Helper()
	entry, err := x.Redis.ZScore(x.Ctx, key.VoteLog(by.ID), key.Itoa(id)).Result()
	if pipeline.IsNil(err) {
		return 0, ""
	}
	storetest.WantOK(x.T, "ZSCORE", err)
	return record.UnpackVote(entry)
}
