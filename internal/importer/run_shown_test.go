package importer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/listing"
	"agora/internal/test/must"
	built "agora/internal/test/site"
	"agora/internal/test/whole"
)

// view is the data of a site, read for one description.
type view struct {
	*site
	sources    map[int64]string // names by id, except of categories and tabs
	topics     []forum.TopicID
	comments   []forum.CommentID
	users      []forum.UserID
	categories map[forum.CategoryID]string
	b          strings.Builder
}

// shown describes everything that the API shows, with the names of the other site instead of ids:
// two equal imports have the same description.
func (x *site) shown() string {
	x.t.Helper()
	v := x.view()
	v.writeSections()
	v.writeUsers()
	v.writeTopics()
	stats, err := x.Stats(x.ctx)
	fmt.Fprintf(&v.b, "%d users, %d topics, %d comments, %v\n", stats.Users, stats.Topics, stats.Comments, err)
	return v.b.String()
}

// view reads the site.
func (x *site) view() *view {
	x.t.Helper()
	v := &view{site: x, sources: map[int64]string{0: "none"}, categories: map[forum.CategoryID]string{}}
	v.findEntities()
	return v
}

// findEntities finds topics, comments and users by their keys.
func (v *view) findEntities() {
	v.t.Helper()
	names := must.Do(v.rdb.Keys(v.ctx, "{p*").Result())(v.t)
	for _, name := range names {
		m := entityKey.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		id, _ := strconv.ParseInt(m[2], 10, 64)
		hash := must.Do(v.rdb.HGetAll(v.ctx, name).Result())(v.t)
		internal := must.Do(v.rdb.HGetAll(v.ctx, name+":internal").Result())(v.t)
		maps.Copy(hash, internal)
		v.sources[id] = cmp.Or(hash["src"], "here:"+cmp.Or(hash["title"], hash["content"], hash["login"]))
		switch m[1] {
		case "t":
			v.topics = append(v.topics, forum.TopicID(id))
		case "c":
			v.comments = append(v.comments, forum.CommentID(id))
		default:
			v.users = append(v.users, forum.UserID(id))
		}
	}
	slices.SortFunc(
		v.topics,
		func(a, b forum.TopicID) int { return cmp.Compare(v.sources[int64(a)], v.sources[int64(b)]) },
	)
	slices.SortFunc(v.users, func(a, b forum.UserID) int { return cmp.Compare(v.sources[int64(a)], v.sources[int64(b)]) })
}

// list returns the names of the entries of a list.
func (v *view) list(l listing.List) string {
	var names []string
	for _, row := range v.page(l) {
		names = append(names, v.sources[row.ID])
	}
	return strings.Join(names, " ")
}

func (v *view) page(l listing.List) []forum.Row {
	v.t.Helper()
	read := v.Read(v.ctx)
	page := built.Sent(v.t, read, read.Listing.Page(l, forum.Window{Count: 1 << 20}))
	return page.Rows
}

// counts returns the counts of a user.
func (v *view) counts(id forum.UserID) forum.UserCounts {
	v.t.Helper()
	read := v.Read(v.ctx)
	return built.Sent(v.t, read, read.Accounts.UserCounts([]forum.UserID{id}))[0]
}

// objects reads objects by id.
func objects[ID ~int64, T any](v *view, ids []ID, queue func(*store.Read, []ID) func() ([]*T, error)) []*T {
	v.t.Helper()
	read := v.Read(v.ctx)
	get := queue(read, ids)
	must.OK(v.t, read.Exec())
	found, _ := get()
	return found
}

