package key

import (
	"strconv"
	"strings"
	"time"

	"agora/internal/forum"
)

// Container is the prefix of the keys of one index: all orders of one list, with the guard's bookkeeping, in one slot.
type Container string

// FrontContainer indexes all topics of the site.
const FrontContainer Container = "{ix:front}"

// CategoryContainer indexes the topics of one category.
func CategoryContainer(id forum.CategoryID) Container { return Container("{ix:c" + Itoa(id) + "}") }

// TagContainer indexes the topics that have a tag.
func TagContainer(id forum.TagID) Container { return Container("{ix:g" + Itoa(id) + "}") }

// DayContainer indexes the topics that were commented on during a day. Its keys expire ExpiryGrace after
// the end of the next day.
func DayContainer(d forum.Day) Container { return Container("{ix:d" + d.String() + "}") }

// Tag is a HASH: the name and the size of a tag.
func Tag(id forum.TagID) string { return string(TagContainer(id)) + ":tag" }

// TagOf returns the tag with a key; 0 if it is the key of something else.
func TagOf(key string) forum.TagID {
	c, ok := strings.CutSuffix(key, ":tag")
	if !ok {
		return 0
	}
	return Container(c).Tag()
}

// Snapshot is a STRING: a snapshot of a timeline, as packed by record.PackSnapshot.
func Snapshot(t forum.Timeline, n int64) string {
	k := "snap:{" + t.Name() + "}:" + strconv.FormatInt(n, 10)
	if t.Rooms != "" {
		k += ":" + t.Rooms
	}
	return k
}

// SnapshotLeaseLife is how long a process may take to take a snapshot before another tries.
const SnapshotLeaseLife = 15 * time.Second

// SnapshotLease is a STRING that exists while a process takes a snapshot.
func SnapshotLease(t forum.Timeline, n int64) string { return Snapshot(t, n) + ":lease" }

// UserCommentsContainer indexes the live comments of one user, in the user's slot.
func UserCommentsContainer(id forum.UserID) Container { return Container(User(id) + ":comments") }

// Order is a ZSET: members by score in one order. No expiry.
func (c Container) Order(name string) string { return string(c) + ":" + name }

// Revisions is a HASH: id -> revision of the entry that was last written.
func (c Container) Revisions() string { return string(c) + ":rev" }

// Removed is a ZSET: ids removed from the list.
func (c Container) Removed() string { return string(c) + ":gone" }

// Events is a STREAM: the container's events, as in Events. Expires StreamLife after the last watcher.
func (c Container) Events() string { return Events(string(c)) }

// Followers is a ZSET: users who follow the category or tag.
func (c Container) Followers() string { return string(c) + ":followers" }

// Closed is a STRING that exists while the category is being deleted and afterwards.
func (c Container) Closed() string { return string(c) + ":closed" }

// Orders of containers. All but the last hold every entry.
const (
	OrderCreated = "created"
	OrderActive  = "active"
	OrderScore   = "score"
	OrderHot     = "hot"
	// OrderReplies is the only order of a day: by comments of that day.
	OrderReplies = "replies"
	// OrderDown is by votes against, of those topics that have any. With the orders created and score it
	// determines all vote counts.
	OrderDown = "down"
	// OrderPinned is by time of pinning (Unix ms), of the topics that are pinned there; only of the front and of
	// categories.
	OrderPinned = "pinned"
)

// OfComments reports whether the container indexes comments, not topics.
func (c Container) OfComments() bool { return strings.HasPrefix(string(c), "{p") }

// Category returns the category that the container indexes; 0 for other containers.
func (c Container) Category() forum.CategoryID {
	number, ok := strings.CutPrefix(string(c), "{ix:c")
	if !ok {
		return 0
	}
	id, _ := forum.ParseID[forum.CategoryID](strings.TrimSuffix(number, "}"))
	return id
}

// Tag returns the tag that the container indexes; 0 for other containers.
func (c Container) Tag() forum.TagID {
	number, ok := strings.CutPrefix(string(c), "{ix:g")
	if !ok {
		return 0
	}
	id, _ := strconv.ParseInt(strings.TrimSuffix(number, "}"), 10, 64)
	return forum.TagID(id)
}

// OrderNames returns the orders of the container.
func (c Container) OrderNames() []string {
	if c.OfComments() {
		return CommentOrders
	}
	if _, ok := c.Day(); ok {
		return DayOrders
	}
	return TopicOrders
}

// Day returns the day that the container ranks, if it is one of a day.
func (c Container) Day() (forum.Day, bool) {
	date, ok := strings.CutPrefix(string(c), "{ix:d")
	if !ok {
		return 0, false
	}
	return forum.ParseDay(strings.TrimSuffix(date, "}"))
}

// Orders of the three kinds of containers.
var (
	TopicOrders   = []string{OrderCreated, OrderActive, OrderScore, OrderHot, OrderDown, OrderPinned}
	DayOrders     = []string{OrderReplies}
	CommentOrders = []string{OrderCreated}
)
