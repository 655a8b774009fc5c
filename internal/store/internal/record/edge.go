package record

import (
	"fmt"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// Edge is a relation from one user to another object, stored in two slots. The user's side is the truth;
// the reverse side follows it (docs/architecture/social.md, "Edges").
type Edge struct {
	From forum.UserID
	Kind EdgeKind
	To   int64        // the user, category, tag or topic
	List forum.ListID // only of ListUser
}

// EdgeKind is the letter for the kind of an edge.
type EdgeKind string

// The kinds of edges.
const (
	FollowUser     EdgeKind = "u"
	FollowCategory EdgeKind = "c"
	FollowTag      EdgeKind = "g"
	BlockUser      EdgeKind = "b"
	KeepTopic      EdgeKind = "k" // a bookmark
	WatchTopic     EdgeKind = "w"
	ListUser       EdgeKind = "l" // userlist.go writes its truth
)

// FollowEdge returns the edge for following a target.
func FollowEdge(from forum.UserID, t forum.Target) Edge {
	switch {
	case t.Category != 0:
		return Edge{From: from, Kind: FollowCategory, To: int64(t.Category)}
	case t.Tag != 0:
		return Edge{From: from, Kind: FollowTag, To: int64(t.Tag)}
	}
	return Edge{From: from, Kind: FollowUser, To: int64(t.User)}
}

// User returns the target of an edge to a user.
func (e Edge) User() forum.UserID { return forum.UserID(e.To) }

// OnTopic reports whether the edge is a bookmark or the watching of a topic, which affect no home.
func (e Edge) OnTopic() bool { return e.Kind == KeepTopic || e.Kind == WatchTopic }

// Topic returns the target of an edge to a topic.
func (e Edge) Topic() forum.TopicID { return forum.TopicID(e.To) }

// Self reports whether a follow or block leads to its own user, which is not allowed.
func (e Edge) Self() bool {
	return (e.Kind == FollowUser || e.Kind == BlockUser) && e.User() == e.From
}

// target returns the target as in names of tasks: its letter and its id.
func (e Edge) target() string { return string(e.Kind) + strconv.FormatInt(e.To, 10) }

// CursorNotify is the cursor of the task of an edge whose target must be notified.
const CursorNotify = "tell"

// ParseEdge parses the part after the kind in the name of an edge's task: "from:target".
func ParseEdge(name string) (Edge, error) {
	from, rest, _ := strings.Cut(name, ":")
	id, err := forum.ParseID[forum.UserID](from)
	if err != nil || len(rest) < 2 {
		return Edge{}, fmt.Errorf("invalid edge %q", name)
	}
	e := Edge{From: id, Kind: EdgeKind(rest[:1])}
	e.To, err = strconv.ParseInt(rest[1:], 10, 64)
	if err != nil || e.To < 1 || !strings.Contains("ucgbkw", string(e.Kind)) ||
		key.Itoa(e.From)+":"+e.target() != name {
		return Edge{}, fmt.Errorf("invalid edge %q", name)
	}
	return e, nil
}

// Own returns the key of the user's side and the edge's member there.
func (e Edge) Own() (side, member string) {
	id := strconv.FormatInt(e.To, 10)
	switch e.Kind {
	case FollowCategory, FollowTag:
		return key.Subjects(e.From), string(e.Kind) + id
	case BlockUser:
		return key.Blocked(e.From), id
	case KeepTopic:
		return key.Bookmarks(e.From), id
	case WatchTopic:
		return key.Watching(e.From), id
	case ListUser:
		return key.ListMembers(e.List), id
	}
	return key.Following(e.From), id
}

// ReverseSide is where an edge is stored at its target.
type ReverseSide struct {
	Key    string // of the sorted set
	Member string // the edge in it
	Target string // the key that shows whether the target exists
	Sort   string // of the target, as edge_reverse takes it
}

// Reverse returns the edge's reverse side.
func (e Edge) Reverse() ReverseSide {
	from := key.Itoa(e.From)
	switch e.Kind {
	case FollowCategory:
		c := key.CategoryContainer(forum.CategoryID(e.To))
		return ReverseSide{c.Followers(), from, c.Closed(), "category"}
	case FollowTag:
		tag := forum.TagID(e.To)
		return ReverseSide{key.TagContainer(tag).Followers(), from, key.Tag(tag), "tag"}
	case BlockUser:
		return ReverseSide{key.Blockers(e.User()), from, key.User(e.User()), "blocked"}
	case KeepTopic:
		return ReverseSide{key.Bookmarkers(e.Topic()), from, key.Topic(e.Topic()), "topic"}
	case WatchTopic:
		return ReverseSide{key.Watchers(e.Topic()), from, key.Topic(e.Topic()), "topic"}
	case ListUser:
		return ReverseSide{key.Listed(e.User()), from + ":" + key.Itoa(e.List), key.User(e.User()), "user"}
	}
	return ReverseSide{key.Followers(e.User()), from, key.User(e.User()), "user"}
}

// Source returns the key of the topic list of the followed target, by time of posting.
func (e Edge) Source() string {
	switch e.Kind {
	case FollowCategory:
		return key.CategoryContainer(forum.CategoryID(e.To)).Order(key.OrderCreated)
	case FollowTag:
		return key.TagContainer(forum.TagID(e.To)).Order(key.OrderCreated)
	}
	return key.Profile(e.User())
}

// IsFollow reports whether the edge follows a user, category or tag.
func (e Edge) IsFollow() bool {
	return e.Kind == FollowUser || e.Kind == FollowCategory || e.Kind == FollowTag
}

// follows returns the followed target.
func (e Edge) follows() forum.Target {
	switch e.Kind {
	case FollowCategory:
		return forum.Target{Category: forum.CategoryID(e.To)}
	case FollowTag:
		return forum.Target{Tag: forum.TagID(e.To)}
	}
	return forum.Target{User: e.User()}
}
