package demo

import (
	"cmp"
	"html"
	"math"
	"slices"
	"strings"

	"agora/internal/forum"
)

const (
	// maxDepth is how deep replies nest; a reply to the topic has depth 1.
	maxDepth = 6
	// newest is the age of the newest comment.
	newest = 30 * second
	// tries is how often a duplicate text is replaced.
	tries = 30
)

// thread is the state of one topic while its comments are built.
type thread struct {
	entry
	topic int
	// said are the indexes of its comments so far.
	said []int
	// own is the topic's own replies; the other decks fit its subject.
	own, points, questions *deck
	ownLeft                int
}

// slot is the topic and time of a future comment.
type slot struct {
	topic int
	at    forum.Time
}

func (b *builder) addComments() {
	b.threads = make([]*thread, len(b.entries))
	for i, e := range b.entries {
		b.threads[i] = &thread{
			entry: e, topic: i, ownLeft: len(e.says),
			own: b.deck(e.says), points: b.deck(e.talk.points), questions: b.deck(e.talk.questions),
		}
		if e.size > 0 {
			b.threads[i].ownLeft = e.size // these have placeholders to fill in
		}
	}
	b.writer = newWriter(b)
	for _, s := range b.slots() {
		b.say(b.comment(s))
	}
}

// say adds a comment, the newest of all.
func (b *builder) say(c Comment) {
	depth := 1
	if c.Parent >= 0 {
		depth = b.depths[c.Parent] + 1
	}
	th := b.threads[c.Topic]
	th.said = append(th.said, len(b.data.Comments))
	b.data.Comments, b.depths = append(b.data.Comments, c), append(b.depths, depth)
}

// slots returns the slots of all comments, sorted by time, no two at the same time.
func (b *builder) slots() []slot {
	slots := make([]slot, 0, CommentCount)
	for i, e := range b.entries {
		start := b.data.Topics[i].CreatedAt
		room := float64(b.now - newest - second - start)
		pace := min(room/2.5, float64(2*day))
		if e.size > 0 {
			pace = room / 2.5
		}
		for range e.comments {
			wait := pace * b.rng.ExpFloat64()
			if b.chance(0.08) || wait >= room {
				wait = room * math.Sqrt(b.rng.Float64()) // an old topic was found again
			}
			slots = append(slots, slot{i, start + second + forum.Time(wait)})
		}
	}
	slices.SortStableFunc(slots, func(x, y slot) int { return cmp.Compare(x.at, y.at) })
	for i := 1; i < len(slots); i++ {
		slots[i].at = max(slots[i].at, slots[i-1].at+1)
	}
	last := &slots[len(slots)-1]
	last.at = max(last.at, b.now-newest)
	return slots
}

// comment returns the comment for a slot.
func (b *builder) comment(s slot) Comment {
	th := b.threads[s.topic]
	c := Comment{Topic: s.topic, Parent: b.parent(th), CreatedAt: s.at, Format: forum.Markdown}
	c.Author = b.commenter(th, c.Parent)
	c.Content = b.writer.text(th, c)
	if b.chance(0.04) && !strings.ContainsAny(c.Content, "`*#|[~>") && !strings.Contains(c.Content, "\n-") {
		c.Format, c.Content = forum.HTML, toHTML(c.Content)
	}
	c.Upvotes = int(7 * math.Pow(b.rng.Float64(), 3))
	if b.chance(0.03) {
		c.Upvotes += b.rng.IntN(40)
	}
	c.Downvotes = int(3.2 * math.Pow(b.rng.Float64(), 6))
	return c
}

// parent returns the comment of the thread to reply to, or -1 for the topic.
func (b *builder) parent(th *thread) int {
	toTopic := 0.42
	if th.size > 0 {
		toTopic = 0.55
	}
	n := len(th.said)
	if n == 0 || b.chance(toTopic) {
		return -1
	}
	at := n - 1 - int(math.Pow(b.rng.Float64(), 2)*float64(min(n, 12)))
	if b.depths[th.said[at]] >= maxDepth {
		return -1
	}
	return th.said[at]
}

// commenter returns the author of a comment: sometimes the topic's author, never the author of the
// parent.
func (b *builder) commenter(th *thread, parent int) int {
	asked := b.data.Topics[th.topic].Author
	answered := asked
	if parent >= 0 {
		answered = b.data.Comments[parent].Author
		if answered != asked && b.chance(0.22) {
			return asked
		}
	}
	for {
		if i := b.speaker(th.talk.tongue.code); i != answered {
			return i
		}
	}
}

// toHTML converts plain paragraphs to HTML.
func toHTML(text string) string {
	paragraphs := strings.Split(html.EscapeString(text), "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = "<p>" + strings.ReplaceAll(p, "\n", "<br>\n") + "</p>"
	}
	return strings.Join(paragraphs, "\n")
}
