package record

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/script"
)

// TopicState is the state of a topic that the indexes need, as scripts return it.
type TopicState struct {
	ID         forum.TopicID
	Rev        int64
	Listed     bool // its state lets lists and counts have it
	Public     bool // those of the whole site have it, not only those of its category
	Audience   forum.Audience
	Deleted    bool
	Created    forum.Time
	Active     forum.Time
	Category   forum.CategoryID
	Former     []forum.CategoryID // categories whose indexes may still hold the topic
	Author     forum.UserID
	Up, Down   int
	Tags       forum.TopicTags
	FormerTags []forum.TagID // tags whose indexes may still hold the topic
	HasFormer  bool          // it has a record of any that it left, perhaps only of ones that it has again
	// Day is the latest day with comments; DayComments and DayBefore count those of that day and the day
	// before, -1 if there never were any.
	Day                    forum.Day
	DayComments, DayBefore int
	// PinnedFront and PinnedCategory are when it was pinned there; 0 if it is not.
	PinnedFront, PinnedCategory forum.Time
	// Changed are the places of the orders whose scores the revision may have changed; "" if that is not known. It is
	// not stored.
	Changed string
	// Fresh is whether the indexes had the revision before, so that only what Changed says, and the count of the day,
	// may differ. It is not stored.
	Fresh bool
	// Fan is the revision at which the topic last began to belong to other homes, "" if these were written
	// since.
	Fan string
	// Epoch is that of the rules of its category that say what its audience is.
	Epoch int64
}

// GetTopicState queues the read of the state of a topic. One that does not exist has rev 0.
func GetTopicState(ctx context.Context, c redis.HashCmdable, id forum.TopicID) func() TopicState {
	read := Get(ctx, c, key.Topic(id), script.TopicStateFields...)
	return func() TopicState {
		return NewTopicState(id, script.ReadTopicState(Values(read(), script.TopicStateFields)))
	}
}

// NewTopicState returns the state of a topic with these fields.
func NewTopicState(id forum.TopicID, of script.TopicState) TopicState {
	count := func(text string) int {
		if text == "" {
			return -1
		}
		return int(Atoi(text))
	}
	t := TopicState{
		ID:          id,
		Rev:         of.Rev,
		Listed:      forum.TopicState(of.State).Listed(),
		Public:      IsPublic(Fields{"state": of.State, "audience": of.Audience}),
		Audience:    forum.Audience(of.Audience),
		Epoch:       Atoi(of.Epoch),
		Deleted:     of.State == string(forum.TopicDeleted),
		Created:     of.Created,
		Active:      of.Active,
		Category:    of.Category,
		Author:      of.Author,
		Up:          int(of.Up),
		Down:        int(of.Down),
		Tags:        catalogue.DecodeTags(of.Tags),
		Day:         of.Day,
		DayComments: count(of.DayComments),
		DayBefore:   count(of.DayBefore),
		Fan:         of.Fan,
		PinnedFront: forum.Time(Atoi(of.PinFront)), PinnedCategory: forum.Time(Atoi(of.PinCategory)),
		HasFormer: of.Left+of.LeftTags != "",
	}
	for _, old := range ParseIDs[forum.CategoryID](of.Left) {
		if old != t.Category {
			t.Former = append(t.Former, old)
		}
	}
	for _, old := range ParseIDs[forum.TagID](of.LeftTags) {
		if !slices.Contains(t.Tags.IDs(), old) {
			t.FormerTags = append(t.FormerTags, old)
		}
	}
	return t
}

// IsPublic reports whether the lists and counts of the whole site have the topic with these fields, which are those of
// its hash.
func IsPublic(f Fields) bool {
	return forum.TopicState(f["state"]).Listed() && forum.Audience(f["audience"]) == forum.Public
}

// CommentsOn returns the number of the topic's comments on a day; 0 for all but the two latest.
func (t TopicState) CommentsOn(d forum.Day) int {
	switch {
	case t.Day != 0 && d == t.Day:
		return max(t.DayComments, 0)
	case t.Day != 0 && d == t.Day-1:
		return max(t.DayBefore, 0)
	}
	return 0
}

// LiveOrders are the stored orders of a container by their names in the API.
var LiveOrders = map[forum.TopicOrderField]string{
	forum.ByCreated: key.OrderCreated, forum.ByActive: key.OrderActive, forum.ByScore: key.OrderScore,
	forum.ByHot:          key.OrderHot,
	forum.ByRepliesToday: key.OrderReplies,
}

// places names orders of topics by their positions in key.TopicOrders, each a digit.
func places(orders ...string) string {
	var digits strings.Builder
	for _, order := range orders {
		digits.WriteString(strconv.Itoa(slices.Index(key.TopicOrders, order)))
	}
	return digits.String()
}

// The orders that comments and votes change, in the form of TopicState.Changed.
var (
	ChangedByComment = places(key.OrderActive)
	ChangedByVote    = places(key.OrderScore, key.OrderHot, key.OrderDown)
)

// Scores returns the topic's scores in key.TopicOrders of an index, formatted for Redis.
func (t TopicState) Scores(of key.Container) []string {
	scores := make([]string, 0, len(key.TopicOrders))
	for _, score := range []float64{float64(t.Created), float64(t.Active), forum.Score(t.Created, t.Up-t.Down),
		forum.Hot(t.Created, t.Up-t.Down)} {
		scores = append(scores, FormatScore(score))
	}
	return append(scores, orNone(int64(t.Down)), orNone(int64(t.pinnedIn(of))))
}

// pinnedIn returns when the topic was pinned in an index; 0 if it is not.
func (t TopicState) pinnedIn(c key.Container) forum.Time {
	switch {
	case c == key.FrontContainer:
		return t.PinnedFront
	case c.Category() != 0 && c.Category() == t.Category:
		return t.PinnedCategory
	}
	return 0
}

// orNone formats a score; "" for 0, which the order does not hold.
func orNone(score int64) string {
	if score == 0 {
		return ""
	}
	return strconv.FormatInt(score, 10)
}

// Member returns the topic's member in indexes.
func (t TopicState) Member() string { return Member(t.Created, int64(t.ID)) }

// Audiences returns the followers of the topic's current sources.
func (t TopicState) Audiences() []Audience {
	var all []Audience
	if t.Author != 0 {
		all = append(all, Audience{Target: forum.Target{User: t.Author}})
	}
	if t.Category != 0 {
		all = append(all, Audience{Target: forum.Target{Category: t.Category}})
	}
	for _, tag := range t.Tags {
		all = append(all, Audience{Target: forum.Target{Tag: tag.ID}})
	}
	return all
}

// FormerAudiences returns the followers of the sources that the topic has left.
func (t TopicState) FormerAudiences() []Audience {
	var all []Audience
	for _, id := range t.Former {
		all = append(all, Audience{Target: forum.Target{Category: id}})
	}
	for _, id := range t.FormerTags {
		all = append(all, Audience{Target: forum.Target{Tag: id}})
	}
	return all
}

// Fence returns what homes refuse once they have this state of the topic, "" for nothing: a topic that was
// just posted has no older state.
func (t TopicState) Fence() string {
	switch {
	case t.Fan == "1":
		return ""
	case t.Deleted:
		return "d"
	}
	// What is hidden may be restored, so homes refuse what was before, not what comes.
	// Not the revision of this state: votes and comments change nothing for homes, and must not make them
	// refuse processes that write the topic there.
	return t.Fan
}
