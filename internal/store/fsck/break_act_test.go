package fsck

import (
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/categories"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/moderation"
	"agora/internal/test/must"
)

// banned bans bob from posting, and returns the act and its member in lists.
func (x *checkSite) banned(scope forum.BanScope) (forum.ActID, string) {
	x.t.Helper()
	act, _, err := x.Moderation.Ban(x.ctx, x.mod, x.bob.ID, forum.Ban{Scope: scope, Grounds: because})
	wantOK(x.t, "Ban", err)
	wantOK(x.t, "Flush", x.Flush(x.ctx))
	return act, record.Member(forum.Time(record.Atoi(x.hash(key.Act(act))["created"])), int64(act))
}

// renamed renames a category, and returns the act and its member in lists.
func (x *checkSite) renamed() (forum.ActID, string) {
	x.t.Helper()
	name := "Chai"
	wantOK(x.t, "UpdateCategory", x.Categories.UpdateCategory(x.ctx, x.talk,
		categories.CategoryChange{Name: &name, Fold: &name, By: x.mod}))
	wantOK(x.t, "Flush", x.Flush(x.ctx))
	act := forum.ActID(record.Atoi(x.hash(key.Category(x.talk))["act"]))
	return act, record.Member(forum.Time(record.Atoi(x.hash(key.Act(act))["created"])), int64(act))
}

// ruled changes a rule of the site, and returns the act and its member in lists.
func (x *checkSite) ruled() (forum.ActID, string) {
	x.t.Helper()
	wantOK(x.t, "UpdateRules", x.Rules.Update(x.ctx, x.mod, map[string]int{"newMemberLinks": 2}, false))
	wantOK(x.t, "Flush", x.Flush(x.ctx))
	id, at, err := record.ParseMember(x.rdb.ZRange(x.ctx, key.ModerationLogOf(forum.ActUpdateRules), -1, -1).Val()[0])
	wantOK(x.t, "ParseMember", err)
	return forum.ActID(id), record.Member(forum.Time(at), id)
}

// moderated makes bob a moderator of a category, which it returns.
func (x *checkSite) moderated() forum.CategoryID {
	x.t.Helper()
	id := must.Do(x.Categories.CreateCategory(x.ctx, "Tea", "tea", ""))(x.t)
	must.Do(x.Acts.SetModerators(x.ctx, x.mod, id, []acts.ModeratorChange{{User: x.bob.ID, On: true, Field: "add.0"}},
		because))(x.t)
	wantOK(x.t, "Flush", x.Flush(x.ctx))
	return id
}

// hidPosts hides all posts of bob's, and returns the act.
func (x *checkSite) hidPosts() forum.ActID {
	x.t.Helper()
	done := must.Do(x.Moderation.HidePosts(x.ctx, x.mod, x.bob.ID, 0, because))(x.t)
	x.runTasks()
	return done.Act
}

// runTasks runs all tasks that are due.
func (x *checkSite) runTasks() {
	x.t.Helper()
	for n := 1; n > 0; {
		wantOK(x.t, "Flush", x.Flush(x.ctx))
		n = must.Do(x.Engine.RunDueTasks(x.ctx))(x.t)
	}
	wantOK(x.t, "Flush", x.Flush(x.ctx))
}

