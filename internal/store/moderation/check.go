package moderation

import (
	"cmp"
	"context"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// The rules of this package.
const (
	// RuleActPosts: the posts that an act hides are posts of its member, and the act, or the one that undid it, has reached
	// each that was not deleted, unless a task will. Repair has it reach them, and removes what is no such post.
	RuleActPosts check.Rule = "act-posts"
	// RuleBan: a ban has a scope, an end, a reason and an act that was not ended; who is banned from signing in has no
	// sessions. Repair ends them, and removes what is left of no ban.
	RuleBan check.Rule = "ban"
)

// onBan is the kind of target that is the ban of a user.
const onBan check.Kind = "ban"

// checks are the checks of moderation.
type checks struct{ *Store }

// Checks returns what is checked of bans, and of the posts that acts hide.
func (s *Store) Checks() check.Subject {
	c := checks{s}
	return check.Subject{
		Kinds: map[check.Kind]func(*check.Look){onBan: c.ban},
		With: map[check.Kind]func(check.Target) ([]check.Target, []check.List){
			check.OnUser: func(on check.Target) ([]check.Target, []check.List) {
				return []check.Target{{Kind: onBan, ID: on.ID}}, nil
			},
		},
		Keys: map[catalogue.Object]func(*check.Look, catalogue.Key){
			catalogue.OfActPosts: func(l *check.Look, k catalogue.Key) { c.actPosts(l, forum.ActID(k.ID)) },
		},
		Tasks: map[record.TaskKind]check.Task{
			record.TaskPosts: check.TaskOfAuthor(func(cursor string) bool {
				n := record.Atoi(cursor)
				return cursor == "" || 0 < n && n <= forum.MaxHiddenPosts && key.Itoa(n) == cursor
			}),
		},
	}
}

// ban checks the ban of an active user: its act is one that banned the user and was not ended, and who is banned from
// signing in has no sessions.
func (c checks) ban(l *check.Look) {
	id := forum.UserID(l.On.ID)
	f := l.Fetch(key.User(id), append([]string{"state"}, record.BanFields...)...)
	if f["state"] != catalogue.UserActive {
		return
	}
	ban := record.ParseBan(f)
	if ban == nil {
		left := slices.DeleteFunc(slices.Clone(record.BanFields), func(name string) bool { return f[name] == "" })
		if len(left) > 0 {
			l.Add(RuleBan, key.User(id), check.Unset(key.User(id), left...), "has %q, but no ban", left)
		}
		return
	}
	a, sessions := l.Fields(key.Act(forum.ActID(f.Int("banAct"))), []string{"kind", "member", "reversedBy"}),
		l.Exists(key.Sessions(id))
	l.Wait()
	if act := a(); !slices.Contains(forum.BanScopes, ban.Scope) || !f.IsWhole("banUntil", 0) ||
		!slices.Contains(forum.Reasons, ban.Reason) || act["kind"] != string(forum.ActBan) ||
		act["member"] != key.Itoa(id) || act["reversedBy"] != "" {
		l.Add(RuleBan, key.User(id), check.Fix{}, "is banned from %q until %q for %q by act %q: %q of user %q, ended by %q",
			f["ban"], f["banUntil"], f["banReason"], f["banAct"], act["kind"], act["member"], act["reversedBy"])
	} else if check.Exists(sessions) && ban.BarsSignIn(c.engine.Now()) {
		l.Add(RuleBan, key.Sessions(id), check.Remove(key.Sessions(id)).Given(key.User(id)),
			"is banned from signing in, but has sessions")
	}
}

// actPosts checks the posts that an act on all posts of a user hides. The act is read before the task, and the task before
// the posts: if there is no task, it has reached them.
func (c checks) actPosts(l *check.Look, id forum.ActID) {
	k := l.On.Key
	f := l.Fetch(key.Act(id), record.ActFields...)
	a, err := record.ParseAct(id, f)
	switch {
	case len(f) == 0 || err == nil && a.Kind != forum.ActHidePosts:
		l.Add(RuleActPosts, k, check.Remove(k), "act %d is %q and hides no posts", id, f["kind"])
		return
	case err != nil: // it has a finding of its own
		return
	}
	task := l.Exists(key.Task(id.Partition(), record.PostsTask(a.Member)))
	l.Wait()
	posts := l.ZSet(k)
	l.Wait()
	if task.Val() > 0 {
		l.Postpone()
		return
	}
	check.Each(l, posts.Val(), func(l *check.Look, z redis.Z) { c.actPost(l, a, z.Member.(string)) })
}

// actPost checks one of the posts.
func (c checks) actPost(l *check.Look, a *forum.Act, name string) {
	on, err := record.ParseSubject(name)
	var post record.Fields
	if err == nil {
		post = l.Fetch(key.Subject(on), "author", "deleted", "topic", "postsAct")
	}
	if post["author"] != key.Itoa(a.Member) {
		l.Add(RuleActPosts, l.On.Key, check.Drop(l.On.Key, name), "%q is not a post of user %d", name, a.Member)
		return
	}
	topic := l.Fetch(key.Topic(forum.TopicID(post.Int("topic"))), "deleted") // of a comment
	latest := cmp.Or(a.ReversedBy, a.ID)
	if post["deleted"]+topic["deleted"] == "" && forum.ActID(post.Int("postsAct")) < latest {
		l.Add(RuleActPosts, key.Subject(on), check.Call(c.CarryOutAct, latest),
			"act %d has not reached it, but %q has", latest, post["postsAct"])
	}
}

// CarryOutAct hides or restores the posts that an act hides or restores.
func (s *Store) CarryOutAct(ctx context.Context, id forum.ActID) error {
	acts, err := s.acts.Acts(ctx, []forum.ActID{id})
	if err != nil || acts[0] == nil {
		return err
	}
	return s.CarryOut(ctx, acts[0])
}
