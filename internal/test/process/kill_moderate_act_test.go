package process

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"agora/internal/forum"
)

const (
	opModerate   = `mutation($i: ModerateInput!) { r: moderate(input: $i) { changed act { id action } errors { code } } }`
	opRedact     = `mutation($i: RedactRevisionInput!) { r: redactRevision(input: $i) { changed act { id action } errors { code } } }`
	opResolveAct = `mutation($i: ResolveReportsInput!) { r: resolveReports(input: $i) { changed act { id action } errors { code } } }`
	opPostTopic  = `mutation($i: CreateTopicInput!) { r: createTopic(input: $i) { topic { id state } errors { code } } }`
	opPostReply  = `mutation($i: CreateCommentInput!) { r: createComment(input: $i) { comment { id state } errors { code } } }`
	opModPost    = `query($id: ID!) { r: node(id: $id) {
		... on Topic { id topicState: state title revision category { id } revisions(first: 100) { nodes { number isRedacted title } } }
		... on Comment { id state content revision number revisions(first: 100) { nodes { number isRedacted content } } } } }`
)

// seenPost is a post as a moderator sees it.
type seenPost struct {
	ID, State, TopicState, Title, Content string
	Revision, Number                      int
	Category                              *seenID
	Revisions                             struct {
		Nodes []struct {
			Number         int
			IsRedacted     bool
			Title, Content string
		}
	}
}

