package limit

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"

	"agora/bench/document"
	"agora/bench/keys"
	"agora/internal/forum"
	"agora/internal/store/listing"
	"agora/internal/text"
)

// topicPage is the state of one answer.
type topicPage struct {
	id       int64
	html     bool
	after    [document.Pages]string // cursors
	windows  [document.Pages]forum.Window
	topic    hash
	total    *redis.IntCmd
	pages    [document.Pages]*redis.StringSliceCmd
	author   int64
	category hash
	tabIDs   *redis.StringSliceCmd
	tabs     []hash
	comments []hash
	people   people
	pooled   bool
}

var topicPages = sync.Pool{New: func() any { return &topicPage{people: people{}, pooled: true} }}

func (h *Handler) newTopicPage() *topicPage {
	if h.tuned {
		return topicPages.Get().(*topicPage)
	}
	return &topicPage{people: people{}}
}

func (p *topicPage) free() {
	if !p.pooled {
		return
	}
	clear(p.tabs)
	clear(p.comments)
	clear(p.people)
	*p = topicPage{tabs: p.tabs[:0], comments: p.comments[:0], people: p.people, pooled: true}
	topicPages.Put(p)
}

var pageTopicFields = fieldsOf("state", "author", "category", "title", "created", "content", "format")

// Indexes of the fields that the front page does not read.
const (
	pageTopicCreated = 4 + iota
	pageTopicContent
	pageTopicFormat
)

var pageCommentFields = fieldsOf(
	"floor",
	"author",
	"deleted",
	"content",
	"depth",
	"replies",
	"up",
	"down",
	"format",
	"mentions",
)

// Indexes of the fields that the front page does not read.
const (
	commentDepth = 4 + iota
	commentReplies
	commentUp
	commentDown
	commentFormat
	commentMentions
)

// topic answers the topic page in three round trips: the topic and the ids of its comments; its author, its category
// with the ids of its tabs, and the comments; their authors, and the tabs.
func (h *Handler) topic(ctx context.Context, out []byte, r request) ([]byte, error) {
	return h.topicPage(ctx, out, r, false)
}

// topicHTML is topic with rendered texts.
func (h *Handler) topicHTML(ctx context.Context, out []byte, r request) ([]byte, error) {
	return h.topicPage(ctx, out, r, true)
}

func (h *Handler) topicPage(ctx context.Context, out []byte, r request, html bool) ([]byte, error) {
	l, p := h.newLevel(ctx, h.rdb), h.newTopicPage()
	defer l.free()
	defer p.free()
	p.html = html
	if err := p.arguments(r.variables); err != nil {
		return out, err
	}
	p.askTopic(l)
	if err := l.send(); err != nil {
		return out, err
	}
	if !visible(p.topic.values().at(topicState)) {
		return append(out, `{"data":{"topic":null}}`...), nil
	}
	p.askRows(l)
	if err := l.send(); err != nil {
		return out, err
	}
	p.askPeople(l)
	if err := l.send(); err != nil {
		return out, err
	}
	return p.append(out), nil
}

// arguments parses the topic's number and the cursors `c1` to `c9`.
func (p *topicPage) arguments(variables []byte) error {
	s, ok := open(variables)
	if !ok {
		return errJSON
	}
	for name, value, ok := s.next(); ok; name, value, ok = s.next() {
		var err error
		if string(name) == "number" {
			n := 0
			n, err = readInt(value)
			p.id = int64(n)
		} else if len(name) == 2 && name[0] == 'c' && name[1] > '0' && name[1] <= '9' {
			p.after[name[1]-'0'], err = readString(value)
		}
		if err != nil {
			return err
		}
	}
	list, first := listing.TopicComments(forum.TopicID(p.id), false, forum.Oldest).Name, forum.MaxPage
	for i := range p.windows {
		a := forum.PageArgs{First: &first}
		if i > 0 {
			a.After = &p.after[i]
		}
		var err error
		if p.windows[i], err = a.Window(list); err != nil {
			return fmt.Errorf("page %d: %w", i, err)
		}
	}
	return nil
}

func (p *topicPage) askTopic(l level) {
	names := pageTopicFields
	if !p.html {
		names = names.first(pageTopicFormat)
	}
	p.topic = l.hash(keys.Topic, p.id, names)
	p.total = l.count(keys.TopicComments, p.id)
	for i, w := range p.windows {
		if w.After == nil {
			p.pages[i] = l.first(keys.TopicComments, p.id, w.Count)
			continue
		}
		// No two comments of a topic have the same number.
		p.pages[i] = l.after(keys.TopicComments, p.id, strconv.FormatFloat(w.After.Score, 'f', -1, 64), w.Count)
	}
}