func (v *view) writeSections() {
	var ids []forum.CategoryID
	for _, row := range v.page(listing.AllCategories()) {
		ids = append(ids, forum.CategoryID(row.ID))
	}
	for i, c := range objects(v, ids, whole.Categories) {
		v.categories[ids[i]] = c.Name
	}
	var tabs []forum.TabID
	for _, row := range v.page(listing.AllTabs()) {
		tabs = append(tabs, forum.TabID(row.ID))
	}
	lines := []string{}
	for i, tab := range objects(v, tabs, whole.Tabs) {
		var names []string
		for _, row := range v.page(listing.TabCategories(tabs[i])) {
			names = append(names, v.categories[forum.CategoryID(row.ID)])
		}
		slices.Sort(names)
		lines = append(lines, fmt.Sprintf("tab %s: %q", tab.Name, names))
	}
	for i, c := range objects(v, ids, whole.Categories) {
		active := forum.Timeline{
			Kind:      forum.CategoryTimeline,
			Owner:     int64(ids[i]),
			Order:     forum.ByActive,
			Direction: forum.Descending,
		}
		lines = append(lines, fmt.Sprintf("category %s %q: %s; %s", c.Name, c.Description,
			v.list(listing.CategoryTopics(ids[i])), v.list(listing.TimelineLists(active, nil)[0])))
	}
	slices.Sort(lines)
	fmt.Fprintf(&v.b, "%s\n", strings.Join(lines, "\n"))
	for _, order := range []forum.TopicOrderField{forum.ByCreated, forum.ByActive} {
		front := forum.Timeline{Kind: forum.FrontTimeline, Order: order, Direction: forum.Descending}
		fmt.Fprintf(&v.b, "front %s: %s\n", order, v.list(listing.TimelineLists(front, nil)[0]))
	}
}

func (v *view) writeUsers() {
	for i, u := range objects(v, v.users, whole.Users) {
		name := v.sources[int64(v.users[i])]
		if u == nil {
			fmt.Fprintf(&v.b, "user %s: deleted\n", name)
			continue
		}
		fmt.Fprintf(&v.b, "user %s: %s %q %s, made %s, %d topics; %s\n", name, u.Login, u.Name, u.Role, at(u.CreatedAt),
			v.counts(v.users[i]).Topics, v.list(listing.UserComments(v.users[i])))
	}
}

func (v *view) writeTopics() {
	comments := map[forum.CommentID]*forum.Comment{}
	for i, c := range objects(v, v.comments, whole.Comments) {
		comments[v.comments[i]] = c
	}
	for i, t := range objects(v, v.topics, whole.Topics) {
		id := v.topics[i]
		fmt.Fprintf(
			&v.b,
			"%s %s %s %q by %s in %q, %s, active %s, deleted %s, %s %s, link %q, +%d -%d, %d clicks, %d comments\n",
			v.sources[int64(id)],
			t.Kind,
			t.State,
			t.Title,
			v.sources[int64(t.AuthorID)],
			v.categories[t.CategoryID],
			at(t.CreatedAt),
			at(
				t.LastActiveAt,
			),
			at(t.DeletedAt),
			t.Format,
			short(t.Content),
			t.Link,
			t.Upvotes,
			t.Downvotes,
			t.ClickCount,
			t.CommentCount,
		)
		for _, row := range v.page(listing.TopicComments(id, false, forum.Oldest)) {
			c := comments[forum.CommentID(row.ID)]
			fmt.Fprintf(
				&v.b,
				"  #%d %s at depth %d under %s by %s, %s, %s %s, +%d -%d, mentions %s, replies %d: %s\n",
				c.Number,
				v.sources[int64(c.ID)],
				c.Depth,
				v.sources[int64(c.ParentID)],
				v.sources[int64(c.AuthorID)],
				at(c.CreatedAt),
				c.Format,
				short(
					c.Content,
				),
				c.Upvotes,
				c.Downvotes,
				v.mentions(c),
				c.ReplyCount,
				v.list(listing.CommentReplies(c.ID, forum.Oldest)),
			)
			delete(comments, c.ID)
		}
		fmt.Fprintf(&v.b, "  top level: %s\n", v.list(listing.TopicComments(id, true, forum.Oldest)))
	}
	for id := range maps.Keys(comments) {
		fmt.Fprintf(&v.b, "stray comment %s\n", v.sources[int64(id)])
	}
}

func (v *view) mentions(c *forum.Comment) string {
	var names []string
	for _, m := range c.Mentions {
		names = append(names, m.Fold+"="+v.sources[int64(m.User)])
	}
	return fmt.Sprint(names)
}

func at(t forum.Time) string {
	if t == 0 {
		return "never"
	}
	return time.UnixMilli(int64(t)).UTC().Format("2006-01-02T15:04:05.999")
}

// short returns a text, or the ends of a long one.
func short(s string) string {
	if len(s) <= 80 {
		return strconv.Quote(s)
	}
	return fmt.Sprintf("%q...%q (%d bytes)", s[:20], s[len(s)-20:], len(s))
}
