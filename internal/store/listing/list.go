package listing

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/paging"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// List is a sorted list that can be paged. It is a value: two lists with the same fields are equal.
type List struct {
	// Name is what cursors are bound to.
	Name   string
	Key    string
	Newest bool
	// Packed is whether members are made by record.Member; otherwise they are plain ids.
	Packed bool
	// of is the topic or comment whose comments are listed; ranked is their order by votes, "" for other orders.
	of     forum.Subject
	ranked forum.CommentOrder
	// thread is the topic whose comments are listed as a tree, down to the depth deepest; 0 for other lists.
	thread  forum.TopicID
	deepest int
	// named is whether members are made by record.NameMember. prefix is that of their names, which are in the order
	// names, if it is not key; both may be "".
	named         bool
	prefix, names string
	// Cases is whether members are made by record.CaseMember.
	Cases bool
	// Categories is whether its entries are categories, Notes whose notifications they are, 0 for neither: a viewer may
	// not see some of them.
	Categories bool
	Notes      forum.UserID
	// Hidden is the key of the bookmarks that are not counted, of bookmarks.
	Hidden string
}

// Desc reports whether the list is ordered from the highest score down.
func (l List) Desc() bool { return l.Newest }

func indexList(name string, c key.Container, order string, desc bool) List {
	return List{Name: name, Key: c.Order(order), Newest: desc, Packed: true}
}

// TimelineLists returns the lists whose merge is the timeline: one, or those of the tab's categories. For a snapshot
// they are the lists that it is chosen from, by time of posting.
func TimelineLists(t forum.Timeline, tab []forum.CategoryID) []List {
	order, desc := record.LiveOrders[t.Order], t.Direction == forum.Descending
	if order == "" {
		order, desc = key.OrderCreated, true
	}
	if t.Kind == forum.BookmarksTimeline {
		owner := forum.UserID(t.Owner)
		return []List{{Name: t.Name(), Key: key.Bookmarks(owner), Newest: true, Hidden: key.HiddenBookmarks(owner)}}
	}
	if t.Kind == forum.ProfileTimeline {
		return ProfileLists(t, []forum.UserID{forum.UserID(t.Owner)})
	}
	var lists []List
	for _, c := range TimelineContainers(t, tab) {
		lists = append(lists, indexList(t.Name(), c, order, desc))
	}
	return lists
}

// ProfileLists returns the lists whose merge is a timeline of users' topics.
func ProfileLists(t forum.Timeline, users []forum.UserID) []List {
	lists := make([]List, len(users))
	for i, id := range users {
		lists[i] = List{Name: t.Name(), Key: key.Profile(id), Newest: t.Direction == forum.Descending, Packed: true}
	}
	return lists
}

// TimelineContainers returns the indexes that hold the topics of a timeline.
func TimelineContainers(t forum.Timeline, tab []forum.CategoryID) []key.Container {
	switch t.Kind {
	case forum.CategoryTimeline:
		return []key.Container{key.CategoryContainer(forum.CategoryID(t.Owner))}
	case forum.TagTimeline:
		return []key.Container{key.TagContainer(forum.TagID(t.Owner))}
	case forum.DayRankTimeline:
		return []key.Container{key.DayContainer(forum.Day(t.Owner))}
	case forum.TabTimeline:
		all := make([]key.Container, len(tab))
		for i, id := range tab {
			all[i] = key.CategoryContainer(id)
		}
		return all
	default:
		return []key.Container{key.FrontContainer}
	}
}

// CategoryTopics is the list of a category's topics; its length is their number.
func CategoryTopics(id forum.CategoryID) List {
	return indexList("category:"+key.Itoa(id), key.CategoryContainer(id), key.OrderCreated, true)
}

// TagTopics is the list of a tag's topics; its length is their number.
func TagTopics(id forum.TagID) List {
	return indexList("tag:"+key.Itoa(id), key.TagContainer(id), key.OrderCreated, true)
}

// Voters is the list of the users who voted one way on a topic, by id.
func Voters(id forum.TopicID, v forum.VoteDirection) List {
	k := key.Upvoters(key.Topic(id))
	if v == forum.VoteDown {
		k = key.Downvoters(key.Topic(id))
	}
	return List{Name: k, Key: k}
}

// TopicComments is the list of a topic's comments, or of its top-level ones.
func TopicComments(id forum.TopicID, topLevelOnly bool, order forum.CommentOrder) List {
	if topLevelOnly {
		return commentList(key.TopicReplies(id), forum.Subject{Topic: id}, order)
	}
	return commentList(key.TopicComments(id), forum.Subject{Topic: id}, order)
}

// CommentReplies is the list of the replies to a comment.
func CommentReplies(id forum.CommentID, order forum.CommentOrder) List {
	return commentList(key.CommentReplies(id), forum.Subject{Comment: id}, order)
}

