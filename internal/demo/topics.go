package demo

import (
	"cmp"
	"math"
	"slices"

	"agora/internal/forum"
)

// tutorialAge is the age of the tutorials' topic in days.
const tutorialAge = 11.4

// seed is the content of a topic.
type seed struct {
	title, body string
	// about refers to the topic in the middle of a sentence.
	about string
	// says are replies that only fit this topic; talk has the others.
	says []string
	talk *talk
	// category is an index into Data.Categories, or none.
	category int
	// size is the number of comments; 0 means any.
	size   int
	format forum.ContentFormat
	link   string
	number int64
}

func (b *builder) addTopics() {
	for _, s := range b.texts.topics {
		b.entries = append(b.entries, entry{seed: s})
	}
	b.rng.Shuffle(len(b.entries), func(i, j int) { b.entries[i], b.entries[j] = b.entries[j], b.entries[i] })
	ages := b.ages()
	for i, e := range b.entries {
		b.data.Topics = append(b.data.Topics, b.topic(e, ages[i]))
	}
	b.sortTopics()
	b.shareComments()
	for i := range b.data.Topics {
		b.rate(i)
	}
}

// ages returns the ages of the topics in days. Most are young.
func (b *builder) ages() []float64 {
	ages := make([]float64, len(b.entries))
	for i, e := range b.entries {
		u := (float64(i) + b.rng.Float64()) / float64(len(ages))
		ages[i] = 0.004 + (float64(span/day)-0.1)*math.Pow(u, 2.2)
		if e.number != 0 {
			ages[i] = tutorialAge
		} else if e.size > 0 {
			ages[i] = max(ages[i], 3) // long threads take days to grow
		}
	}
	return ages
}

func (b *builder) topic(e entry, age float64) Topic {
	topic := Topic{
		Kind: forum.Discussion, Title: e.title, Content: e.body, Format: e.format,
		Author: b.speaker(e.talk.tongue.code), Category: e.category, CreatedAt: b.ago(age), Number: e.number,
	}
	if e.link != "" {
		topic.Kind, topic.Link = forum.Article, e.link
	}
	if e.number != 0 {
		topic.Author = slices.IndexFunc(b.texts.members, func(m member) bool { return m.login == tutorialAuthor })
	}
	return topic
}

// sortTopics sorts topics and entries by time.
func (b *builder) sortTopics() {
	type pair struct {
		topic Topic
		entry entry
	}
	pairs := make([]pair, len(b.entries))
	for i := range pairs {
		pairs[i] = pair{b.data.Topics[i], b.entries[i]}
	}
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(x.topic.CreatedAt, y.topic.CreatedAt) })
	for i, p := range pairs {
		b.data.Topics[i], b.entries[i] = p.topic, p.entry
	}
}

// shareComments sets how many comments each topic gets: those set in the seeds, the others skewed,
// with a cap so that a small stock of texts does not repeat.
func (b *builder) shareComments() {
	left := CommentCount
	weights := make([]float64, len(b.entries))
	var open []int
	for i := range b.entries {
		if n := b.entries[i].size; n > 0 {
			b.entries[i].comments = n
			left -= n
			continue
		}
		if b.chance(0.1) && b.entries[i].talk.most > 20 {
			continue // no replies
		}
		weights[i] = 0.03 + math.Pow(b.rng.Float64(), 3)
		open = append(open, i)
	}
	for left > 0 {
		i := open[b.rng.IntN(len(open))]
		// Young topics have had less time.
		youth := min(1, float64(b.now-b.data.Topics[i].CreatedAt)/float64(day)+0.1)
		if b.entries[i].comments < b.entries[i].talk.most && b.chance(weights[i]*youth) {
			b.entries[i].comments++
			left--
		}
	}
}

// rate sets votes and clicks, in proportion to the number of comments.
func (b *builder) rate(i int) {
	topic, e := &b.data.Topics[i], b.entries[i]
	topic.Upvotes = int(9 * math.Pow(b.rng.Float64(), 2) * (1 + float64(e.comments)/12))
	topic.Downvotes = int(4 * math.Pow(b.rng.Float64(), 4))
	switch {
	case topic.Kind == forum.Article:
		topic.Upvotes = 12 + int(170*math.Pow(b.rng.Float64(), 2))
		topic.Downvotes = b.rng.IntN(2 + topic.Upvotes/8)
	case e.comments >= 80:
		topic.Upvotes = 205 + b.rng.IntN(220)
		topic.Downvotes = 3 + b.rng.IntN(12)
	}
	if topic.Kind == forum.Article && b.chance(0.2) {
		topic.Upvotes += 200
	}
	topic.Clicks = 15 + b.rng.IntN(60) + topic.Upvotes*(2+b.rng.IntN(5)) + e.comments*(6+b.rng.IntN(20))
}
