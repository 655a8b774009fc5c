package record

import (
	"fmt"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// Edge is what one user draws to somebody or something else and what lies in two slots.
// The user's side is the truth; the far side follows it (docs/architecture/social.md, "Edges").
type Edge struct {
	From forum.UserID
	Kind EdgeKind
	To   int64        // the user, category, tag or topic
	List forum.ListID // of members of lists
}

// EdgeKind is the first letter of what an edge leads to.
type EdgeKind string

// What edges lead to.
const (
	FollowUser     EdgeKind = "u"
	FollowCategory EdgeKind = "c"
	FollowTag      EdgeKind = "g"
	BlockUser      EdgeKind = "b"
	KeepTopic      EdgeKind = "k" // a bookmark
	ListUser       EdgeKind = "l" // of these, userlist.go writes the truth
)

// FollowEdge is the edge to what is followed.
func FollowEdge(from forum.UserID, t forum.Target) Edge {
	switch {
	case t.Category != 0:
		return Edge{From: from, Kind: FollowCategory, To: int64(t.Category)}
	case t.Tag != 0:
		return Edge{From: from, Kind: FollowTag, To: int64(t.Tag)}
	}
	return Edge{From: from, Kind: FollowUser, To: int64(t.User)}
}

// User is the far end of an edge that leads to a user.
func (e Edge) User() forum.UserID { return forum.UserID(e.To) }

// Topic is the far end of an edge that leads to a topic.
func (e Edge) Topic() forum.TopicID { return forum.TopicID(e.To) }

// Self reports whether the edge leads to its own user, which only lists may.
func (e Edge) Self() bool {
	return (e.Kind == FollowUser || e.Kind == BlockUser) && e.User() == e.From
}

// target is how the far end stands in names of tasks: its letter and its id.
func (e Edge) target() string { return string(e.Kind) + strconv.FormatInt(e.To, 10) }

// CursorNotify is the cursor of the task of an edge whose far end is to be told of it.
const CursorNotify = "tell"

// ParseEdge reads what follows the kind in the name of an edge's task: "from:target".
func ParseEdge(name string) (Edge, error) {
	from, rest, _ := strings.Cut(name, ":")
	id, err := forum.ParseID[forum.UserID](from)
	if err != nil || len(rest) < 2 {
		return Edge{}, fmt.Errorf("%q names no edge", name)
	}
	e := Edge{From: id, Kind: EdgeKind(rest[:1])}
	e.To, err = strconv.ParseInt(rest[1:], 10, 64)
	if err != nil || e.To < 1 || !strings.Contains("ucgbk", string(e.Kind)) || key.Itoa(e.From)+":"+e.target() != name {
		return Edge{}, fmt.Errorf("%q names no edge", name)
	}
	return e, nil
}

// Near is the user's side and the edge's member there.
func (e Edge) Near() (side, member string) {
	id := strconv.FormatInt(e.To, 10)
	switch e.Kind {
	case FollowCategory, FollowTag:
		return key.Subjects(e.From), string(e.Kind) + id
	case BlockUser:
		return key.Blocked(e.From), id
	case KeepTopic:
		return key.Bookmarks(e.From), id
	case ListUser:
		return key.ListMembers(e.List), id
	}
	return key.Following(e.From), id
}

// Far is the far side, the edge's member there, and what tells that the far end exists.
func (e Edge) Far() (side, member, end, sort string) {
	switch e.Kind {
	case FollowCategory:
		c := key.CategoryContainer(forum.CategoryID(e.To))
		return c.Followers(), key.Itoa(e.From), c.Closed(), "category"
	case FollowTag:
		return key.TagContainer(forum.TagID(e.To)).Followers(), key.Itoa(e.From), key.Tag(forum.TagID(e.To)), "tag"
	case BlockUser:
		return key.Blockers(e.User()), key.Itoa(e.From), key.User(e.User()), "blocked"
	case KeepTopic:
		return key.Bookmarkers(e.Topic()), key.Itoa(e.From), key.Topic(e.Topic()), "topic"
	case ListUser:
		return key.Listed(e.User()), key.Itoa(e.From) + ":" + key.Itoa(e.List), key.User(e.User()), "user"
	}
	return key.Followers(e.User()), key.Itoa(e.From), key.User(e.User()), "user"
}

// Source is the list of topics of what is followed.
func (e Edge) Source() string {
	switch e.Kind {
	case FollowCategory:
		return key.CategoryContainer(forum.CategoryID(e.To)).Order(key.OrderCreated)
	case FollowTag:
		return key.TagContainer(forum.TagID(e.To)).Order(key.OrderCreated)
	}
	return key.Profile(e.User())
}

// follows is what the edge follows.
func (e Edge) follows() forum.Target {
	switch e.Kind {
	case FollowCategory:
		return forum.Target{Category: forum.CategoryID(e.To)}
	case FollowTag:
		return forum.Target{Tag: forum.TagID(e.To)}
	}
	return forum.Target{User: e.User()}
}
