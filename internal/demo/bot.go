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
)

const (
	// BotEvery is how often the bot posts.
	BotEvery = 4 * time.Second
	// BotReplies is how many replies it posts, those of eleven hours: a demo that is
	// forgotten does not grow for ever. Deleting old ones would not do, because what is
	// deleted leaves a tombstone.
	BotReplies = 10_000
	// botTopics is how many topics it posts on besides the tutorials' one.
	botTopics = 3
	// botLength is how long its texts are at most, in code points.
	botLength = 200
)

// Bot goes on with some topics of the demo as if its users were still there, so that
// there is something to see for who watches. Every other reply is on the tutorials' topic.
type Bot struct {
	store    *store.Store
	log      *slog.Logger
	builder  *builder
	users    []forum.UserID
	comments []forum.CommentID // of those of the builder's data, in order
	known    logins

	topics []forum.TopicID // of the threads
	on     []*thread       // where it posts in turns, the tutorials' topic first
	turn   int
	left   int      // how many replies it may still post
	unsent *Comment // what could not be written yet
}

// Bot makes a bot that goes on with what was written. There must be only one.
func (m Seeded) Bot(s *store.Store, log *slog.Logger) *Bot {
	return &Bot{
		store: s, log: log, builder: m.builder, users: m.users, topics: m.topics, comments: m.comments,
		known: known(m.Data, m.users), on: m.builder.busiest(), left: BotReplies,
	}
}

// busiest are the threads the bot posts on: the tutorials' one, and the longest of some
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

// Run posts one reply at each tick, until ctx is done or it has posted as many as it may.
// What fails is logged, and tried again at the next tick.
func (b *Bot) Run(ctx context.Context, ticks <-chan time.Time) {
	for b.left > 0 {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
		}
		if err := b.post(ctx); err != nil && ctx.Err() == nil {
			b.log.Warn("the demo's bot could not reply", "error", err)
		}
	}
	b.log.Info("the demo's bot has posted all its replies")
}

// post posts a reply: the one that could not be written the last time, or a new one.
func (b *Bot) post(ctx context.Context) error {
	if b.unsent == nil {
		c := b.next()
		b.unsent = &c
	}
	c := *b.unsent
	in := store.NewComment{Topic: b.topics[c.Topic], Content: c.Content, Format: c.Format,
		Mentions: b.known.mentionedIn(c)}
	if c.Parent >= 0 {
		in.Parent = b.comments[c.Parent]
	}
	id, err := b.store.CreateComment(ctx, &forum.Viewer{ID: b.users[c.Author], Role: forum.RoleUser}, in)
	if err == nil {
		b.builder.say(c)
		b.comments = append(b.comments, id)
		b.left--
	}
	if err == nil || forum.CodeOf(err) != "" { // what is refused once would be refused again
		b.unsent = nil
	}
	if err != nil {
		return fmt.Errorf("reply on topic %d: %w", in.Topic, err)
	}
	return nil
}

// next makes a short reply in plain words, and not by the user as whom visitors sign in.
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
