package demo

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"agora/internal/store/moderation"
	"agora/internal/test/testlevel"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/whole"
)

func TestBotPostsShortDistinctReplies(t *testing.T) {
	b := build(someNow)
	bot := &Bot{builder: b, on: b.busiest()}
	const replies = 2_000
	said, on, answers := map[string]int{}, map[int]int{}, 0
	for range replies {
		c := bot.next()
		b.say(c)
		checkText(t, c.Content)
		said[c.Content]++
		on[c.Topic]++
		if c.Parent >= 0 {
			answers++
			if b.data.Comments[c.Parent].Topic != c.Topic {
				t.Fatalf("%q answers a comment on another topic", c.Content)
			}
		}
		if n := utf8.RuneCountInString(c.Content); n < 1 || n > botLength {
			t.Errorf("%q has %d code points; want 1 to %d", c.Content, n, botLength)
		}
		if c.Author == 0 {
			t.Errorf("the user as whom visitors sign in posted %q", c.Content)
		}
	}
	if len(said) < replies*99/100 {
		t.Errorf("%d different texts of %d; want nearly all", len(said), replies)
	}
	if answers < replies/4 || answers > replies*3/4 {
		t.Errorf("%d of %d replies answer a comment; want about half", answers, replies)
	}
	tutorial := bot.on[0].topic
	if b.data.Topics[tutorial].Number != TutorialNumber || len(on) != 1+botTopics || on[tutorial] != replies/2 {
		t.Errorf("replies by topic: %v; want half of them on %d, and %d topics", on, tutorial, 1+botTopics)
	}
}

// The bot posts once at each tick, repeats what failed, drops refused replies, and ends when it has
// posted all its replies.
func TestBotPosts(t *testing.T) {
	testlevel.Usual(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var down atomic.Bool
	rdb := redistest.New(t)
	rdb.AddHook(redistest.Hook(func(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
		if down.Load() {
			return redistest.Fail(cmds, errors.New("no Redis"))
		}
		return next(ctx, cmds)
	}))
	s := must.Do(store.Open(ctx, store.Over(rdb), store.Layout{}))(t)
	defer s.Close()
	made := must.Do(Seed(ctx, s, ""))(t)
	bot := made.Bot(s, slog.New(slog.DiscardHandler))
	bot.left = 2
	ticks, ended := make(chan time.Time), make(chan struct{})
	go func() { // ends with the second reply
		defer close(ended)
		bot.Run(ctx, ticks)
	}()
	ticks <- time.Time{}
	ticks <- time.Time{}
	<-ended

	bot.left = 1
	down.Store(true)
	if err := bot.post(ctx); err == nil || bot.unsent == nil || bot.left != 1 {
		t.Fatalf("a reply without Redis: %v, unsent %v, %d left; want an error, and the reply unsent", err,
			bot.unsent, bot.left)
	}
	kept := bot.unsent.Content
	down.Store(false)
	if err := bot.post(ctx); err != nil || bot.unsent != nil || bot.left != 0 {
		t.Fatalf("the reply again: %v, unsent %v, %d left; want it posted", err, bot.unsent, bot.left)
	}
	if got := bot.builder.data.Comments[CommentCount+2].Content; got != kept {
		t.Errorf("the reply again is %q; want %q", got, kept)
	}
	checkReplies(ctx, t, s, bot, made.users, 3)

	bot.left = 1
	topic := made.topics[bot.on[1+bot.turn/2%botTopics].topic] // of the next reply
	must.Do(s.Moderation.Moderate(ctx, &forum.Viewer{ID: made.users[1], Role: forum.RoleAdmin},
		forum.Subject{Topic: topic},
		moderation.Moderation{Action: forum.ActHide, Grounds: forum.Grounds{Reason: forum.ReasonOther}}))(t)
	if err := bot.post(ctx); forum.CodeOf(err) == "" || bot.unsent != nil {
		t.Errorf("a reply on a deleted topic: %v, unsent %v; want a refusal that is not retried", err, bot.unsent)
	}
	if err := bot.post(ctx); err != nil || bot.left != 0 {
		t.Errorf("the reply after it: %v, %d left; want it posted", err, bot.left)
	}
}

// checkReplies compares the stored replies with those of the bot.
func checkReplies(ctx context.Context, t *testing.T, s *store.Store, bot *Bot, users []forum.UserID, n int) {
	t.Helper()
	if site, err := s.Stats(ctx); err != nil || site.Comments != CommentCount+n {
		t.Errorf("the site has %+v, %v; want %d comments more than %d", site, err, n, CommentCount)
	}
	r := s.Read(ctx)
	read := whole.Comments(r, bot.comments[CommentCount:])
	must.OK(t, r.Exec())
	stored, err := read()
	if err != nil || len(stored) != n {
		t.Fatalf("the bot's comments: %v, %v; want %d", stored, err, n)
	}
	for i, made := range bot.builder.data.Comments[CommentCount:] {
		if c := stored[i]; c.Content != made.Content || c.AuthorID != users[made.Author] ||
			c.TopicID != bot.topics[made.Topic] || c.CreatedAt > s.Engine.Now() {
			t.Errorf("comment %d = %+v; want the bot's: %+v", i, c, made)
		}
	}
}

func TestBotEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	(&Bot{left: 1}).Run(ctx, nil)
}
