package limit

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/bench/keys"
	"agora/internal/forum"
)

// frontTopic is a topic of the front page.
type frontTopic struct {
	id               int64
	fields, comments *redis.StringSliceCmd
	author, category int64
	gone             bool
	// from is where its comments begin among all.
	from int
}

// frontPage is what one answer is made of.
type frontPage struct {
	topics     []frontTopic
	comments   []*redis.StringSliceCmd
	people     people
	categories map[int64]*redis.StringSliceCmd
}

var frontPages = sync.Pool{New: func() any {
	return &frontPage{people: people{}, categories: map[int64]*redis.StringSliceCmd{}}
}}

func (p *frontPage) free() {
	clear(p.topics)
	clear(p.comments)
	clear(p.people)
	clear(p.categories)
	p.topics, p.comments = p.topics[:0], p.comments[:0]
	frontPages.Put(p)
}

// Fields that are read, by their places in the replies.
const (
	topicState = iota
	topicAuthor
	topicCategory
	topicTitle
	topicActive
	topicComments
	topicUp
	topicDown
	topicKind
	topicCreated
)

var frontTopicFields = []any{"state", "author", "category", "title", "active", "comments", "up", "down", "kind", "created"}

const (
	commentNumber = iota
	commentAuthor
	commentDeleted
	commentContent
)

var (
	frontCommentFields = []any{"floor", "author", "deleted", "content"}
	nameField          = []any{"name"}
)

// front answers the front page in four round trips: the range; topics and the
// ids of their comments; authors, categories and comments; authors of comments.
func (h *Handler) front(ctx context.Context, out []byte, r request) ([]byte, error) {
	topics, comments, err := frontArguments(r.variables)
	if err != nil {
		return out, err
	}
	l, p := newLevel(ctx), frontPages.Get().(*frontPage)
	defer l.free()
	defer p.free()
	l.keys = append(l.keys, keys.Front...)
	total := l.zcard()
	l.keys = append(l.keys, keys.Front...)
	members := l.strings("zrevrange", 0, topics-1)
	if err := l.send(h.rdb); err != nil {
		return out, err
	}
	l.next()
	if err := p.askTopics(l, members.Val(), comments); err != nil {
		return out, err
	}
	if err := l.send(h.rdb); err != nil {
		return out, err
	}
	l.next()
	p.askRows(l)
	if err := l.send(h.rdb); err != nil {
		return out, err
	}
	l.next()
	p.askAuthors(l)
	if err := l.send(h.rdb); err != nil {
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

func frontArguments(variables []byte) (topics, comments int, err error) {
	s, ok := open(variables)
	if !ok {
		return 0, 0, errJSON
	}
	for name, value, ok := s.next(); ok; name, value, ok = s.next() {
		switch string(name) {
		case "topics":
			topics, err = readInt(value)
		case "comments":
			comments, err = readInt(value)
		}
		if err != nil {
			return 0, 0, err
		}
	}
	if topics < 1 || topics > forum.MaxPage || comments < 1 || comments > forum.MaxPage {
		return 0, 0, errJSON
	}
	return topics, comments, nil
}

func (p *frontPage) askTopics(l *level, members []string, comments int) error {
	for _, m := range members {
		id, err := keys.MemberID(m)
		if err != nil {
			return err
		}
		t := frontTopic{id: id}
		l.keys = keys.Topic(l.keys, id)
		t.fields = l.hmget(frontTopicFields)
		l.keys = keys.TopicComments(l.keys, id)
		t.comments = l.strings("zrange", 0, comments-1)
		p.topics = append(p.topics, t)
	}
	return nil
}

// visible tells whether somebody who is signed out may see a topic of this state.
func visible(state string) bool { return state != "" && state != string(forum.TopicDeleted) }

func (p *frontPage) askRows(l *level) {
	for i := range p.topics {
		t := &p.topics[i]
		f := t.fields.Val()
		if t.gone = !visible(f[topicState]); t.gone {
			continue
		}
		t.author, t.category = number(f[topicAuthor]), number(f[topicCategory])
		p.people.ask(l, t.author, userFields)
		if t.category != 0 && p.categories[t.category] == nil {
			l.keys = keys.Category(l.keys, t.category)
			p.categories[t.category] = l.hmget(nameField)
		}
		t.from = len(p.comments)
		for _, id := range t.comments.Val() {
			l.keys = keys.Comment(l.keys, number(id))
			p.comments = append(p.comments, l.hmget(frontCommentFields))
		}
	}
}

func (p *frontPage) askAuthors(l *level) {
	for _, c := range p.comments {
		p.people.ask(l, authorOf(c.Val()), loginFields)
	}
}

// authorOf is who wrote a comment; of a tombstone it is the ghost.
func authorOf(comment []string) int64 {
	if comment[commentDeleted] != "" {
		return 0
	}
	return number(comment[commentAuthor])
}

func (p *frontPage) appendTopics(out []byte) []byte {
	now, first := time.Now().UnixMilli(), true
	for i := range p.topics {
		t := &p.topics[i]
		if t.gone {
			continue
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		f := t.fields.Val()
		out = append(out, `{"number":`...)
		out = strconv.AppendInt(out, t.id, 10)
		out = append(out, `,"title":`...)
		out = appendString(out, f[topicTitle])
		out = append(out, `,"lastActiveAt":`...)
		out = appendTime(out, number(f[topicActive]))
		out = append(out, `,"commentCount":`...)
		out = appendNumber(out, f[topicComments])
		out = append(out, `,"author":`...)
		out = p.people.appendNames(out, t.author)
		out = append(out, `,"category":`...)
		out = appendCategory(out, p.categories[t.category])
		out = append(out, `,"votes":`...)
		out = appendVotes(out, f, now)
		out = append(out, `,"comments":{"nodes":[`...)
		out = p.appendComments(out, p.comments[t.from:t.from+len(t.comments.Val())])
		out = append(out, "]}}"...)
	}
	return out
}

// appendCategory appends `{"name":"..."}`, or null for none.
func appendCategory(out []byte, cmd *redis.StringSliceCmd) []byte {
	if cmd == nil || cmd.Val()[0] == "" {
		return append(out, "null"...)
	}
	out = append(out, `{"name":`...)
	return append(appendString(out, cmd.Val()[0]), '}')
}

func appendVotes(out []byte, f []string, now int64) []byte {
	out = append(out, `{"up":`...)
	out = appendNumber(out, f[topicUp])
	out = append(out, `,"down":`...)
	out = appendNumber(out, f[topicDown])
	out = append(out, `,"net":`...)
	out = strconv.AppendInt(out, number(f[topicUp])-number(f[topicDown]), 10)
	out = append(out, `,"viewerVote":"NONE","closesAt":`...)
	closes := int64(0)
	if f[topicKind] == string(forum.Article) {
		closes = number(f[topicCreated]) + int64(forum.VotingWindow)
	}
	out = appendTime(out, closes)
	out = append(out, `,"isOpen":`...)
	out = strconv.AppendBool(out, f[topicState] == string(forum.TopicOpen) && (closes == 0 || now < closes))
	return append(out, '}')
}

func (p *frontPage) appendComments(out []byte, comments []*redis.StringSliceCmd) []byte {
	first := true
	for _, c := range comments {
		f := c.Val()
		if f[commentNumber] == "" {
			continue
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(out, `{"number":`...)
		out = append(out, f[commentNumber]...)
		out = append(out, `,"content":`...)
		out = appendString(out, f[commentContent])
		out = append(out, `,"author":`...)
		out = p.people.appendLogin(out, authorOf(f))
		out = append(out, '}')
	}
	return out
}