func (p *topicPage) askRows(l level) {
	f := p.topic.values()
	p.author = number(f.at(topicAuthor))
	p.people.ask(l, p.author, userFields)
	if category := number(f.at(topicCategory)); category != 0 {
		p.category = l.hash(keys.Category, category, nameField)
		p.tabIDs = l.first(keys.CategoryTabs, category, forum.MaxCategoryTabs)
	}
	names, comments := pageCommentFields, 0
	if !p.html {
		names = names.first(commentFormat)
	}
	for _, page := range p.pages {
		comments += len(page.Val())
	}
	p.comments = slices.Grow(p.comments, comments)
	for _, page := range p.pages {
		for _, id := range page.Val() {
			p.comments = append(p.comments, l.hash(keys.Comment, number(id), names))
		}
	}
}

func (p *topicPage) askPeople(l level) {
	for _, c := range p.comments {
		p.people.ask(l, authorOf(c.values()), userFields)
	}
	if p.tabIDs == nil {
		return
	}
	for _, id := range p.tabIDs.Val() {
		p.tabs = append(p.tabs, l.hash(keys.Tab, number(id), nameField))
	}
}

func (p *topicPage) append(out []byte) []byte {
	f := p.topic.values()
	out = append(out, `{"data":{"topic":{"title":`...)
	out = appendString(out, f.at(topicTitle))
	if p.html {
		out = append(out, `,"contentHtml":`...)
		out = appendString(out, text.HTML(f.at(pageTopicContent), forum.ContentFormat(f.at(pageTopicFormat)), nil))
	} else {
		out = append(out, `,"content":`...)
		out = appendString(out, f.at(pageTopicContent))
	}
	out = append(out, `,"createdAt":`...)
	out = appendTime(out, number(f.at(pageTopicCreated)))
	out = append(out, `,"author":`...)
	out = p.people.appendLogin(out, p.author)
	out = append(out, `,"category":`...)
	out = p.appendCategory(out)
	from := 0
	for i, page := range p.pages {
		out = append(out, `,"p`...)
		out = strconv.AppendInt(out, int64(i), 10)
		out = append(out, `":{`...)
		if i == 0 {
			out = append(out, `"totalCount":`...)
			out = strconv.AppendInt(out, p.total.Val(), 10)
			out = append(out, ',')
		}
		out = append(out, `"nodes":[`...)
		to := from + len(page.Val())
		out = p.appendComments(out, p.comments[from:to])
		out = append(out, "]}"...)
		from = to
	}
	return append(out, "}}}"...)
}

func (p *topicPage) appendCategory(out []byte) []byte {
	name := ""
	if p.category != (hash{}) {
		name = p.category.values().at(0)
	}
	if name == "" {
		return append(out, "null"...)
	}
	out = append(out, `{"name":`...)
	out = appendString(out, name)
	out = append(out, `,"tabs":[`...)
	first := true
	for _, tab := range p.tabs {
		if tab.values().at(0) == "" {
			continue
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		out = appendCategory(out, tab)
	}
	return append(out, "]}"...)
}

func (p *topicPage) appendComments(out []byte, comments []hash) []byte {
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
		out = append(out, `,"depth":`...)
		out = appendNumber(out, f.at(commentDepth))
		if p.html {
			out = append(out, `,"contentHtml":`...)
			out = appendString(
				out,
				text.HTML(f.at(commentContent), forum.ContentFormat(f.at(commentFormat)), mentions(f.at(commentMentions))),
			)
		} else {
			out = append(out, `,"content":`...)
			out = appendString(out, f.at(commentContent))
		}
		out = append(out, `,"author":`...)
		out = p.people.appendNames(out, authorOf(f))
		out = append(out, `,"replyCount":`...)
		out = appendNumber(out, f.at(commentReplies))
		out = append(out, `,"votes":{"net":`...)
		out = strconv.AppendInt(out, number(f.at(commentUp))-number(f.at(commentDown)), 10)
		out = append(out, "}}"...)
	}
	return out
}

// mentions parses "login:id login:id".
func mentions(s string) []text.Mention {
	var ms []text.Mention
	for _, part := range strings.Fields(s) {
		fold, _, _ := strings.Cut(part, ":")
		ms = append(ms, text.Mention{Fold: fold, Login: fold})
	}
	return ms
}
