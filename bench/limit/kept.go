package limit

import (
	"context"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/bench/document"
	"agora/bench/keys"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/listing"
)

// NewKept returns a handler of the front page by hand that has the same objects in memory as the server: those that the
// store keeps.
func NewKept(rdb redis.UniversalClient, s *store.Store) *Handler {
	h := &Handler{rdb: rdb, store: s, newLevel: newTuned, tuned: true}
	h.answers = map[string]answer{quoted(document.Front.Text): h.keptFront}
	return h
}

// keptPage is the front page in objects.
type keptPage struct {
	topics   []*forum.Topic
	pages    []*forum.Page
	comments map[forum.CommentID]*forum.Comment
	users    map[forum.UserID]*forum.User
	sections map[forum.CategoryID]*forum.Category
}

// keptFront reads the ids of topics, and whatever else is not in memory.
func (h *Handler) keptFront(ctx context.Context, out []byte, r request) ([]byte, error) {
	topics, comments, err := frontArguments(r.variables)
	if err != nil {
		return out, err
	}
	ctx = h.store.Listing.WithMemory(ctx, time.Time{})
	l := h.newLevel(ctx, h.rdb)
	defer l.free()
	total, members := l.front(topics)
	if err := l.send(); err != nil {
		return out, err
	}
	p, err := h.keptPage(ctx, members.Val(), comments)
	if err != nil {
		return out, err
	}
	out = append(out, `{"data":{"front":{"topics":{"nodes":[`...)
	out = p.appendTopics(out)
	out = append(out, `],"pageInfo":{"hasNextPage":`...)
	out = strconv.AppendBool(out, int64(len(members.Val())) < total.Val())
	out = append(out, `,"hasPreviousPage":false},"totalCount":`...)
	out = strconv.AppendInt(out, total.Val(), 10)
	return append(out, "}}}}"...), nil
}

func (h *Handler) keptPage(ctx context.Context, members []string, comments int) (p *keptPage, err error) {
	ids := make([]forum.TopicID, len(members))
	for i, m := range members {
		id, err := keys.MemberID(m)
		if err != nil {
			return nil, err
		}
		ids[i] = forum.TopicID(id)
	}
	p = &keptPage{users: map[forum.UserID]*forum.User{}, sections: map[forum.CategoryID]*forum.Category{}}
	known := make(map[forum.TopicID]*forum.Topic, len(ids))
	if err := kept(ctx, h.store, known, ids, (*listing.Memory).Topic, store.From(listing.On,
		listing.Read.Topics)); err != nil {
		return nil, err
	}
	var users []forum.UserID
	var sections []forum.CategoryID
	for _, id := range ids {
		if t := known[id]; t != nil && t.IsPublic() {
			p.topics = append(p.topics, t)
			users, sections = append(users, t.AuthorID), append(sections, t.CategoryID)
		}
	}
	if err := p.readPages(ctx, h.store, comments); err != nil {
		return nil, err
	}
	var rows []forum.CommentID
	for _, page := range p.pages {
		for _, row := range page.Rows {
			rows = append(rows, forum.CommentID(row.ID))
		}
	}
	p.comments = make(map[forum.CommentID]*forum.Comment, len(rows))
	if err := kept(ctx, h.store, p.comments, rows, (*listing.Memory).Comment, store.From(listing.On,
		listing.Read.Comments)); err != nil {
		return nil, err
	}
	for _, c := range p.comments {
		if c != nil {
			users = append(users, c.AuthorID)
		}
	}
	if err := kept(ctx, h.store, p.users, users, (*listing.Memory).User, store.From(listing.On,
		listing.Read.Users)); err != nil {
		return nil, err
	}
	return p, kept(ctx, h.store, p.sections, sections, (*listing.Memory).Category, store.From(listing.On,
		listing.Read.Categories))
}

