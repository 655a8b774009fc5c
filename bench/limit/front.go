package limit

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/bench/keys"
	"agora/internal/forum"
)

// frontTopic is a topic of the front page.
type frontTopic struct {
	id               int64
	fields           hash
	comments         *redis.StringSliceCmd
	author, category int64
	missing          bool
	// from is the index of its first comment among all.
	from int
}

// frontPage is the state of one answer.
type frontPage struct {
	topics     []frontTopic
	comments   []hash
	people     people
	categories map[int64]hash
	pooled     bool
}

func makeFrontPage() *frontPage { return &frontPage{people: people{}, categories: map[int64]hash{}} }

var frontPages = sync.Pool{New: func() any {
	p := makeFrontPage()
	p.pooled = true
	return p
}}

func (h *Handler) newFrontPage() *frontPage {
	if h.tuned {
		return frontPages.Get().(*frontPage)
	}
	return makeFrontPage()
}

func (p *frontPage) free() {
	if !p.pooled {
		return
	}
	clear(p.topics)
	clear(p.comments)
	clear(p.people)
	clear(p.categories)
	p.topics, p.comments = p.topics[:0], p.comments[:0]
	frontPages.Put(p)
}

// Fields that are read, by their index in the replies.
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

var frontTopicFields = fieldsOf(
	"state",
	"author",
	"category",
	"title",
	"active",
	"comments",
	"up",
	"down",
	"kind",
	"created",
)

const (
	commentNumber = iota
	commentAuthor
	commentDeleted
	commentContent
)

var (
	frontCommentFields = fieldsOf("floor", "author", "deleted", "content")
	nameField          = fieldsOf("name")
)

// front answers the front page in four round trips: the range; topics and the ids of their comments; authors,
// categories and comments; authors of comments.
func (h *Handler) front(ctx context.Context, out []byte, r request) ([]byte, error) {
	topics, comments, err := frontArguments(r.variables)
	if err != nil {
		return out, err
	}
	l, p := h.newLevel(ctx, h.rdb), h.newFrontPage()
	defer l.free()
	defer p.free()
	total, members := l.front(topics)
	if err := l.send(); err != nil {
		return out, err
	}
	if err := p.askTopics(l, members.Val(), comments); err != nil {
		return out, err
	}
	if err := l.send(); err != nil {
		return out, err
	}
	p.askRows(l)
	if err := l.send(); err != nil {
		return out, err
	}
	p.askAuthors(l)
	if err := l.send(); err != nil {
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

func (p *frontPage) askTopics(l level, members []string, comments int) error {
	p.topics = slices.Grow(p.topics, len(members))
	for _, m := range members {
		id, err := keys.MemberID(m)
		if err != nil {
			return err
		}
		p.topics = append(p.topics, frontTopic{
			id: id, fields: l.hash(keys.Topic, id, frontTopicFields), comments: l.first(keys.TopicComments, id, comments),
		})
	}
	return nil
}

// visible reports whether a signed-out visitor may see a topic with this state.
func visible(state string) bool { return state != "" && state != string(forum.TopicDeleted) }

func (p *frontPage) askRows(l level) {
	comments := 0
	for i := range p.topics {
		comments += len(p.topics[i].comments.Val())
	}
	p.comments = slices.Grow(p.comments, comments)
	for i := range p.topics {
		t := &p.topics[i]
		f := t.fields.values()
		if t.missing = !visible(f.at(topicState)); t.missing {
			continue
		}
		t.author, t.category = number(f.at(topicAuthor)), number(f.at(topicCategory))
		p.people.ask(l, t.author, userFields)
		if _, asked := p.categories[t.category]; t.category != 0 && !asked {
			p.categories[t.category] = l.hash(keys.Category, t.category, nameField)
		}
		t.from = len(p.comments)
		for _, id := range t.comments.Val() {
			p.comments = append(p.comments, l.hash(keys.Comment, number(id), frontCommentFields))
		}
	}
}

func (p *frontPage) askAuthors(l level) {
	for _, c := range p.comments {
		p.people.ask(l, authorOf(c.values()), loginFields)
	}
}

// authorOf returns the author of a comment; for a tombstone it is the ghost.
func authorOf(comment values) int64 {
	if comment.at(commentDeleted) != "" {
		return 0
	}
	return number(comment.at(commentAuthor))
}

func (p *frontPage) appendTopics(out []byte) []byte {
	now, first := time.Now().UnixMilli(), true
	for i := range p.topics {
		t := &p.topics[i]
		if t.missing {
			continue
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		f := t.fields.values()
		out = append(out, `{"number":`...)
		out = strconv.AppendInt(out, t.id, 10)
		out = append(out, `,"title":`...)
		out = appendString(out, f.at(topicTitle))
		out = append(out, `,"lastActiveAt":`...)
		out = appendTime(out, number(f.at(topicActive)))
		out = append(out, `,"commentCount":`...)
		out = appendNumber(out, f.at(topicComments))
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

// appendCategory appends `{"name":"..."}`, or null.
func appendCategory(out []byte, category hash) []byte {
	name := ""
	if category != (hash{}) {
		name = category.values().at(0)
	}
	if name == "" {
		return append(out, "null"...)
	}
	out = append(out, `{"name":`...)
	return append(appendString(out, name), '}')
}

func appendVotes(out []byte, f values, now int64) []byte {
	out = append(out, `{"up":`...)
	out = appendNumber(out, f.at(topicUp))
	out = append(out, `,"down":`...)
	out = appendNumber(out, f.at(topicDown))
	out = append(out, `,"net":`...)
	out = strconv.AppendInt(out, number(f.at(topicUp))-number(f.at(topicDown)), 10)
	out = append(out, `,"viewerVote":"NONE","closesAt":`...)
	closes := int64(0)
	if f.at(topicKind) == string(forum.Article) {
		closes = number(f.at(topicCreated)) + int64(forum.VotingWindow)
	}
	out = appendTime(out, closes)
	out = append(out, `,"isOpen":`...)
	out = strconv.AppendBool(out, f.at(topicState) == string(forum.TopicOpen) && (closes == 0 || now < closes))
	return append(out, '}')
}

func (p *frontPage) appendComments(out []byte, comments []hash) []byte {
	first := true
	for _, c := range comments {
		f := c.values()
		if f.at(commentNumber) == "" {
			continue
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(out, `{"number":`...)
		out = append(out, f.at(commentNumber)...)
		out = append(out, `,"content":`...)
		out = appendString(out, f.at(commentContent))
		out = append(out, `,"author":`...)
		out = p.people.appendLogin(out, authorOf(f))
		out = append(out, '}')
	}
	return out
}
