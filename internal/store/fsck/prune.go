package fsck

import (
	"fmt"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
)

// Lost data cannot be repaired: the title of a topic, for example, is stored only once. A prune
// deletes what remains of such objects, as little as it can. The repairs that follow remove
// references to them from lists, counters and indexes.

// prune returns the fix that deletes what cannot be repaired, and describes the loss; "" if there
// is no such fix and people must decide.
func (c *checker) prune(f check.Found) (x check.Fix, loss string) {
	id := f.On.ID
	switch f.Rule {
	case RuleUnknownKey:
		if catalogue.Ours(f.Key) {
			return check.Remove(f.Key), "the key " + f.Key
		}
	case RuleKeyType:
		return check.Remove(f.Key), fmt.Sprintf("the key %s, which %s", f.Key, f.Detail)
	case check.RuleOrphanKey:
		if f.On.Kind == check.OnTopic {
			k := key.Topic(forum.TopicID(id))
			return check.Remove(key.TopicComments(forum.TopicID(id)), key.TopicReplies(forum.TopicID(id)),
					key.Upvoters(k),
					key.Downvoters(k)),
				fmt.Sprintf("the votes on topic %d, and the list of its comments", id)
		}
		k := key.Comment(forum.CommentID(id))
		return check.Remove(key.CommentReplies(forum.CommentID(id)), key.Upvoters(k), key.Downvoters(k)),
			fmt.Sprintf("the votes on comment %d, and the list of its replies", id)
	case RuleTopicFields, RuleTopicPartition:
		return check.Remove(f.Key), fmt.Sprintf("topic %d, with the comments and votes on it", id)
	case RuleCommentFields, RuleCommentTopic, RuleCommentNumber:
		return check.Remove(f.Key), fmt.Sprintf("the comment %s, with the votes on it", f.Key)
	case RuleCommentParent:
		return check.Set(f.Key, "parent", 0), fmt.Sprintf("the parent of the comment %s", f.Key)
	case RuleTopicAuthor, RuleCommentAuthor:
		return c.markDeleted(f), fmt.Sprintf("the author (%s); the account becomes a deleted one", f.Detail)
	case RuleUserFields, RuleUserPartition:
		return c.markDeleted(f), fmt.Sprintf("the account of user %d, which becomes a deleted one", id)
	case RuleInvitationUse:
		return check.Unset(f.Key, "invitation"), fmt.Sprintf("who invited user %d", id)
	case RuleRejection:
		return check.Unset(f.Key, "rejection"), fmt.Sprintf("that the account of user %d was rejected", id)
	case RuleField:
		return check.Command("hdel", f.Key, f.Lost.Field), fmt.Sprintf("the field %q of %s", f.Lost.Field, f.Key)
	case RuleListOwner:
		return check.Remove(f.Key, key.ListMembers(forum.ListID(id))), "the list of users " + f.Key
	case RuleSourceTwice:
		return check.Unset(f.Key, "src"), "the name under which " + f.Key + " was imported"
	}
	return check.Fix{}, ""
}

// markDeleted returns a fix that turns an account into a deleted one: the finding's user, or its missing
// author.
func (c *checker) markDeleted(f check.Found) check.Fix {
	k := f.Key
	if f.Rule == RuleTopicAuthor || f.Rule == RuleCommentAuthor {
		if id := f.Lost.Author; id < 1 || id > forum.MaxID {
			return check.Set(f.Key, "author", 0)
		}
		k = key.User(f.Lost.Author)
	}
	now := int64(c.Engine.Now())
	return check.All(check.Unset(k, slices.Concat(mortal, []string{"followers", "etime", "ltime", "armed"})...),
		check.Set(k, "state", catalogue.UserDeleted, "deleted", now, "topics", 0),
		check.Command("hsetnx", k, "created", now), check.Command("hsetnx", key.Internal(k), "rev", 1))
}