// readPages finds the pages of the topics' comments.
func (p *keptPage) readPages(ctx context.Context, s *store.Store, comments int) error {
	window, m := forum.Window{Count: comments, Bare: true, Uncounted: true}, listing.MemoryFrom(ctx)
	p.pages = make([]*forum.Page, len(p.topics))
	r, takes := s.Read(ctx), []func() error(nil)
	for i, t := range p.topics {
		list := listing.TopicComments(t.ID, false, forum.Oldest)
		p.pages[i] = m.Page(&list, &window)
		if p.pages[i] == nil {
			read := r.Listing.Page(list, window)
			takes = append(takes, func() error {
				page, err := read()
				p.pages[i] = &page
				return err
			})
		}
	}
	if takes == nil {
		return nil
	}
	_ = r.Exec() // each page has its error
	for _, take := range takes {
		if err := take(); err != nil {
			return err
		}
	}
	return nil
}

// kept adds objects to all, from memory or, if they are not there, from Redis.
func kept[ID ~int64, T any](ctx context.Context, s *store.Store, all map[ID]*T, ids []ID,
	of func(*listing.Memory, ID) *T, read func(*store.Read, []ID) func() ([]*T, []error)) error {
	m := listing.MemoryFrom(ctx)
	var missing []ID
	for _, id := range ids {
		if _, known := all[id]; known || id == 0 {
			continue
		}
		all[id] = nil
		if m != nil {
			all[id] = of(m, id)
		}
		if all[id] == nil {
			missing = append(missing, id)
		}
	}
	if missing == nil {
		return nil
	}
	r := s.Read(ctx)
	take := read(r, missing)
	if err := r.Exec(); err != nil {
		return err
	}
	found, _ := take() // all, as Exec did not fail
	for i, id := range missing {
		all[id] = found[i]
	}
	return nil
}

func (p *keptPage) appendTopics(out []byte) []byte {
	now := forum.Time(time.Now().UnixMilli())
	for i, t := range p.topics {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, `{"number":`...)
		out = strconv.AppendInt(out, int64(t.ID), 10)
		out = append(out, `,"title":`...)
		out = appendString(out, t.Title)
		out = append(out, `,"lastActiveAt":`...)
		out = appendTime(out, int64(t.LastActiveAt))
		out = append(out, `,"commentCount":`...)
		out = strconv.AppendInt(out, int64(t.CommentCount), 10)
		out = append(out, `,"author":`...)
		out = p.appendUser(out, t.AuthorID, true)
		out = append(out, `,"category":`...)
		if c := p.sections[t.CategoryID]; c != nil {
			out = append(out, `{"name":`...)
			out = append(appendString(out, c.Name), '}')
		} else {
			out = append(out, "null"...)
		}
		v := t.Votes(now)
		out = append(out, `,"votes":{"up":`...)
		out = strconv.AppendInt(out, int64(v.Up), 10)
		out = append(out, `,"down":`...)
		out = strconv.AppendInt(out, int64(v.Down), 10)
		out = append(out, `,"net":`...)
		out = strconv.AppendInt(out, int64(v.Up-v.Down), 10)
		out = append(out, `,"viewerVote":"NONE","closesAt":`...)
		out = appendTime(out, int64(v.ClosesAt))
		out = append(out, `,"isOpen":`...)
		out = strconv.AppendBool(out, v.Open)
		out = append(out, `},"comments":{"nodes":[`...)
		out = p.appendComments(out, p.pages[i])
		out = append(out, "]}}"...)
	}
	return out
}

func (p *keptPage) appendComments(out []byte, page *forum.Page) []byte {
	first := true
	for _, row := range page.Rows {
		c := p.comments[forum.CommentID(row.ID)]
		if c == nil {
			continue
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(out, `{"number":`...)
		out = strconv.AppendInt(out, int64(c.Number), 10)
		out = append(out, `,"content":`...)
		out = appendString(out, c.Content)
		out = append(out, `,"author":`...)
		out = append(p.appendUser(out, c.AuthorID, false), '}')
	}
	return out
}

// appendUser appends an author, with or without the name.
func (p *keptPage) appendUser(out []byte, id forum.UserID, named bool) []byte {
	login, name := forum.GhostLogin, ghostName
	if u := p.users[id]; u != nil {
		login, name = u.Login, u.Name
	}
	out = append(out, `{"login":`...)
	out = appendString(out, login)
	if named {
		out = append(out, `,"name":`...)
		out = appendString(out, name)
	}
	return append(out, '}')
}
