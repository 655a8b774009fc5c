package fsck

import (
	"cmp"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// actPosts checks the posts that an act on all posts of a user hides. The act is read before the task, and the task before
// the posts: if there is no task, it has reached them.
func (l *look) actPosts(id forum.ActID) {
	k := l.on.key
	f := l.fetch(key.Act(id), record.ActFields...)
	a, err := record.ParseAct(id, f)
	switch {
	case len(f) == 0 || err == nil && a.Kind != forum.ActHidePosts:
		l.add(RuleActPosts, k, remove(k), "act %d is %q and hides no posts", id, f["kind"])
		return
	case err != nil: // it has a finding of its own
		return
	}
	task := l.exists(key.Task(id.Partition(), record.PostsTask(a.Member)))
	l.wait()
	posts := l.zset(k)
	l.wait()
	if task.Val() > 0 {
		l.postpone()
		return
	}
	each(l, posts.Val(), func(l *look, z redis.Z) { l.actPost(a, z.Member.(string)) })
}

// actPost checks one of the posts.
func (l *look) actPost(a *forum.Act, name string) {
	on, err := record.ParseSubject(name)
	var post record.Fields
	if err == nil {
		post = l.fetch(key.Subject(on), "author", "deleted", "topic", "postsAct")
	}
	if post["author"] != key.Itoa(a.Member) {
		l.add(RuleActPosts, l.on.key, drop(l.on.key, name), "%q is not a post of user %d", name, a.Member)
		return
	}
	topic := l.fetch(key.Topic(forum.TopicID(post.Int("topic"))), "deleted") // of a comment
	latest := cmp.Or(a.ReversedBy, a.ID)
	if post["deleted"]+topic["deleted"] == "" && forum.ActID(post.Int("postsAct")) < latest {
		l.add(RuleActPosts, key.Subject(on), call(l.repairer.CarryOut, latest), "act %d has not reached it, but %q has",
			latest, post["postsAct"])
	}
}