// work posts and acts until ctx ends.
func (d *modClient) work(ctx context.Context) {
	kinds := []struct {
		weight int
		do     func()
	}{
		{10, d.postTopic},
		{14, d.postComment},
		{20, d.approve},
		{5, func() { d.toggle("HIDE", "RESTORE", func(p *modPost) *bool { return &p.hidden }) }},
		{12, func() { d.toggle("LOCK", "UNLOCK", func(p *modPost) *bool { return &p.locked }) }},
		{7, d.pin},
		{8, d.move},
		{14, d.edit},
		{4, d.redact},
		{3, d.reportPost},
		{3, d.resolve},
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

// pick returns one of the posts that meets the condition and may be used now, or nil.
func (d *modClient) pick(posts []*modPost, that func(*modPost) bool) *modPost {
	for range min(10, len(posts)) {
		p := posts[rand.IntN(len(posts))]
		if time.Now().After(p.rest) && (p.topic == nil || time.Now().After(p.topic.rest)) && that(p) {
			d.look(p)
			return p
		}
	}
	return nil
}

func (d *modClient) all() []*modPost { return slices.Concat(d.topics, d.comments) }

func anyPost(*modPost) bool { return true }

// look reads a post, now and then, and compares it: each process that has started since must show it.
func (d *modClient) look(p *modPost) {
	if rand.IntN(3) > 0 {
		return
	}
	a, err := d.run.ask(patient, d.run.moderator, opModPost, map[string]any{"id": p.id})
	var seen *seenPost
	if err != nil || len(a.Errors) > 0 { // it was killed
		return
	}
	if err := json.Unmarshal(a.Data.R, &seen); err != nil {
		d.run.site.t.Errorf("node %s: %s: %v", p.id, a.Data.R, err)
		return
	}
	d.compare(p, seen)
}

// compare checks that a post is as it must be.
func (d *modClient) compare(p *modPost, seen *seenPost) {
	w := d.run
	if seen == nil {
		w.gone("%s is gone", p.marker)
		return
	}
	text := seen.Content
	if p.topic == nil {
		text, seen.State = seen.Title, seen.TopicState
	}
	if seen.State != p.state() || text != p.texts[len(p.texts)-1] || seen.Revision != len(p.texts) {
		w.gone("%s is %s, revision %d, %q; want %s, %d, %q", p.marker, seen.State, seen.Revision, text, p.state(),
			len(p.texts), p.texts[len(p.texts)-1])
	}
	if p.topic == nil && (seen.Category == nil || seen.Category.ID != d.categories[p.place]) {
		w.gone("%s is in %v; want %s", p.marker, seen.Category, d.categories[p.place])
	}
	if p.topic != nil && (seen.Number == 0) != p.held {
		w.gone("%s has number %d; held: %t", p.marker, seen.Number, p.held)
	}
	kept := 0
	if len(p.texts) > 1 {
		kept = min(len(p.texts), forum.MaxRevisions)
	}
	// Edits of a comment are those of its author: merged, unless it was approved or somebody has reacted to it.
	mayMerge := p.topic != nil && len(p.texts) > 1 || p.followed
	if len(seen.Revisions.Nodes) != kept && !mayMerge {
		w.gone("%s has %d revisions; want %d", p.marker, len(seen.Revisions.Nodes), kept)
	}
	for _, r := range seen.Revisions.Nodes {
		text := r.Title + r.Content
		if r.Number > len(p.texts) || text != p.texts[r.Number-1] || r.IsRedacted != p.redacted[r.Number-1] {
			w.gone("%s: revision %d is %q, redacted: %t; want %q, %v", p.marker, r.Number, text, r.IsRedacted, p.texts,
				p.redacted)
		}
	}
}

// create posts, with a key.
func (d *modClient) create(kind, query string, p *modPost, text string, input map[string]any) {
	input["idempotencyKey"] = p.marker
	known := d.isKnown() // when the call is sent, which may be long before its answer
	made, tries, code := d.run.insistOn(kind, d.token, query, input)
	post := made.Topic
	if p.topic != nil {
		post = made.Comment
	}
	if code != "" || post == nil {
		d.run.site.t.Errorf("%s %s: refused: %q", kind, p.marker, code)
		return
	}
	p.id, p.held, p.texts, p.redacted = post.ID, post.State == "HELD", []string{text}, []bool{false}
	if post.State != p.state() || known && p.held != (d.approved < heldPosts) {
		d.run.site.t.Errorf("%s %s is %s, after %d that were approved", kind, p.marker, post.State, d.approved)
	}
	d.called(p, tries)
	if p.topic == nil {
		d.topics = append(d.topics, p)
	} else {
		d.comments = append(d.comments, p)
	}
}

// called leaves a post alone for a while if a call may still be in progress.
func (d *modClient) called(p *modPost, tries int) {
	if tries > 1 {
		p.rest = time.Now().Add(d.run.late)
	}
}

func (d *modClient) postTopic() {
	d.n++
	p := &modPost{marker: fmt.Sprintf("topic-%s-%d", d.login, d.n), place: rand.IntN(2)}
	text := p.marker + " v0"
	d.create("createTopic", opPostTopic, p, text, map[string]any{"title": text, "content": "About " + text,
		"category": map[string]any{"id": d.categories[p.place]}})
}

func (d *modClient) postComment() {
	topic := d.pick(d.topics, (*modPost).open)
	if topic == nil {
		return
	}
	d.n++
	p := &modPost{marker: fmt.Sprintf("comment-%s-%d", d.login, d.n), topic: topic}
	text := p.marker + " v0 for @helper0" + staying
	input := map[string]any{"topicId": topic.id, "content": text}
	if parent := d.pick(d.comments, func(c *modPost) bool { return c.topic == topic && c.open() }); parent != nil {
		input["parentId"], parent.followed = parent.id, true
	}
	d.create("createComment", opPostReply, p, text, input)
}

// moderate does something to a post as the moderator. The act is want, which is action except for APPROVE.
func (d *modClient) moderate(p *modPost, action, want string, more map[string]any) {
	input := map[string]any{"subjectId": p.id, "action": action, "reason": "OTHER", "note": p.marker}
	maps.Copy(input, more)
	d.act("moderate "+action, p, want, opModerate, input)
}

// act sends what a moderator does, and remembers that it is done.
func (d *modClient) act(kind string, p *modPost, want, query string, input map[string]any) {
	made, tries, code := d.run.insistOn(kind, d.run.moderator, query, input)
	p.acts = append(p.acts, want)
	none := want == "UNREDACT" && tries > 1 && made.Act == nil // after it nothing is in force
	if code != "" || !none && (made.Act == nil || made.Act.Action != want) || tries == 1 && !made.Changed {
		d.run.wrong("%s of %s, %s: refused: %q; payload %+v, act %+v, sent %d times", kind, p.marker, p.state(), code, made,
			made.Act, tries)
	}
	d.called(p, tries)
}

// approve publishes what is held, or hides it.
func (d *modClient) approve() {
	p := d.pick(d.all(), func(p *modPost) bool {
		return p.held && !p.hidden && (p.topic == nil || p.topic.listed())
	})
	switch {
	case p == nil:
	case rand.IntN(5) == 0:
		d.moderate(p, "HIDE", "HIDE", nil)
		p.hidden = true
	default:
		d.restore(p)
	}
}

func (d *modClient) restore(p *modPost) {
	d.moderate(p, "RESTORE", p.restores(), nil)
	if p.held {
		if d.approved++; d.approved == heldPosts {
			d.known = time.Now()
		}
	}
	p.held, p.hidden = false, false
}

// toggle does something to a post, or ends it.
func (d *modClient) toggle(do, undo string, flag func(*modPost) *bool) {
	p := d.pick(d.all(), func(p *modPost) bool {
		return do == "LOCK" || !p.held || p.hidden && (p.topic == nil || p.topic.listed())
	})
	switch {
	case p == nil:
	case !*flag(p):
		d.moderate(p, do, do, nil)
		*flag(p) = true
	case undo == "RESTORE":
		d.restore(p)
	default:
		d.moderate(p, undo, undo, nil)
		*flag(p) = false
	}
}

// pin pins a topic in its category, or no longer. No more than forum.MaxPins are pinned, so none is dropped.
func (d *modClient) pin() {
	pins := 0
	for _, p := range d.topics {
		if p.pinned {
			pins++
		}
	}
	p := d.pick(d.topics, func(p *modPost) bool { return p.pinned || p.listed() && pins < forum.MaxPins })
	if p == nil {
		return
	}
	action := "PIN"
	if p.pinned {
		action = "UNPIN"
	}
	d.moderate(p, action, action, map[string]any{"place": "CATEGORY"})
	p.pinned = !p.pinned
}

func (d *modClient) move() {
	if p := d.pick(d.topics, anyPost); p != nil {
		d.moderate(p, "MOVE", "MOVE", map[string]any{"category": map[string]any{"id": d.categories[1-p.place]}})
		p.place, p.pinned = 1-p.place, false
	}
}

// staying is most of each text of a comment: of an approved one of a new member it must stay.
var staying = "\n\n" + strings.Repeat("These words stay. ", 20)

// edit writes another revision. The author of a topic and the moderator take turns, so that none is merged with the one
// before. The author is refused as long as posts of the member are held.
func (d *modClient) edit() {
	p := d.pick(d.all(), (*modPost).open)
	if p == nil || !d.isKnown() {
		return
	}
	token, n := d.token, len(p.texts)
	text := fmt.Sprintf("%s v%d", p.marker, n)
	kind, query := "updateTopic", opUpdateTopic
	input := map[string]any{"topicId": p.id, "title": text, "expectedRevision": n}
	if p.topic != nil {
		text += staying
		kind, query = "updateComment", opUpdateComment
		input = map[string]any{"commentId": p.id, "content": text, "expectedRevision": n}
	}
	author := p.topic != nil || n%2 == 0 // the author wrote the first one
	if !author {
		token, input["reason"], p.acts = d.run.moderator, "OTHER", append(p.acts, "EDIT")
	}
	_, tries, code := d.run.insistOn(kind+" with expectedRevision", token, query, input)
	if author && d.approved < heldPosts {
		if code != string(forum.CodeNewMember) {
			d.run.wrong("%s of %s by a new member: %q; want NEW_MEMBER", kind, p.marker, code)
		}
		return
	}
	if code != "" && (code != "CONFLICT" || tries == 1) { // CONFLICT: a call whose answer was lost has done it
		d.run.wrong("%s of %s: refused: %s", kind, p.marker, code)
	}
	p.texts, p.redacted = append(p.texts, text), append(p.redacted, false)
	d.called(p, tries)
}

// redact takes an earlier text of the author out of sight, or shows it again.
func (d *modClient) redact() {
	p := d.pick(d.topics, func(p *modPost) bool { return len(p.texts) > 1 && len(p.texts) < forum.MaxRevisions })
	if p == nil {
		return
	}
	i := rand.IntN(len(p.texts)/2) * 2 // the author's, without the present one
	want := "REDACT"
	if p.redacted[i] {
		want = "UNREDACT"
	}
	d.act("redactRevision", p, want, opRedact, map[string]any{"subjectId": p.id, "number": i + 1,
		"redacted": !p.redacted[i], "reason": "OTHER"})
	p.redacted[i] = !p.redacted[i]
}

// reportPost reports a post as one who has not reported it yet, and not too much.
func (d *modClient) reportPost() {
	p := d.pick(d.all(), func(p *modPost) bool {
		return p.listed() && (p.topic == nil || p.topic.listed()) && p.reports < modReporters
	})
	if p == nil || d.reported >= modReporters*forum.ReportsPerMinute/2 {
		return
	}
	p.followed = true
	_, tries, code := d.run.insistOn("report", d.reporters[p.reports], opReport,
		map[string]any{"subjectId": p.id, "reason": "SPAM"})
	d.reported += tries
	switch {
	case code == "RATE_LIMITED" && tries == 1:
		return
	case code == "RATE_LIMITED": // one of the calls before may have done it
		p.rest = time.Now().Add(time.Hour)
		p.reports = -1
		return
	case code != "":
		d.run.wrong("report of %s: refused: %s", p.marker, code)
	}
	p.reports++
	d.called(p, tries)
}

// resolve resolves the reports on a post.
func (d *modClient) resolve() {
	p := d.pick(d.all(), func(p *modPost) bool { return p.reports > p.resolved })
	if p == nil {
		return
	}
	outcome, want := "UPHELD", "UPHOLD"
	if rand.IntN(2) == 0 {
		outcome, want = "DISMISSED", "DISMISS"
	}
	d.act("resolveReports", p, want, opResolveAct, map[string]any{"subjectId": p.id, "throughReport": p.reports,
		"outcome": outcome})
	p.resolved, p.outcome = p.reports, outcome
}
