// Package takeout finds what belongs to one user, for the user: ids, and what is stored with them, in pages. What the
// objects show is read as for any viewer.
package takeout

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// Item is an object that concerns the user.
type Item struct {
	Subject forum.Subject
	Tag     forum.TagID // if the subject is none
	List    forum.ListID
	// Timeline is the name of a timeline, if it is none of these.
	Timeline string
	// At is when the user began to follow, keep or read it, voted on it or reported it; 0 if that is not known.
	At forum.Time
	// Vote is the user's vote.
	Vote forum.VoteDirection
	// Reason and Note are those of the user's report.
	Reason forum.Reason
	Note   *string
	// On is the list of users that it is on.
	On forum.ListID
	// External is the user's account at an issuer, if it is that.
	External forum.External
	// ReadThrough is the number of the comment up to which the user has read.
	ReadThrough int64
}

// Pager returns the next page of items, which may be empty, what reading it took, in commands, and whether there are
// more. A page has some thousand items at most.
type Pager func(ctx context.Context) (items []Item, commands int, more bool, err error)

// Pages are the pagers of a user's items by the names of the files that they are for.
func Pages(s *store.Store, user forum.UserID) map[string]Pager {
	return pages(&reader{rdb: s.Engine.Client, user: user})
}

func pages(t *reader) map[string]Pager {
	edges := func(k string, parse func(member string) (Item, error)) Pager {
		return t.set(k, func(z redis.Z) (Item, error) {
			i, err := parse(z.Member.(string))
			i.At = forum.Time(z.Score / 1000) // Unix µs
			return i, err
		})
	}
	return map[string]Pager{
		"topics":           t.scan(func(p forum.Partition) bool { return p == t.user.Partition() }, topics, wrote),
		"comments":         t.scan(everywhere, comments, wrote),
		"revisions":        t.scan(everywhere, posts, edited),
		"votes":            inTurn(t.set(key.VoteLog(t.user), logged), t.scan(everywhere, posts, voted)),
		"reports":          t.scan(everywhere, subjects, reported),
		"follows":          inTurn(edges(key.Following(t.user), userItem), edges(key.Subjects(t.user), container)),
		"blocks":           edges(key.Blocked(t.user), userItem),
		"bookmarks":        edges(key.Bookmarks(t.user), topicItem),
		"watched":          edges(key.Watching(t.user), topicItem),
		"read-marks":       t.marks(),
		"sign-in-accounts": t.externals(),
		"lists":            t.set(key.Lists(t.user), func(z redis.Z) (Item, error) { return listItem(z.Member.(string)) }),
		"list-members":     t.listMembers(edges),
	}
}

func userItem(member string) (Item, error) {
	id, err := forum.ParseID[forum.UserID](member)
	return Item{Subject: forum.Subject{User: id}}, err
}

func topicItem(member string) (Item, error) {
	id, err := forum.ParseID[forum.TopicID](member)
	return Item{Subject: forum.Subject{Topic: id}}, err
}

func listItem(member string) (Item, error) {
	id, err := forum.ParseID[forum.ListID](member)
	return Item{List: id}, err
}

// container parses a category or tag that the user follows.
func container(member string) (Item, error) {
	if id, ok := strings.CutPrefix(member, "c"); ok {
		category, err := forum.ParseID[forum.CategoryID](id)
		return Item{Subject: forum.Subject{Category: category}}, err
	}
	return Item{Tag: forum.TagID(record.Atoi(strings.TrimPrefix(member, "g")))}, nil
}

// logged parses a vote on an article.
func logged(z redis.Z) (Item, error) {
	i, err := topicItem(z.Member.(string))
	i.At = forum.Time(int64(z.Score) / 4)
	i.Vote = [...]forum.VoteDirection{forum.VoteNone, forum.VoteUp, forum.VoteDown, forum.VoteNone}[int64(z.Score)%4]
	return i, err
}

// reader reads what belongs to a user.
type reader struct {
	rdb  *pipeline.Client
	user forum.UserID
}

// pageSize is how many members of a set are read at a time.
const pageSize = 500

// set returns the pager of a sorted set, the latest first. What is added meanwhile may shift what follows, so that an
// item comes twice.
func (t *reader) set(k string, parse func(redis.Z) (Item, error)) Pager {
	from := int64(0)
	return func(ctx context.Context) (items []Item, commands int, more bool, err error) {
		members, err := t.rdb.Redis.ZRevRangeWithScores(ctx, k, from, from+pageSize-1).Result()
		if err != nil {
			return nil, 0, false, fmt.Errorf("read %s: %w", k, err)
		}
		from += int64(len(members))
		for _, z := range members {
			item, err := parse(z)
			if err != nil {
				return nil, 0, false, fmt.Errorf("member %q of %s: %w", z.Member, k, err)
			}
			items = append(items, item)
		}
		return items, 1 + len(members), len(members) == pageSize, nil
	}
}

// inTurn returns what one pager has, and then what the other has.
func inTurn(first, second Pager) Pager {
	next, last := first, false
	return func(ctx context.Context) ([]Item, int, bool, error) {
		items, commands, more, err := next(ctx)
		if !more && !last {
			next, last, more = second, true, true
		}
		return items, commands, more, err
	}
}

// marks returns the pager of the user's read marks.
func (t *reader) marks() Pager {
	return func(ctx context.Context) (items []Item, commands int, more bool, err error) {
		marks, err := t.rdb.Redis.HGetAll(ctx, key.Marks(t.user)).Result()
		if err != nil {
			return nil, 0, false, fmt.Errorf("read marks: %w", err)
		}
		for mark, value := range marks {
			if name, ok := strings.CutPrefix(mark, "l"); ok {
				items = append(items, Item{Timeline: name, At: forum.Time(record.Atoi(value))})
				continue
			}
			item, err := topicItem(strings.TrimPrefix(mark, "t"))
			if err != nil {
				return nil, 0, false, fmt.Errorf("read mark %q: %w", mark, err)
			}
			item.ReadThrough = record.Atoi(value)
			items = append(items, item)
		}
		return items, 1 + len(marks), false, nil
	}
}

// externals returns the pager of the user's accounts at issuers.
func (t *reader) externals() Pager {
	return func(ctx context.Context) (items []Item, commands int, more bool, err error) {
		all, err := t.rdb.Redis.HGetAll(ctx, key.Externals(t.user)).Result()
		if err != nil {
			return nil, 0, false, fmt.Errorf("read accounts at issuers: %w", err)
		}
		for _, entry := range all {
			if a, ok := record.ParseExternal(entry); ok {
				items = append(items, Item{External: a.External})
			}
		}
		return items, 1, false, nil
	}
}

// listMembers returns the pager of the users on the user's lists.
func (t *reader) listMembers(edges func(string, func(string) (Item, error)) Pager) Pager {
	var lists []string
	begun := false
	var members Pager
	return func(ctx context.Context) (items []Item, commands int, more bool, err error) {
		if !begun {
			if lists, err = t.rdb.Redis.ZRange(ctx, key.Lists(t.user), 0, -1).Result(); err != nil {
				return nil, 0, false, fmt.Errorf("read lists: %w", err)
			}
			begun = true
			return nil, 1, len(lists) > 0, nil
		}
		on, err := forum.ParseID[forum.ListID](lists[0])
		if err != nil {
			return nil, 0, false, err
		}
		if members == nil {
			members = edges(key.ListMembers(on), userItem)
		}
		items, commands, more, err = members(ctx)
		for i := range items {
			items[i].On = on
		}
		if !more {
			lists, members = lists[1:], nil
		}
		return items, commands, len(lists) > 0, err
	}
}