func commentList(k string, of forum.Subject, order forum.CommentOrder) List {
	l := List{Name: k + string(order), Key: k, Newest: order == forum.Newest, of: of}
	if order.Ranked() {
		l.ranked = order
	}
	return l
}

// Thread is the list of a topic's comments as a tree, down to a depth.
func Thread(id forum.TopicID, order forum.CommentOrder, deepest int) List {
	l := TopicComments(id, false, order)
	l.Name += ":tree" + strconv.Itoa(deepest)
	l.thread, l.deepest = id, deepest
	return l
}

// UserComments is the list of a user's live comments, newest first.
func UserComments(id forum.UserID) List {
	c := key.UserCommentsContainer(id)
	return indexList(string(c), c, key.OrderCreated, true)
}

// AllCategories is the list of all categories, by position, then oldest first.
func AllCategories() List { return List{Name: key.Categories, Key: key.Categories, Categories: true} }

// AllTabs is the list of all tabs, by position, then oldest first.
func AllTabs() List { return List{Name: key.Tabs, Key: key.Tabs} }

// TabCategories is the list of a tab's categories, by position, then oldest first.
func TabCategories(id forum.TabID) List {
	key := key.TabCategories(id)
	return List{Name: key, Key: key, Categories: true}
}

// CategoryTabs is the list of the tabs that show a category, by position, then oldest first.
func CategoryTabs(id forum.CategoryID) List {
	return List{Name: key.CategoryTabs(id), Key: key.CategoryTabs(id)}
}

// Page reads one page of a list.
func (r Read) Page(l List, w forum.Window) func() (forum.Page, error) {
	if l.Hidden == "" || w.Uncounted {
		return r.kept(l, w, r.wholePage(l, w))
	}
	get, hidden := r.wholePage(l, w), r.read.Batch.ZCount(r.read.Ctx, l.Hidden, "1", "+inf")
	return func() (forum.Page, error) {
		page, err := get()
		page.Hidden = int(hidden.Val())
		return page, err
	}
}

// wholePage is Page without regard to hidden bookmarks.
func (r Read) wholePage(l List, w forum.Window) func() (forum.Page, error) {
	if l.prefix != "" {
		return r.prefixPage(l, w)
	}
	if get := r.commentsPage(l, w); get != nil {
		return get
	}
	if w.Bounded() {
		return r.boundedPage(l, w)
	}
	var total *redis.IntCmd
	uncounted := w.Uncounted && !w.Backward // from the end, positions follow only from the length
	if !uncounted {
		total = r.read.Batch.ZCard(r.read.Ctx, l.Key)
	}
	rows := r.RangeOf(l, w)
	return func() (forum.Page, error) {
		if r.read.Err != nil {
			return forum.Page{}, r.read.Err
		}
		all, err := rows()
		if err != nil {
			return forum.Page{}, err
		}
		if w.Backward {
			n := int(total.Val())
			return paging.Cut(all, n-len(all), max(n-w.Count, min(w.Skip, n)), n, w.Preceding), nil
		}
		first := w.Skip
		if w.Preceding && first > 0 {
			first--
		}
		if uncounted {
			return paging.Cut(all, first, w.Skip, first+len(all), w.Preceding), nil
		}
		n := int(total.Val())
		return paging.Cut(all, first, min(w.Skip, n), n, w.Preceding), nil
	}
}

// RangeOf reads the rows of a window by position, and the row before if the window wants it.
func (r Read) RangeOf(l List, w forum.Window) func() ([]forum.Row, error) {
	start, stop := int64(w.Skip), int64(w.Skip+w.Count-1)
	if w.Backward {
		start, stop = int64(-w.Count), -1
	}
	if w.Preceding && start != 0 {
		start--
	}
	switch {
	case w.Bare:
		name := "zrange"
		if l.Newest {
			name = "zrevrange"
		}
		cmd := redis.NewStringSliceCmd(r.read.Ctx, name, l.Key, start, stop)
		r.read.Batch.Process(r.read.Ctx, cmd)
		return l.bareRows(cmd)
	case l.Newest:
		return l.scoredRows(r.read.Batch.ZRevRangeWithScores(r.read.Ctx, l.Key, start, stop))
	}
	return l.scoredRows(r.read.Batch.ZRangeWithScores(r.read.Ctx, l.Key, start, stop))
}

func (l List) scoredRows(cmd *redis.ZSliceCmd) func() ([]forum.Row, error) {
	return func() ([]forum.Row, error) {
		rows := make([]forum.Row, len(cmd.Val()))
		for i, z := range cmd.Val() {
			var err error
			if rows[i], err = l.row(z.Member.(string), z.Score); err != nil {
				return nil, err
			}
		}
		return rows, nil
	}
}

