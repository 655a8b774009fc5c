package storetest

import (
	flags "flag"
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// Voting is the data for votes: a discussion with comments, and an article of bob's that ann has voted
// on, both with tags.
type Voting struct {
	*Thread
	Article forum.TopicID
}

// NewVoting creates a Voting.
func NewVoting(t testing.TB) *Voting {
	t.Helper()
	e := &Voting{Thread: NewThread(t)}
	e.Article = e.Post(site.Link(e.Bob, "go", "redis"))
	e.Give(e.Ann, e.TopicID, site.Tags("go"), nil)
	e.Cast(e.Ann, e.Article, forum.VoteUp)
	e.Cast(e.Bob, e.TopicID, forum.VoteDown)
	e.Settle()
	return e
}

// Click records clicks of a visitor, and returns what topics have then.
func (x *Site) Click(by *forum.Viewer, visitor string, topics ...forum.TopicID) []int {
	x.T.Helper()
	return must.Do(x.Votes.RecordClicks(x.Ctx, by, visitor, topics))(x.T)
}

// Share scales a numeric flag to n/of of its value, for one test.
func Share(t *testing.T, name string, n, of int) {
	t.Helper()
	f := flags.Lookup(name).Value
	was := f.String()
	number := must.Do(strconv.Atoi(was))(t)
	WantOK(t, name, f.Set(strconv.Itoa(number*n/of)))
	t.Cleanup(func() { f.Set(was) })
}

// Pick draws one of the values of a map, nil if it is empty.
func Pick[ID ~int64, V any](rt *rapid.T, m map[ID]*V, name string) *V {
	if len(m) == 0 {
		return nil
	}
	return m[rapid.SampledFrom(SortedIDs(m)).Draw(rt, name)]
}

// At moves the clock to an instant.
func (x *Site) At(t forum.Time) { x.Clock.Advance(time.Duration(t-x.Engine.Now()) * time.Millisecond) }

// Label returns the id of a tag.
func Label(name string) forum.TagID { return site.Tags(name)[0].ID }

// Order returns a container's entries in one order: scores by topic.
func (x *Site) Order(c key.Container, name string) map[forum.TopicID]float64 {
	x.T.Helper()
	found := must.Do(x.Redis.ZRangeWithScores(x.Ctx, c.Order(name), 0, -1).Result())(x.T)
	scores := make(map[forum.TopicID]float64, len(found))
	for _, z := range found {
		id, _, err := record.ParseMember(z.Member.(string))
		WantOK(x.T, "member of "+c.Order(name), err)
		scores[forum.TopicID(id)] = z.Score
	}
	return scores
}

// Voters registers users in several partitions.
func (x *Site) Voters(names ...string) []*forum.Viewer {
	x.T.Helper()
	all := make([]*forum.Viewer, len(names))
	for i, n := range names {
		all[i] = x.User(n)
	}
	return all
}

// SortedIDs returns the keys of a map, sorted.
func SortedIDs[ID ~int64, V any](m map[ID]V) []ID { return slices.Sorted(maps.Keys(m)) }