var actBreaks = []siteBreak{
	{"an act of an unknown kind", acts.RuleActFields, func(x *checkSite) {
		act, _ := x.banned(forum.BanPost)
		x.do("HSET", key.Act(act), "kind", "SCOLD")
	}, stays},
	{"an act that did not end the one it ends", acts.RuleActPair, func(x *checkSite) {
		first, _ := x.banned(forum.BanPost)
		x.banned(forum.BanSignIn)
		x.do("HDEL", key.Act(first), "reversedBy")
	}, fixed},
	{"an act that no other one ended", acts.RuleActPair, func(x *checkSite) {
		_, err := x.Moderation.Warn(x.ctx, x.mod, x.bob.ID, because)
		wantOK(x.t, "Warn", err)
		wantOK(x.t, "Flush", x.Flush(x.ctx))
		acts := x.rdb.ZRange(x.ctx, key.UserRecord(x.bob.ID), -1, -1).Val()
		id, _, _ := record.ParseMember(acts[0])
		x.do("HSET", key.Act(forum.ActID(id)), "reversedBy", "9999872")
	}, fixed},
	{"an act that the log lacks", acts.RuleActList, func(x *checkSite) {
		_, member := x.banned(forum.BanPost)
		x.do("ZREM", key.ModerationLog, member)
	}, fixed},
	{"an act that the user's record lacks", acts.RuleActList, func(x *checkSite) {
		_, member := x.banned(forum.BanPost)
		x.do("ZREM", key.UserRecord(x.bob.ID), member)
	}, fixed},
	{"an act at another time", acts.RuleActList, func(x *checkSite) {
		_, member := x.banned(forum.BanPost)
		x.do("ZADD", key.ModerationLogOf(forum.ActBan), 77, member)
	}, fixed},
	{"an act in the list of another kind", acts.RuleActStray, func(x *checkSite) {
		_, member := x.banned(forum.BanPost)
		x.do("ZADD", key.ModerationLogOf(forum.ActWarn), 77, member)
	}, fixed},
	{"an entry of the log without an act", acts.RuleActStray,
		func(x *checkSite) { x.do("ZADD", key.ModerationLog, 77, record.Member(77, 9999872)) }, fixed},
	{"an act of which the member was not told", acts.RuleActTold, func(x *checkSite) {
		act, _ := x.banned(forum.BanPost)
		subject := record.EncodeSubject(forum.Subject{Act: act})
		seq := x.hash(key.Note(x.bob.ID))[subject]
		x.do("HDEL", key.Note(x.bob.ID), subject, seq)
		x.do("ZREM", key.Notes(x.bob.ID), seq)
		x.do("ZREM", key.Unread(x.bob.ID), seq)
	}, fixed},
	{"a ban without an act", moderation.RuleBan, func(x *checkSite) {
		x.banned(forum.BanPost)
		x.do("HDEL", key.User(x.bob.ID), "banAct")
	}, stays},
	{"what is left of no ban", moderation.RuleBan, func(x *checkSite) { x.do("HSET", key.User(x.bob.ID), "banUntil", 77) }, fixed},
	{"a session of one who is banned from signing in", moderation.RuleBan, func(x *checkSite) {
		x.Session(x.bob.ID, strings.Repeat("b", 64), forum.SessionLife)
		session := x.hash(key.Sessions(x.bob.ID))
		x.banned(forum.BanSignIn)
		for digest, value := range session {
			x.do("HSET", key.Sessions(x.bob.ID), digest, value)
		}
		x.do("EXPIRE", key.Sessions(x.bob.ID), 31*24*60*60)
	}, fixed},
	{"an act on a category that the log lacks", acts.RuleActList, func(x *checkSite) {
		_, member := x.renamed()
		x.do("ZREM", key.ModerationLog, member)
	}, fixed},
	{"an act on a category that does not say what it changed", acts.RuleActFields, func(x *checkSite) {
		act, _ := x.renamed()
		x.do("HSET", key.Act(act), "detail", "{}")
	}, stays},
	{"an act on a category with the id of another", acts.RuleActFields, func(x *checkSite) {
		act, _ := x.renamed()
		x.do("HSET", key.Act(act), "subject", "u"+key.Itoa(x.bob.ID))
	}, stays},
	{"an old mark of an act on a category", check.RuleMarkOld, func(x *checkSite) {
		act, _ := x.renamed()
		x.do("ZADD", key.SectionActMarks, int64(x.Engine.Now()-check.MarkLife-1), "m:"+key.Itoa(act))
	}, swept},
	{"a mark of no act on a category", RuleMarkOrphan, func(x *checkSite) {
		x.do("ZADD", key.SectionActMarks, int64(x.Engine.Now()), "m:"+key.Itoa(forum.ActID(forum.MaxSectionActID)))
	}, swept},
	{"a mark of an act on the site among those on categories", RuleMarkOrphan, func(x *checkSite) {
		act, _ := x.ruled()
		x.do("ZADD", key.SectionActMarks, int64(x.Engine.Now()), "m:"+key.Itoa(act))
	}, swept},
	{"an old mark of an act on the site", check.RuleMarkOld, func(x *checkSite) {
		act, _ := x.ruled()
		x.do("ZADD", key.SiteActMarks, int64(x.Engine.Now()-check.MarkLife-1), "m:"+key.Itoa(act))
	}, swept},
	{"an act on the site that the log lacks", acts.RuleActList, func(x *checkSite) {
		_, member := x.ruled()
		x.do("ZREM", key.ModerationLog, member)
	}, fixed},
	{"an act on the site with the id of another", acts.RuleActFields, func(x *checkSite) {
		act, _ := x.ruled()
		x.do("HSET", key.Act(act), "subject", "k"+key.Itoa(x.talk))
	}, stays},
	{"the posts of an act that does not exist", moderation.RuleActPosts, func(x *checkSite) {
		k := key.ActPosts(9999872)
		x.do("ZADD", k, 1, "t"+key.Itoa(x.moved))
		x.do("PEXPIRE", k, key.ActPostsLife.Milliseconds())
	}, fixed},
	{"a post of another among those of an act", moderation.RuleActPosts, func(x *checkSite) {
		x.do("ZADD", key.ActPosts(x.hidPosts()), 77, "t"+key.Itoa(x.thread))
	}, fixed},
	{"a topic that an act has not reached", moderation.RuleActPosts, func(x *checkSite) {
		x.hidPosts()
		x.do("HDEL", key.Internal(key.Topic(x.moved)), "postsAct")
	}, fixed},
	{"a comment that only the act before the latest has reached", moderation.RuleActPosts, func(x *checkSite) {
		act := x.hidPosts()
		_, err := x.Moderation.Revert(x.ctx, x.mod, act, because)
		wantOK(x.t, "Revert", err)
		x.runTasks()
		x.do("HSET", key.Internal(key.Comment(x.root)), "postsAct", key.Itoa(act))
	}, fixed},
	{"a moderator whom the category lacks", acts.RuleModerators, func(x *checkSite) {
		id := x.moderated()
		x.do("DEL", key.CategoryModerators(id))
	}, fixed},
	{"a moderator who moderates nothing", acts.RuleModerators, func(x *checkSite) {
		id := x.moderated()
		x.do("ZADD", key.CategoryModerators(id), 7, key.Itoa(x.ann.ID))
	}, fixed},
	{"a deleted account that moderates a category", acts.RuleModerators, func(x *checkSite) {
		id := x.moderated()
		x.do("ZADD", key.CategoryModerators(id), 7, key.Itoa(x.eve))
	}, fixed},
	{"a deleted category that is moderated", acts.RuleModerators, func(x *checkSite) {
		x.moderated()
		x.do("HSET", key.User(x.ann.ID), "moderates", "7 "+key.Itoa(x.lost), "moderatesRev", 1)
	}, fixed},
}

