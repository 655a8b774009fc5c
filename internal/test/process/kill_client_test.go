package process

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// fate is what a client knows about a call.
type fate int

const (
	unknown      fate = iota // no answer, or one without information
	acknowledged             // done
	refused                  // an expected error: nothing was changed
)

// killValue is something that can be changed: the last acknowledged value, and the values sent since whose outcome is
// unknown.
type killValue struct {
	sure  string
	maybe []string
}

func (v *killValue) sent(x string) { v.maybe = append(v.maybe, x) }

func (v *killValue) answered(x string, f fate) {
	switch f {
	case acknowledged:
		v.sure, v.maybe = x, nil
	case refused:
		v.maybe = slices.DeleteFunc(v.maybe, func(m string) bool { return m == x })
	}
}

func (v *killValue) allows(x string) bool { return x == v.sure || slices.Contains(v.maybe, x) }

// killPost is a topic or comment that a client sent.
type killPost struct {
	marker  string // unique, in its text
	owner   string
	id      string    // "" until acknowledged
	topic   *killPost // nil for a topic
	parent  string    // id of the parent, "" for none
	text    killValue
	place   killValue // the category of a topic
	deleted killValue // "deleted"
	rest    time.Time // no changes before: one without an answer may still be in progress
	article bool
	tags    map[string]*killValue // of a topic: "yes" or ""
	// comments are the acknowledged ones of a topic.
	comments []*killPost
}

func (p *killPost) mayBeDeleted() bool {
	return p.deleted.sure != "" || len(p.deleted.maybe) > 0 || p.topic != nil && p.topic.mayBeDeleted()
}

// patience is how long a client waits for an answer: now and then not at all.
func patience() time.Duration {
	if rand.IntN(6) == 0 {
		return time.Duration(1+rand.IntN(30)) * time.Millisecond
	}
	return patient
}

// killClient writes, one call after the other. It changes only its own posts.
type killClient struct {
	run              *killRun
	login, token     string
	n                int
	topics, comments []*killPost
	votes            map[*killPost]*killVote
	patience         func() time.Duration // how long it waits for the next answer
}

// work writes until ctx ends.
func (c *killClient) work(ctx context.Context) {
	kinds := []struct {
		weight int
		do     func()
	}{
		{28, func() { c.createComment(false) }},
		{4, func() { c.createComment(true) }},
		{7, func() { c.createTopic(false) }},
		{4, func() { c.createTopic(true) }},
		{9, c.updateTopic},
		{6, c.updateComment},
		{5, c.deleteComment},
		{3, c.deleteTopic},
		{7, c.tagTopic},
		{23, c.vote},
		{1, c.run.sanctionOne},
		{2, c.reportTopic},
		{1, c.run.resolveOne},
	}
	for ctx.Err() == nil {
		at := rand.IntN(100)
		for _, k := range kinds {
			if at -= k.weight; at < 0 {
				k.do()
				break
			}
		}
	}
}

// mayBeRefused reports whether the topic or the comment that p replies to may be deleted.
func (p *killPost) mayBeRefused() bool {
	return p.topic != nil && (p.topic.mayBeDeleted() || slices.ContainsFunc(p.topic.comments, func(c *killPost) bool {
		return c.id == p.parent && c.mayBeDeleted()
	}))
}

// create sends a new post and records the outcome.
func (c *killClient) create(kind string, keyed bool, p *killPost, query string, input map[string]any) {
	w := c.run
	w.mu.Lock()
	w.posts[p.marker] = p
	w.mu.Unlock()
	var payload killPayload
	var f fate
	var code string
	if keyed {
		kind, input["idempotencyKey"] = kind+" with key", p.marker
		payload, f, code = w.insist(c.patience, kind, c.token, query, input)
	} else {
		payload, f, code = w.mutate(c.patience(), c.token, query, input)
		w.count(kind, f)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case f == acknowledged && payload.Topic == nil && payload.Comment == nil:
		// It was posted, and its topic deleted before the answer was complete.
		if p.topic == nil || !p.topic.mayBeDeleted() {
			w.wrong("%s %s: acknowledged, but not shown", kind, p.marker)
		}
		return
	case f == refused && !p.mayBeRefused(), f == unknown && keyed:
		w.wrong("%s %s: refused: %q", kind, p.marker, code)
	case f == refused:
		p.text.answered(p.text.maybe[0], refused)
	case f == acknowledged && p.topic == nil:
		p.id, w.topics, c.topics = payload.Topic.ID, append(w.topics, p), append(c.topics, p)
	case f == acknowledged:
		p.id, p.topic.comments, c.comments = payload.Comment.ID, append(p.topic.comments, p), append(c.comments, p)
	}
	if f == acknowledged {
		p.text.answered(p.text.maybe[0], f)
		if p.topic == nil {
			p.place.answered(p.place.maybe[0], f)
			for _, v := range p.tags {
				if len(v.maybe) > 0 {
					v.answered("yes", f)
				}
			}
		}
	}
}

