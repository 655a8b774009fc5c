package fsck

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// What is lost for good cannot be repaired: nobody knows the title that a topic had. Who
// wants a sound site again may have it forgotten. A prune forgets as little as it can; the
// repairs that follow take what depended on it out of lists, counters and indexes.

// ownPrefixes begin the keys that a store makes; other keys may be other programs'.
var ownPrefixes = []string{"{p", "{ix:", "{cat}:", "uniq:{", "rate:{", "snap:{"}

// ours reports whether a key looks like one of a store.
func ours(key string) bool {
	for _, prefix := range ownPrefixes {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// prune returns what forgets a finding that cannot be repaired, and says what is
// forgotten; "" is nothing: people can mend it, or must.
func (c *checker) prune(f finding) (x fix, loss string) {
	forget := func(keys ...string) fix {
		return fix{watch: keys, do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.Del(ctx, keys...) }}
	}
	id := f.on.id
	switch f.Rule {
	case RuleUnknownKey:
		if ours(f.Key) {
			return forget(f.Key), "the key " + f.Key
		}
	case RuleKeyType:
		return forget(f.Key), fmt.Sprintf("the key %s, which %s", f.Key, f.Detail)
	case RuleOrphanKey:
		if f.on.kind == onTopic {
			k := key.Topic(forum.TopicID(id))
			return forget(key.TopicComments(forum.TopicID(id)), key.TopicReplies(forum.TopicID(id)), key.Upvoters(k),
					key.Downvoters(k)),
				fmt.Sprintf("the votes on topic %d, and which comments it had", id)
		}
		k := key.Comment(forum.CommentID(id))
		return forget(key.CommentReplies(forum.CommentID(id)), key.Upvoters(k), key.Downvoters(k)),
			fmt.Sprintf("the votes on comment %d, and which replies it had", id)
	case RuleTopicFields, RuleTopicPartition:
		return forget(f.Key), fmt.Sprintf("topic %d, with the comments and votes on it", id)
	case RuleCommentFields, RuleCommentTopic, RuleCommentNumber:
		return forget(f.Key), fmt.Sprintf("the comment %s, with the votes on it", f.Key)
	case RuleCommentParent:
		return set(f.Key, "parent", 0), fmt.Sprintf("what the comment %s replied to", f.Key)
	case RuleTopicAuthor, RuleCommentAuthor:
		return c.bury(f), fmt.Sprintf("who the author was (%s): the account counts as deleted", f.Detail)
	case RuleUserFields, RuleUserPartition:
		return c.bury(f), fmt.Sprintf("the account of user %d, which counts as deleted", id)
	case RuleListOwner:
		return forget(f.Key, key.ListMembers(forum.ListID(id))), "the list of users " + f.Key
	case RuleSourceTwice:
		return fix{watch: []string{f.Key},
				do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HDel(ctx, f.Key, "src") }},
			"under which name " + f.Key + " was imported"
	}
	return fix{}, ""
}

// bury makes the account that a finding is about a deleted one: that of a user, or of an
// author who is not there.
func (c *checker) bury(f finding) fix {
	k := f.Key
	if f.Rule == RuleTopicAuthor || f.Rule == RuleCommentAuthor {
		var id int64
		if _, err := fmt.Sscanf(f.Detail, "user %d ", &id); err != nil || id < 1 || id > forum.MaxID {
			return set(f.Key, "author", 0)
		}
		k = key.User(forum.UserID(id))
	}
	return fix{watch: []string{k}, do: func(ctx context.Context, pipe redis.Pipeliner) {
		now := int64(c.s.Now())
		pipe.HDel(ctx, k, append([]string{"password", "following", "followers", "etime", "ltime", "armed"}, mortal...)...)
		pipe.HSet(ctx, k, "state", record.UserDeleted, "deleted", now, "topics", 0)
		pipe.HSetNX(ctx, k, "created", now)
		pipe.HSetNX(ctx, k, "rev", 1)
	}}
}