// Neither a deleted account nor a deleted category leaves a moderator behind.
func TestModeratorsGoWithAccountAndCategory(t *testing.T) {
	x := newCheckSite(t)
	first, second := x.moderated(), x.Category("coffee")
	must.Do(x.Acts.SetModerators(x.ctx, x.mod, second, []acts.ModeratorChange{{User: x.bob.ID, On: true,
		Field: "add.0"},
		{User: x.ann.ID, On: true, Field: "add.1"}}, because))(t)
	wantOK(t, "Flush", x.Flush(x.ctx))

	wantOK(t, "DeleteCategory", x.Categories.DeleteCategory(x.ctx, nil, second))
	wantOK(t, "Flush", x.Flush(x.ctx))
	for id, want := range map[forum.UserID]string{x.bob.ID: key.Itoa(first), x.ann.ID: ""} {
		if got := x.hash(key.User(id))["moderates"]; got != want {
			t.Errorf("after DeleteCategory, user %d moderates %q; want %q", id, got, want)
		}
	}
	if r := x.check(false); r.Found > 0 {
		t.Errorf("after DeleteCategory found %v; want nothing", r.Findings)
	}

	wantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(x.ctx, x.bob.ID, x.hash(key.User(x.bob.ID))["password"]))
	x.runTasks()
	if score := x.rdb.ZScore(x.ctx, key.CategoryModerators(first), key.Itoa(x.bob.ID)).Val(); score >= 0 {
		t.Errorf("after DeleteAccount, user %d moderates category %d: score %v", x.bob.ID, first, score)
	}
	if f := x.hash(key.User(x.bob.ID)); f["moderates"]+f["moderatesRev"] != "" {
		t.Errorf("after DeleteAccount, user %d moderates %q", x.bob.ID, f["moderates"])
	}
	if r := x.check(false); r.Found > 0 {
		t.Errorf("after DeleteAccount found %v; want nothing", r.Findings)
	}
}

// What moderators do leaves nothing that check complains of.
func TestModerationIsSound(t *testing.T) {
	x := newCheckSite(t)
	x.banned(forum.BanPost)
	x.banned(forum.BanSignIn)
	x.moderated()
	must.Do(x.Moderation.Unban(x.ctx, x.mod, x.bob.ID, because))(t)
	x.hidPosts()
	wantOK(t, "Flush", x.Flush(x.ctx))
	if r := x.check(false); len(r.Findings) > 0 {
		t.Errorf("found %v; want nothing", r.Findings)
	}
}
