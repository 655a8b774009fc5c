package demo

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/posts"
)

const (
	// BotEvery is how often the bot posts.
	BotEvery = 4 * time.Second
	// BotReplies is how many replies it posts, for about eleven hours, so that a forgotten demo
	// does not grow forever. Deleting old replies would not help, because each leaves a tombstone.
	BotReplies = 10_000
	// botTopics is how many topics it posts on in addition to the tutorials' one.
	botTopics = 3
	// botLength is the maximum length of its texts, in code points.
	botLength = 200
)

// Bot posts replies on some topics of the demo as its users, so that visitors see activity. Every
// other reply is on the tutorials' topic.
type Bot struct {
	store    *store.Store
	log      *slog.Logger
	builder  *builder
	users    []forum.UserID
	comments []forum.CommentID // of the builder's comments, in order
	known    logins

	topics []forum.TopicID // of the threads
	on     []*thread       // where it posts in turn, the tutorials' topic first
	turn   int
	left   int      // remaining replies
	unsent *Comment // not written yet after an error
}

// Bot returns a bot that continues the demo data. There must be only one.
func (m Seeded) Bot(s *store.Store, log *slog.Logger) *Bot {
	return &Bot{
		store: s, log: log, builder: m.builder, users: m.users, topics: m.topics, comments: m.comments,
		known: known(m.Data, m.users), on: m.builder.busiest(), left: BotReplies,
	}
}

// busiest returns the threads that the bot posts on: the tutorials' one, and the longest of some
// other categories in English.
func (b *builder) busiest() []*thread {
	sorted := slices.Clone(b.threads)
	slices.SortStableFunc(sorted, func(x, y *thread) int {
		if order := cmp.Compare(y.number, x.number); order != 0 {
			return order // only the tutorials' topic has a number
		}
		return cmp.Compare(len(y.said), len(x.said))
	})
	var found []*thread
	taken := map[int]bool{}
	for _, th := range sorted {
		if len(found) <= botTopics && !taken[th.category] && th.talk.tongue.code == "" {
			found, taken[th.category] = append(found, th), true
		}
	}
	return found
}

// Run posts one reply at each tick, until ctx is done or all replies are posted. Errors are logged,
// and the reply is retried at the next tick.
func (b *Bot) Run(ctx context.Context, ticks <-chan time.Time) {
	for b.left > 0 {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
		}
		if err := b.post(ctx); err != nil && ctx.Err() == nil {
			b.log.Warn("demo bot could not reply", "error", err)
		}
	}
	b.log.Info("demo bot has posted all its replies")
}

// post posts a reply: the one that failed last time, or a new one.
func (b *Bot) post(ctx context.Context) error {
	if b.unsent == nil {
		c := b.next()
		b.unsent = &c
	}
	c := *b.unsent
	in := posts.NewComment{Topic: b.topics[c.Topic], Content: c.Content, Format: c.Format,
		Mentions: b.known.mentionedIn(c)}
	if c.Parent >= 0 {
		in.Parent = b.comments[c.Parent]
	}
	id, err := b.store.Posts.CreateComment(ctx, &forum.Viewer{ID: b.users[c.Author], Role: forum.RoleUser}, in)
	if err == nil {
		b.builder.say(c)
		b.comments = append(b.comments, id)
		b.left--
	}
	if err == nil || forum.CodeOf(err) != "" { // a refused reply would be refused again
		b.unsent = nil
	}
	if err != nil {
		return fmt.Errorf("reply on topic %d: %w", in.Topic, err)
	}
	return nil
}

// next returns a short reply without markup, and not by the user as whom visitors sign in.
func (b *Bot) next() Comment {
	th := b.on[0]
	if b.turn%2 == 1 {
		th = b.on[1+b.turn/2%(len(b.on)-1)]
	}
	b.turn++
	for {
		c := b.builder.comment(slot{topic: th.topic})
		plain := c.Format == forum.Markdown && c.Content != "" && !strings.Contains(c.Content, "\n")
		if c.Author != 0 && plain && utf8.RuneCountInString(c.Content) <= botLength {
			return c
		}
	}
}
