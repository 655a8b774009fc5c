package catalogue

import (
	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// Indexes of each sort.
var (
	frontIndex    = key.FrontContainer
	categoryIndex = key.CategoryContainer(category)
	tagIndex      = key.TagContainer(tag)
	dayIndex      = key.DayContainer(day)
	commentsIndex = key.UserCommentsContainer(id)
)

var indexKeys = []Kind{
	{Name: "front-index", Type: ZSet, Object: OfIndex,
		Keys: orders(frontIndex, "created", "active", "score", "hot", "down", "pinned", "gone")},
	{Name: "category-index", Type: ZSet, Object: OfIndex,
		Keys: orders(categoryIndex, "created", "active", "score", "hot", "down", "pinned", "gone")},
	{Name: "tag-index", Type: ZSet, Object: OfTag, Keys: orders(tagIndex, "created", "active", "score", "hot", "down")},
	{Name: "tag-removed", Type: ZSet, Object: OfTagBookkeeping, Life: bookLife, Keys: orders(tagIndex, "gone")},
	{Name: "day-index", Type: ZSet, Object: OfDay, Keys: orders(dayIndex, "replies", "gone")},
	{Name: "user-comments", Type: ZSet, Object: OfUser, Keys: orders(commentsIndex, "created", "gone")},
	{Name: "front-revisions", Type: Hash, Object: OfIndex, Keys: revisions(frontIndex)},
	{Name: "category-revisions", Type: Hash, Object: OfIndex, Keys: revisions(categoryIndex)},
	{Name: "tag-revisions", Type: Hash, Object: OfTagBookkeeping, Life: bookLife, Keys: revisions(tagIndex)},
	{Name: "day-revisions", Type: Hash, Object: OfDay, Keys: revisions(dayIndex)},
	{Name: "user-comments-revisions", Type: Hash, Object: OfUser, Keys: revisions(commentsIndex)},
	{Name: "index-events", Type: Stream, Object: OfIndexEvents, Life: forum.StreamLife, Export: LeftOut,
		Keys: []Pattern{
			{all(frontIndex.Events(), categoryIndex.Events(), tagIndex.Events(), dayIndex.Events()),
				"events: `k` (`A` added, `M` moved, `R` removed, `-` watching began), `m` (member), `o` (digits of " +
					"the orders in which it moved)",
				"about 256"},
		}},
	{Name: "category-followers", Type: ZSet, Object: OfIndex, Keys: followers(categoryIndex)},
	{Name: "tag-followers", Type: ZSet, Object: OfTag, Keys: followers(tagIndex)},
	{Name: "category-followers-ended", Type: ZSet, Object: OfContainerEnded, Life: key.EndedLife,
		Keys: ended(categoryIndex)},
	{Name: "tag-followers-ended", Type: ZSet, Object: OfContainerEnded, Life: key.EndedLife, Keys: ended(tagIndex)},
	{Name: "tag", Type: Hash, Object: OfTagBookkeeping, Life: bookLife, Keys: []Pattern{{key.Tag(tag),
		"`name`; `size`: number of topics, time of the newest; `n`: revision of these (Unix µs)",
		"`size` and `n`: 2 h after the last topic"}}},
	{Name: "category-closed", Type: String, Object: OfIndex, Keys: []Pattern{{categoryIndex.Closed(),
		"`1`: the category takes no more topics; `e<epoch>`: only by rules as of that epoch", ""}}},
	{Name: "names", Type: ZSet, Object: OfSite, Keys: []Pattern{
		{key.UserNames.Order(key.OrderName),
			"active users: folded login, line feed, id; score 0", ""},
		{key.Applicants.Order(key.OrderName),
			"APPLIED users: PENDING or REJECTED, space, time, line feed, id; score 0", ""},
		{all(key.TagNames.Order(key.OrderName), key.TagNames.Order(key.OrderCount),
			key.TagNames.Order(key.OrderNewest)),
			"tags of topics: folded name, line feed, id; by 0, −(number of topics), −(time of the newest)", ""},
		{all(key.UserNames.Removed(), key.Applicants.Removed(), key.TagNames.Removed()),
			"removed ids by time of removal",
			"each an hour, at most 100"},
	}},
	{Name: "names-revisions", Type: Hash, Object: OfSite, Keys: []Pattern{{
		all(key.UserNames.Revisions(), key.Applicants.Revisions(), key.TagNames.Revisions()),
		"id → revision (user: `rev`, tag: `n`) and member, if not removed",
		"an hour after removal"}}},
}

// orderDocs says what the sets of an index hold, by the ends of their keys.
var orderDocs = map[string]Pattern{
	"created": {Doc: "by time of posting"},
	"active":  {Doc: "by time of last activity"},
	"score":   {Doc: "by time of posting + 432,000 ms for each net vote"},
	"hot":     {Doc: "by `sign(net) × log10(max(|net|, 1)) + (created − 1134028003 s) / 45000 s`"},
	"down":    {Doc: "by down-votes, if any"},
	"pinned":  {Doc: "by time of pinning", Ends: "3"},
	"replies": {Doc: "by the day's live comments", Ends: "1 h after the end of the next day"},
	"gone": {Doc: "removed ids by time of removal",
		Ends: "each an hour, at most 100"},
}

func orders(index key.Container, ends ...string) []Pattern {
	var keys []Pattern
	for _, end := range ends {
		doc := orderDocs[end]
		keys = append(keys, Pattern{index.Order(end), doc.Doc, doc.Ends})
	}
	return keys
}

func revisions(index key.Container) []Pattern {
	return []Pattern{{index.Revisions(), "id → revision written last",
		"an hour after removal"}}
}

func followers(index key.Container) []Pattern {
	return []Pattern{{index.Followers(),
		"reverse side of `subjects`", ""}}
}

func ended(index key.Container) []Pattern {
	return []Pattern{{key.Ended(index.Followers()), "as `{pXX}:u:<id>:followers:ended`",
		"each an hour; 2 h after the last"}}
}

var snapshotKeys = []Kind{
	{Name: "snapshot", Type: String, Object: OfSnapshot, Life: keptLife, Export: LeftOut,
		Keys: []Pattern{{all(key.Snapshot(timeline, snapshot), key.Snapshot(roomTimeline, snapshot)),
			"first topics of a timeline, such as `front:0:top:desc:week`. `<number>`: its Unix minute; of a " +
				"live order, in units of 10 s. 8 bytes: time; then 20 per topic: id (4); votes for and " +
				"against (4 each), or of a live order the score (float64); time of posting (8); big-endian. " +
				"`<rooms>`: the rooms among the categories of a tab",
			"11 min; 1,000 topics"}}},
	{Name: "snapshot-lease", Type: String, Object: OfSite, Life: key.SnapshotLeaseLife, Export: LeftOut,
		Keys: []Pattern{{all(key.SnapshotLease(timeline, snapshot), key.SnapshotLease(roomTimeline, snapshot)),
			"`1`: a process is taking it",
			"15 s"}}},
}

var limitKeys = []Kind{
	{Name: "failures", Type: String, Object: OfSite, Life: failureLife, Export: LeftOut,
		Keys: []Pattern{{key.Failures("<hash>"),
			"when failed sign-ins with a name (`<hash>`: its pseudonym) are forgotten",
			"65 min after the last"}}},
	{Name: "attempts", Type: Hash, Object: OfSite, Life: failureLife, Export: LeftOut,
		Keys: []Pattern{{key.Attempts("<hash>", "<address>"),
			"from an address: `n` since `since`; `due`: when the next is allowed",
			"65 min after the last"}}},
	{Name: "rate", Type: List, Object: OfSite, Life: rateLife, Export: LeftOut, Keys: []Pattern{{
		key.Rate("<what>", "<hash>"),
		"times of allowed calls, latest first; `<what>`: `sign-in-address`, `sign-in-56`, `sign-in-48`, " +
			"`proof`, `report`; `<hash>`: pseudonym, or user id",
		"1 h after the window; as many as the limit"}}},
}

const (
	// rateLife is the lifetime of a list of calls: all rates are per SignInWindow.
	rateLife = forum.SignInWindow + forum.ExpiryGrace
	// failureLife is the lifetime of failed sign-ins with a name.
	failureLife = forum.FailureWindow + forum.ExpiryGrace
	// bookLife is how long the bookkeeping of a tag outlives its last topic.
	bookLife = forum.RemovalLife + forum.ExpiryGrace
	// keptLife is the lifetime of a snapshot, and of a ranking of comments.
	keptLife = forum.SnapshotLife + forum.SnapshotEvery
)