func (c *killClient) post(kind string) *killPost {
	c.n++
	p := &killPost{marker: fmt.Sprintf("%s-%s-%d", kind, c.login, c.n), owner: c.login}
	p.text.sent(p.marker + " v0")
	return p
}

func (c *killClient) createTopic(keyed bool) {
	p, category := c.post("topic"), c.run.category()
	p.place.sent(category)
	text := p.marker + " v0"
	input := map[string]any{
		"title":    text,
		"content":  "About " + text,
		"category": map[string]any{"id": category},
		"tags":     p.furnishTags(),
	}
	if rand.IntN(2) == 0 {
		p.article = true
		input["kind"], input["link"] = "ARTICLE", p.link()
	}
	c.create("createTopic", keyed, p, opCreateTopic, input)
}

func (w *killRun) category() string { return w.categories[rand.IntN(len(w.categories))] }

// recent is the number of newest topics from which one to reply to is chosen.
const recent = 100

func (c *killClient) createComment(keyed bool) {
	w, p := c.run, c.post("comment")
	w.mu.Lock()
	if len(w.topics) == 0 {
		w.mu.Unlock()
		c.createTopic(keyed)
		return
	}
	p.topic = w.topics[len(w.topics)-1-rand.IntN(min(recent, len(w.topics)))]
	input := map[string]any{"topicId": p.topic.id, "content": p.marker + " v0"}
	if n := len(p.topic.comments); n > 0 && rand.IntN(2) == 0 {
		p.parent = p.topic.comments[rand.IntN(n)].id
		input["parentId"] = p.parent
	}
	w.mu.Unlock()
	c.create("createComment", keyed, p, opCreateComment, input)
}

// reply posts a comment in a topic, with a key.
func (c *killClient) reply(topic *killPost) {
	p := c.post("comment")
	p.topic = topic
	c.create("createComment", true, p, opCreateComment, map[string]any{"topicId": topic.id, "content": p.marker + " v0"})
}

// own returns one of the client's posts that may be changed now, or nil.
func (c *killClient) own(posts []*killPost) *killPost {
	for range min(5, len(posts)) {
		if p := posts[rand.IntN(len(posts))]; time.Now().After(p.rest) && p.deleted.sure == "" {
			return p
		}
	}
	return nil
}

// change sends a change of a post and records the outcome.
func (c *killClient) change(kind string, p *killPost, query string, input map[string]any, set map[*killValue]string) {
	w := c.run
	w.mu.Lock()
	for v, x := range set {
		v.sent(x)
	}
	w.mu.Unlock()
	_, f, code := w.mutate(c.patience(), c.token, query, input)
	w.count(kind, f)
	w.mu.Lock()
	defer w.mu.Unlock()
	if f == refused && !p.mayBeDeleted() {
		w.wrong("%s %s: refused: %s", kind, p.marker, code)
	}
	if f == unknown {
		p.rest = time.Now().Add(w.late)
	}
	for v, x := range set {
		v.answered(x, f)
	}
}

func (c *killClient) updateTopic() {
	p := c.own(c.topics)
	if p == nil {
		return
	}
	c.n++
	text := fmt.Sprintf("%s v%d", p.marker, c.n)
	input := map[string]any{"topicId": p.id, "title": text, "content": "About " + text}
	set := map[*killValue]string{&p.text: text}
	if rand.IntN(2) == 0 {
		category := c.run.category()
		input["category"] = map[string]any{"id": category}
		set[&p.place] = category
	}
	c.change("updateTopic", p, opUpdateTopic, input, set)
}

func (c *killClient) updateComment() {
	if p := c.own(c.comments); p != nil {
		c.n++
		text := fmt.Sprintf("%s v%d", p.marker, c.n)
		c.change(
			"updateComment",
			p,
			opUpdateComment,
			map[string]any{"commentId": p.id, "content": text},
			map[*killValue]string{&p.text: text},
		)
	}
}

func (c *killClient) deleteComment() {
	if p := c.own(c.comments); p != nil {
		c.change(
			"deleteComment",
			p,
			opDeleteComment,
			map[string]any{"commentId": p.id},
			map[*killValue]string{&p.deleted: "deleted"},
		)
	}
}

func (c *killClient) deleteTopic() {
	if p := c.own(c.topics); p != nil {
		deleted := map[*killValue]string{&p.deleted: "deleted"}
		c.change("deleteTopic", p, opDeleteTopic, map[string]any{"topicId": p.id}, deleted)
	}
}
