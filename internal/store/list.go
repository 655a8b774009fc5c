package store

import (
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
)

// List is one sorted list that can be paged. It is a value: two lists with the
// same fields are the same.
type List struct {
	// Name is what cursors are bound to.
	Name string
	key  string
	desc bool
	// packed tells that members are made by member, not plain ids.
	packed bool
}

// Desc tells whether the list stands from the highest score down.
func (l List) Desc() bool { return l.desc }

func indexList(name string, c container, order string, desc bool) List {
	return List{Name: name, key: c.order(order), desc: desc, packed: true}
}

// TimelineLists returns the lists whose merge the timeline is: one, or those of
// the tab's categories.
func TimelineLists(t forum.Timeline, tab []forum.CategoryID) []List {
	order, desc := orderActive, t.Direction == forum.Descending
	if t.Order == forum.ByCreated {
		order = orderCreated
	}
	switch t.Kind {
	case forum.CategoryTimeline:
		return []List{indexList(t.Name(), categoryContainer(forum.CategoryID(t.Owner)), order, desc)}
	case forum.TabTimeline:
		lists := make([]List, len(tab))
		for i, id := range tab {
			lists[i] = indexList(t.Name(), categoryContainer(id), order, desc)
		}
		return lists
	default:
		return []List{indexList(t.Name(), frontContainer, order, desc)}
	}
}

// CategoryTopics is the list of a category's topics; its length is their number.
func CategoryTopics(id forum.CategoryID) List {
	return indexList("category:"+itoa(id), categoryContainer(id), orderCreated, true)
}

// TopicComments is the list of a topic's comments, or of those without parent.
func TopicComments(id forum.TopicID, topLevelOnly bool, order forum.CommentOrder) List {
	key := topicCommentsKey(id)
	if topLevelOnly {
		key = topicRepliesKey(id)
	}
	return List{Name: key + string(order), key: key, desc: order == forum.Newest}
}

// CommentReplies is the list of the replies to a comment.
func CommentReplies(id forum.CommentID, order forum.CommentOrder) List {
	key := commentRepliesKey(id)
	return List{Name: key + string(order), key: key, desc: order == forum.Newest}
}

// UserComments is the list of a user's live comments, newest first.
func UserComments(id forum.UserID) List {
	c := userCommentsContainer(id)
	return indexList(string(c), c, orderCreated, true)
}

// AllCategories is the list of all categories, oldest first.
func AllCategories() List { return List{Name: categoriesKey, key: categoriesKey} }

// AllTabs is the list of all tabs, oldest first.
func AllTabs() List { return List{Name: tabsKey, key: tabsKey} }

// TabCategories is the list of a tab's categories, oldest first.
func TabCategories(id forum.TabID) List {
	key := tabCategoriesKey(id)
	return List{Name: key, key: key}
}

// CategoryTabs is the list of the tabs that show a category, oldest first.
func CategoryTabs(id forum.CategoryID) List {
	key := categoryTabsKey(id)
	return List{Name: key, key: key}
}

// Page reads one page of a list.
func (r *Read) Page(l List, w forum.Window) func() (forum.Page, error) {
	if w.Bounded() {
		return r.boundedPage(l, w)
	}
	var total *redis.IntCmd
	uncounted := w.Uncounted && !w.Backward // from the end, places are known by the length only
	if !uncounted {
		total = r.b.pipe.ZCard(r.ctx, l.key)
	}
	rows := r.rangeOf(l, w)
	return func() (forum.Page, error) {
		if r.err != nil {
			return forum.Page{}, r.err
		}
		var page forum.Page
		var err error
		if page.Rows, err = rows(); err != nil {
			return forum.Page{}, err
		}
		if uncounted {
			page.Total = len(page.Rows)
			return page, nil
		}
		page.Total, page.Start = int(total.Val()), min(w.Skip, int(total.Val()))
		if w.Backward {
			page.Start = page.Total - len(page.Rows)
			skip := min(max(w.Skip-page.Start, 0), len(page.Rows))
			page.Rows, page.Start = page.Rows[skip:], page.Start+skip
		}
		return page, nil
	}
}

// rangeOf reads the rows of a window by their places.
func (r *Read) rangeOf(l List, w forum.Window) func() ([]forum.Row, error) {
	start, stop := int64(w.Skip), int64(w.Skip+w.Count-1)
	if w.Backward {
		start, stop = int64(-w.Count), -1
	}
	switch {
	case w.Bare:
		name := "zrange"
		if l.desc {
			name = "zrevrange"
		}
		cmd := redis.NewStringSliceCmd(r.ctx, name, l.key, start, stop)
		r.b.pipe.Process(r.ctx, cmd)
		return l.bareRows(cmd)
	case l.desc:
		return l.scoredRows(r.b.pipe.ZRevRangeWithScores(r.ctx, l.key, start, stop))
	}
	return l.scoredRows(r.b.pipe.ZRangeWithScores(r.ctx, l.key, start, stop))
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

func (r *Read) boundedPage(l List, w forum.Window) func() (forum.Page, error) {
	afterScore, afterMember := bound(w.After)
	beforeScore, beforeMember := bound(w.Before)
	cmd := r.b.run(r.ctx, listPage, []string{l.key}, flag(l.desc),
		afterScore, afterMember, beforeScore, beforeMember, w.Count, flag(w.Backward))
	return func() (forum.Page, error) {
		if r.err != nil {
			return forum.Page{}, r.err
		}
		reply, err := cmd.Slice()
		if err != nil || len(reply) < 2 {
			return forum.Page{}, fmt.Errorf("page of %s: %v, %w", l.key, reply, err)
		}
		total, start := reply[0].(int64), reply[1].(int64)
		page := forum.Page{Total: int(total), Start: int(start)}
		for i := 2; i+1 < len(reply); i += 2 {
			score, err := strconv.ParseFloat(reply[i+1].(string), 64)
			if err != nil {
				return forum.Page{}, err
			}
			row, err := l.row(reply[i].(string), score)
			if err != nil {
				return forum.Page{}, err
			}
			page.Rows = append(page.Rows, row)
		}
		return page, nil
	}
}

// Lengths reads how many entries the lists have.
func (r *Read) Lengths(lists []List) func() ([]int, error) {
	cmds := make([]*redis.IntCmd, len(lists))
	for i, l := range lists {
		cmds[i] = r.b.pipe.ZCard(r.ctx, l.key)
	}
	return func() ([]int, error) {
		if r.err != nil {
			return nil, r.err
		}
		ns := make([]int, len(lists))
		for i, cmd := range cmds {
			ns[i] = int(cmd.Val())
		}
		return ns, nil
	}
}

func (l List) row(m string, score float64) (forum.Row, error) {
	var id int64
	var err error
	if l.packed {
		id, err = memberID(m)
	} else {
		id, err = strconv.ParseInt(m, 10, 64)
	}
	if err != nil {
		return forum.Row{}, fmt.Errorf("entry of %s: %w", l.key, err)
	}
	return forum.Row{ID: id, Position: forum.Position{Score: score, Member: m}}, nil
}

func bound(p *forum.Position) (score, member string) {
	if p == nil {
		return "", ""
	}
	return strconv.FormatFloat(p.Score, 'g', -1, 64), p.Member
}

func flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}
