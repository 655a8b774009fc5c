package moderation

import (
	"context"
	"fmt"
	"strconv"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// An act on all posts of a user is in the user's slot, with the list of the posts that it hides. A task hides these one
// by one, with the scripts of Moderate, and another one restores them if the act is reverted. Each post remembers the
// latest act that reached it, and which act hid it. So passes may be repeated, be late, or meet other moderators.

// HiddenPosts is the result of HidePosts.
type HiddenPosts struct {
	// Act is the act that hides them; 0 if there is nothing to hide.
	Act forum.ActID
	// Count is how many posts it hides, Left how many it leaves because there are more than forum.MaxHiddenPosts.
	Count, Left int
}

// HidePosts records that all posts of a user from a time on, 0 for all, are hidden, and has a task hide them. These are
// the listed topics and the live comments in listed topics, the latest topics first. It returns errors as Warn does, and
// STALE as long as such a task for the user is not done.
func (s *Store) HidePosts(ctx context.Context, by *forum.Viewer, id forum.UserID, since forum.Time,
	why forum.Grounds) (HiddenPosts, error) {
	p, name := id.Partition(), record.PostsTask(id)
	call := script.PostsHide{
		Rank: acts.Rank(by, s.engine.Now()), User: key.User(id), Profile: key.Profile(id),
		Comments: key.UserCommentsContainer(id).Order(key.OrderCreated), Due: key.Due(p), Task: key.Task(p, name),
		UserID: id, Since: since, Most: forum.MaxHiddenPosts, Life: key.ActPostsLife, TaskName: name,
	}
	call.Creation, call.Act = s.acts.Recording(p, by, why)
	s.engine.Step("posts_hide")
	done, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return HiddenPosts{}, fmt.Errorf("hide posts of user %d: %w", id, record.ScriptError(err))
	}
	act, err := s.actedOn(ctx, id, forum.ActHidePosts, done.Act, call.Act)
	return HiddenPosts{Act: act, Count: int(done.Hides), Left: int(done.Left)}, err
}

// restorePosts reverts an act of kind HIDE_POSTS: a task restores what it hid and what nobody has restored or hidden
// since. It returns errors as Revert does.
func (s *Store) restorePosts(ctx context.Context, by *forum.Viewer, a *forum.Act, why forum.Grounds) error {
	id, p, name := a.Member, a.ID.Partition(), record.PostsTask(a.Member)
	call := script.PostsRestore{
		Rank: acts.Rank(by,
			s.engine.Now()), User: key.User(id), Undone: key.Act(a.ID), Due: key.Due(p), Task: key.Task(p, name),
		UserID: id, UndoneID: key.Itoa(a.ID), HiddenSince: s.engine.Now() - forum.HiddenLife, TaskName: name,
	}
	call.Creation, call.Act = s.acts.Recording(p, by, why)
	s.engine.Step("posts_restore")
	done, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err == nil {
		_, err = s.actedOn(ctx, id, forum.ActRestorePosts, done.Act, call.Act)
	}
	return record.ScriptError(err)
}

// postsPass is the maximum number of posts that one pass hides or restores.
const postsPass = 100

// runPosts runs one pass of the task that carries out the latest act on all posts of a user.
func (s *Store) runPosts(ctx context.Context, user forum.UserID, cursor string) (next string, done bool, err error) {
	b := s.engine.Client.Batch()
	latest := record.Get(ctx, b, key.User(user), "postsAct")
	if err := b.Exec(ctx); err != nil {
		return "", false, fmt.Errorf("act on the posts of user %d: %w", user, err)
	}
	id := forum.ActID(latest().Int("postsAct"))
	found, err := s.acts.Acts(ctx, []forum.ActID{id})
	if err != nil {
		return "", false, err
	}
	a := found[0]
	if a == nil {
		return "", false, fmt.Errorf("user %d has no act %d on posts", user, id)
	}
	from := record.Atoi(cursor)
	n, err := s.moderatePosts(ctx, a, from, from+postsPass)
	return strconv.FormatInt(from+n, 10), n < postsPass, err
}

// moderatePosts hides or restores the posts of an act from one place up to another one. It returns how many these are.
func (s *Store) moderatePosts(ctx context.Context, a *forum.Act, from, to int64) (n int64, err error) {
	names, err := s.engine.Client.Redis.ZRange(ctx, key.ActPosts(a.Hiding()), from, to-1).Result()
	if err != nil {
		return 0, fmt.Errorf("posts of act %d: %w", a.ID, err)
	}
	for _, name := range names {
		if err := s.moderatePost(ctx, a, name); err != nil {
			return 0, err
		}
	}
	return int64(len(names)), nil
}

// moderatePost hides or restores one post for an act on all posts of its author. What was deleted since stays so, and a
// topic whose category was deleted stays hidden.
func (s *Store) moderatePost(ctx context.Context, a *forum.Act, name string) error {
	on, err := record.ParseSubject(name)
	if err != nil {
		return fmt.Errorf("posts of act %d: %w", a.ID, err)
	}
	m := Moderation{Action: forum.ActHide, Grounds: a.Grounds, posts: a}
	if a.Kind == forum.ActRestorePosts {
		m.Action = forum.ActRestore
	}
	_, err = s.Moderate(ctx, &forum.Viewer{Role: forum.RoleModerator}, on, m)
	if code := forum.CodeOf(err); code == forum.CodeNotFound || code == forum.CodeInvalid {
		return nil
	}
	return err
}

// CarryOut hides or restores the posts of an act, as its task does.
func (s *Store) CarryOut(ctx context.Context, a *forum.Act) error {
	_, err := s.moderatePosts(ctx, a, 0, forum.MaxHiddenPosts)
	return err
}

// rank returns the rank of who moderates, above all others if the moderation carries out an act that was permitted.
func (m Moderation) rank(by *forum.Viewer, now forum.Time) script.Rank {
	if m.posts != nil {
		return script.Rank{Standing: 5, RankAt: now}
	}
	return acts.Rank(by, now)
}

// allPosts returns what a script needs to carry out an act on all posts of the author.
func (m Moderation) allPosts() script.AllPosts {
	if m.posts == nil {
		return script.AllPosts{}
	}
	return script.AllPosts{PostsAct: int64(m.posts.ID), Undone: int64(m.posts.Reverses)}
}