func (l List) bareRows(cmd *redis.StringSliceCmd) func() ([]forum.Row, error) {
	return func() ([]forum.Row, error) {
		rows := make([]forum.Row, len(cmd.Val()))
		for i, m := range cmd.Val() {
			row, err := l.row(m, 0)
			if err != nil {
				return nil, err
			}
			rows[i].ID = row.ID
		}
		return rows, nil
	}
}

func (r Read) boundedPage(l List, w forum.Window) func() (forum.Page, error) {
	afterScore, afterMember := paging.Bound(w.After)
	beforeScore, beforeMember := paging.Bound(w.Before)
	call := script.ListPage{
		List: l.Key, Descending: l.Newest, AfterScore: afterScore, AfterMember: afterMember,
		BeforeScore: beforeScore, BeforeMember: beforeMember, Most: int64(w.Count),
		Backward: w.Backward, WithPreceding: w.Preceding,
	}
	cmd := r.read.Batch.Run(r.read.Ctx, call)
	return func() (forum.Page, error) {
		if r.read.Err != nil {
			return forum.Page{}, r.read.Err
		}
		page, err := call.Result(cmd.Result())
		if err != nil {
			return forum.Page{}, fmt.Errorf("page of %s: %w", l.Key, err)
		}
		return l.page(page.Rows, page.First, page.Preceding, page.Total, w)
	}
}

func (l List) row(m string, score float64) (forum.Row, error) {
	row := forum.Row{Position: forum.Position{Score: score, Member: m}}
	var err error
	if l.Packed {
		row.ID, row.CreatedAt, err = record.ParseMember(m)
	} else if l.Cases {
		row.ID, err = record.ParseCaseMember(m)
	} else if l.named {
		_, row.ID, err = record.ParseNameMember(m)
	} else {
		row.ID, err = strconv.ParseInt(m, 10, 64)
	}
	if err != nil {
		return forum.Row{}, fmt.Errorf("entry of %s: %w", l.Key, err)
	}
	return row, nil
}

// Merge reads one page of several lists as if they were one.
type Merge = paging.Merge[List]

// ListRead is one page of one list that a Merge needs.
type ListRead = paging.ListRead[List]

// NewMerge prepares the page window of the merge of the lists, which must all have the same direction.
func NewMerge(lists []List, window forum.Window) *Merge {
	var precedes func(a, b forum.Row) bool
	if len(lists) > 0 {
		precedes = lists[0].Precedes
	}
	return paging.NewMerge(lists, window, precedes)
}

// Member returns the member of a topic in the list.
func (l List) Member(t forum.Row) string {
	if l.Packed {
		return record.Member(t.CreatedAt, t.ID)
	}
	return strconv.FormatInt(t.ID, 10)
}

// Precedes reports whether one row comes before another in the list.
func (l List) Precedes(a, b forum.Row) bool {
	if l.Newest {
		a, b = b, a
	}
	return a.Score < b.Score || a.Score == b.Score && a.Member < b.Member
}

// CreatedPosition returns the position of a topic in every list by time of posting.
func CreatedPosition(t forum.Row) forum.Position {
	return forum.Position{Score: float64(t.CreatedAt), Member: record.Member(t.CreatedAt, t.ID)}
}

// Position reads the position of a member in a list; nil if it is not there.
func (r Read) Position(l List, m string) func() (*forum.Position, error) {
	cmd := r.read.Batch.ZScore(r.read.Ctx, l.Key, m)
	return func() (*forum.Position, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		if cmd.Err() != nil {
			return nil, nil
		}
		return &forum.Position{Score: cmd.Val(), Member: m}, nil
	}
}

// LatestFirst is the list that a key holds, latest first.
func LatestFirst(key string) List { return List{Name: key, Key: key, Newest: true} }

// ListedUsers reads the users on a list whose posts its owner sees there; none if the viewer is not the
// owner.
func (r Read) ListedUsers(viewer forum.UserID, id forum.ListID) func() ([]forum.UserID, error) {
	if OwnPartition(viewer, id) != nil {
		return func() ([]forum.UserID, error) { return nil, nil }
	}
	cmd := r.read.Batch.Run(r.read.Ctx, script.ListSources{
		List: key.List(id), Members: key.ListMembers(id), Blocked: key.Blocked(viewer),
		Blockers: key.Blockers(viewer), Viewer: viewer,
	})
	return func() ([]forum.UserID, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		users, err := cmd.StringSlice()
		return record.ParseIDs[forum.UserID](strings.Join(users, " ")), err
	}
}

// OwnPartition returns NOT_FOUND for a list that cannot be the user's: scripts accept keys of one slot
// only.
func OwnPartition(by forum.UserID, id forum.ListID) error {
	if id.Partition() != by.Partition() {
		return forum.NotFound(forum.Path("listId"), "list")
	}
	return nil
}
