package fsck

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/bulk"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	built "agora/internal/test/site"
	texts "agora/internal/text"
)

// checkSite is a small site with one of everything.
type checkSite struct {
	*site
	ann, bob, mod     *forum.Viewer
	talk, news, empty forum.CategoryID
	lost              forum.CategoryID // deleted
	tab, other        forum.TabID
	thread            forum.TopicID     // by ann in talk, with comments
	root, child, leaf forum.CommentID   // bob's comment on it, ann's reply, bob's reply to that, deleted
	second            forum.CommentID   // another one on the thread
	moved             forum.TopicID     // by bob, from talk to news
	article           forum.TopicID     // by bob, in no category
	deleted           forum.TopicID     // by ann, with comments
	half              forum.TopicID     // deleted, its task remains
	on                []forum.CommentID // comments on deleted and half
	eve               forum.UserID      // deleted
	left              forum.TopicID     // by eve, with a comment of hers
	member            forum.UserID      // imported, as are the following
	guest, leaver     forum.UserID      // with accounts at an issuer; the latter is deleted
	friend            forum.UserID      // invited by mod
	applied, refused  forum.UserID      // have applied
	brought, nobodys  forum.TopicID     // by the member, with clicks; by the ghost
	reply             forum.CommentID   // by the member on the topic brought
	closed            forum.TopicID     // by ann, an article after voting; one of its sets has expired
	unread            forum.TopicID     // by the ghost, an article without votes of local users
	today             forum.CommentID   // on the thread; all others are a day older
	cyd               forum.UserID      // the home is not maintained
	friends, none     forum.ListID      // ann's lists: bob and ann; empty
	fans              forum.ListID      // bob's list: ann
	status            forum.TopicID     // by ann
	top               forum.Timeline    // has a snapshot
	crew, gone        forum.GroupID     // of ann, managed by bob; deleted
}

// checkSiteMade is the site, created once for all tests, because creating it takes long.
var checkSiteMade struct {
	sync.Mutex
	site *checkSite
	keys map[string]frozenKey
	now  forum.Time
}

// newCheckSite returns a copy of the site.
func newCheckSite(t testing.TB) *checkSite {
	t.Helper()
	m := &checkSiteMade
	m.Lock()
	defer m.Unlock()
	if m.site == nil {
		x := makeCheckSite(t)
		x.Engine.Cleaner.Flush()
		m.site, m.keys, m.now = x, x.freeze(), x.Engine.Now()
	}
	x := *m.site
	x.site = thawed(t, m.keys)
	x.at(m.now)
	return &x
}

// makeCheckSite creates the site through the store's own mutations, over a week that ends now:
// Redis expires keys by its own clock, which must agree with the store's at the end.
func makeCheckSite(t testing.TB) *checkSite {
	t.Helper()
	x := &checkSite{site: newSite(t)}
	now := forum.Time(time.Now().UnixMilli())
	x.at(now - forum.VotingWindow - forum.Time(forum.ExpiryGrace.Milliseconds()/2))
	x.ann, x.bob, x.mod = x.User("ann"), x.User("bob"), x.Moderator("mod")
	x.talk, x.news, x.empty, x.lost = x.Category("talk"), x.Category("news"), x.Category("empty"), x.Category("lost")
	x.tab, x.other = x.Tab("first", x.talk, x.news), x.Tab("second", x.talk)
	x.closed = x.Post(link(x.ann))
	x.Cast(x.bob, x.closed, forum.VoteUp)
	x.Cast(x.mod, x.closed, forum.VoteDown)
	x.at(now - 24*3_600_000)
	x.writeThread()
	x.at(now)
	x.do("DEL", key.Downvoters(key.Topic(x.closed)))
	x.today = x.Comment(x.bob, x.thread, 0)
	x.guest, x.leaver = x.external("7"), x.external("8")
	wantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(x.ctx, x.leaver, ""))
	x.friend = x.invite("friend")
	x.applied, x.refused = x.apply("waiting"), x.apply("refused")
	_, _, err := x.Accounts.ResolveApplication(x.ctx, x.mod, x.refused, false, because)
	wantOK(t, "ResolveApplication", err)
	x.writeOthers()
	x.voteAndTag()
	x.Turn(x.mod, forum.Target{Category: x.lost}, true)
	wantOK(t, "DeleteCategory", x.Categories.DeleteCategory(x.ctx, nil, x.lost))
	x.Session(x.ann.ID, strings.Repeat("a1", 32), forum.SessionLife)
	x.Session(x.ann.ID, strings.Repeat("b2", 32), time.Hour)
	must.Do(x.Sessions.CreateToken(x.ctx, x.ann, forum.APIToken{Digest: strings.Repeat("d4", 32), Name: "Robot",
		Scopes: []forum.Scope{forum.ScopeRead, forum.ScopePost}}))(t)
	registered := account("cyd")
	registered.Key = "register"
	cyd := must.Do(x.Accounts.Register(x.ctx, registered))(t)
	x.cyd = cyd
	x.meet()
	x.changeAccounts()
	x.importThings()
	x.makeGroups()
	x.readOrders()
	x.dies(2, func(s *store.Store) { s.Votes.VoteTopic(x.ctx, x.ann, x.article, forum.VoteDown) }) // its task remains
	must.Do(x.Votes.RecordClicks(x.ctx, x.ann, "visitor", []forum.TopicID{x.thread, x.moved}))(t)
	wantOK(t, "Settle", x.Flush(x.ctx))
	x.age()
	return x
}

func (x *checkSite) writeThread() {
	x.t.Helper()
	x.thread = x.Topic(x.ann, x.talk)
	x.tick()
	x.root = x.Comment(x.bob, x.thread, 0)
	x.tick()
	x.child = x.Comment(x.ann, x.thread, x.root)
	x.tick()
	x.leaf = x.Comment(x.bob, x.thread, x.child)
	x.tick()
	in := remark(x.thread, 0)
	in.Key, in.Upvotes, in.Mentions = "comment", 2, forum.Mentions{{Fold: "ann", User: x.ann.ID}}
	x.second = must.Do(x.Posts.CreateComment(x.ctx, x.bob, in))(x.t)
	wantOK(x.t, "DeleteComment", x.Posts.DeleteComment(x.ctx, x.bob, x.leaf))
	x.tick()
}

func (x *checkSite) writeOthers() {
	x.t.Helper()
	in := discussion(x.bob, x.talk)
	in.Key = "topic"
	x.moved = must.Do(x.Posts.CreateTopic(x.ctx, in))(x.t)
	x.tick()
	wantOK(x.t, "UpdateTopic", x.Posts.UpdateTopic(x.ctx, x.bob, x.moved, posts.TopicChange{Category: &x.news}))
	article := posts.NewTopic{Author: x.bob.ID, Kind: forum.Article, Title: "a link", Link: "https://example.org/",
		Format: forum.HTML, Upvotes: 7, Downvotes: 1, Clicks: 3}
	x.article = must.Do(x.Posts.CreateTopic(x.ctx, article))(x.t)
	x.deleted, x.half = x.Topic(x.ann, x.lost), x.Topic(x.ann, x.talk)
	x.Give(x.ann, x.deleted, x.tagged("deleted"), nil)
	x.on = []forum.CommentID{x.Comment(x.bob, x.deleted, 0), x.Comment(x.bob, x.half, 0)}
	wantOK(x.t, "DeleteTopic", x.Posts.DeleteTopic(x.ctx, x.ann, x.deleted))
	x.deleteHalf()
}

// tagged returns tags as entered by users.
func (x *checkSite) tagged(names ...string) forum.TopicTags {
	x.t.Helper()
	return must.Do(texts.Tags(nil, names))(x.t)
}

// voteAndTag makes users vote on everything, change their votes, add and remove tags, and watch a topic.
func (x *checkSite) voteAndTag() {
	x.t.Helper()
	x.Cast(x.ann, x.article, forum.VoteUp)
	x.Cast(x.mod, x.article, forum.VoteUp)
	x.Cast(x.bob, x.article, forum.VoteDown)
	x.Cast(x.bob, x.thread, forum.VoteUp)
	x.Cast(x.mod, x.thread, forum.VoteDown)
	x.Cast(x.ann, x.moved, forum.VoteDown)
	x.Cast(x.ann, x.moved, forum.VoteNone)
	x.CastOn(x.ann, x.root, forum.VoteUp)
	x.CastOn(x.mod, x.root, forum.VoteDown)
	x.CastOn(x.mod, x.root, forum.VoteNone)
	x.CastOn(x.bob, x.child, forum.VoteDown)
	x.Give(x.ann, x.thread, x.tagged("Go", "Redis"), nil)
	x.Give(x.bob, x.moved, x.tagged("go", "passing"), nil)
	x.Give(x.bob, x.moved, nil, x.tagged("passing"))
	must.Do(x.Follows.WatchTopic(x.ctx, x.bob.ID, x.thread, true))(x.t)
}

// readOrders creates snapshots and rankings.
func (x *checkSite) readOrders() {
	x.t.Helper()
	x.top = forum.Timeline{Kind: forum.FrontTimeline, Order: forum.ByTop, Direction: forum.Descending,
		Period: forum.PeriodAll}
	wantOK(x.t, "TakeSnapshot", x.Listing.TakeSnapshot(x.ctx, x.top, x.Listing.SnapshotNow(), nil))
	hot := forum.Timeline{Kind: forum.FrontTimeline, Order: forum.ByHot, Direction: forum.Descending}
	wantOK(x.t, "TakeWalk", x.Homes.TakeWalk(x.ctx, hot, x.Homes.WalkNow(), nil, nil))
	against := forum.Timeline{Kind: forum.FrontTimeline, Order: forum.ByControversial, Direction: forum.Descending}
	wantOK(x.t, "TakeSnapshot", x.Listing.TakeSnapshot(x.ctx, against, x.Listing.SnapshotNow(), nil))
	var kept []forum.Ranking
	for _, l := range []listing.List{listing.TopicComments(x.thread, false, forum.MostVoted),
		listing.TopicComments(x.thread, true, forum.MostVoted), listing.CommentReplies(x.root,
			forum.MostControversial)} {
		kept = append(kept, *x.page(l, forum.Window{Count: 1}).Ranking)
	}
	r := x.Read(x.ctx)
	done := r.Listing.Keep(kept)
	wantOK(x.t, "Exec", r.Exec())
	must.Do(done())(x.t)
}

// changeAccounts deletes eve, who has posted and voted, and changes bob's e-mail.
func (x *checkSite) changeAccounts() {
	x.t.Helper()
	eve := x.User("eve")
	x.Cast(eve, x.article, forum.VoteUp)
	x.CastOn(eve, x.second, forum.VoteUp)
	x.eve, x.left = eve.ID, x.Topic(eve, x.talk)
	x.Comment(eve, x.left, 0)
	x.Session(eve.ID, strings.Repeat("e5", 32), time.Hour)
	x.Turn(eve, forum.Target{User: x.ann.ID}, true)
	x.Turn(x.bob, forum.Target{User: eve.ID}, true)
	x.list(eve, "Last", x.bob)
	wantOK(x.t, "DeleteAccount", x.Accounts.DeleteAccount(x.ctx, eve.ID, "hash of eve"))
	must.Do(x.Engine.RunDueTasks(x.ctx))(x.t)
	wantOK(x.t, "ChangeEmail", x.Accounts.ChangeEmail(x.ctx, x.bob.ID, "hash of bob", "Robert@example.org",
		"robert@example.org"))
	x.FailSignIn("ann", "192.0.2.1")
	x.KnowDevice(x.ann.ID, "192.0.2.1")
	wantOK(x.t, "Spend", x.Engine.Spend(x.ctx, engine.Rate{What: "proof", Who: "ann", Limit: 3,
		Per: forum.SignInWindow}))
}

// importThings imports one of each kind of object.
func (x *checkSite) importThings() {
	x.t.Helper()
	im := x.Import()
	rooms := must.Do(im.Sections(x.ctx))(x.t)
	category := must.Do(im.Category(x.ctx, rooms, "old:c", "Old", "old", ""))(x.t)
	must.Do(im.Tab(x.ctx, rooms, "old:t", "Archive", "archive"))(x.t)
	wantOK(x.t, "Place", im.AddToTab(x.ctx, rooms, "old:t", "old:c"))
	members, _, err := im.Users(x.ctx, []bulk.ImportUser{newMember("old:7", "zoe")}, strings.ToLower)
	wantOK(x.t, "Users", err)
	x.member = members[0]
	brought, ghosts, closed := importedTopic("old:1", x.member, category), importedTopic("old:2", 0, category),
		importedTopic("old:3", x.member, category)
	brought.Clicks, brought.Upvotes, closed.Locked, closed.PinnedFront = 40, 9, true, x.Engine.Now()
	unread := importedTopic("old:4", 0, 0)
	unread.Kind, unread.Upvotes, unread.CreatedAt = forum.Article, 3, x.Engine.Now()
	topics := must.Do(im.Topics(x.ctx, []posts.NewTopic{brought, ghosts, closed, unread}))(x.t)
	x.brought, x.nobodys, x.unread = topics[0].ID, topics[1].ID, topics[3].ID
	replies := []bulk.NewReply{importedReply("old:8", x.member, x.brought, 0), importedReply("old:9", 0, x.nobodys, 0)}
	replies[0].Upvotes, replies[0].Downvotes = 5, 2
	comments := must.Do(im.Comments(x.ctx, replies))(x.t)
	x.reply = comments[0].ID
	wantOK(x.t, "Publish", im.Publish(x.ctx, topics, comments, replies))
}

// deleteHalf deletes a topic with a process that dies before the task.
func (x *checkSite) deleteHalf() {
	x.t.Helper()
	dying := x.process(store.WithSteps(built.KillAt("task_pass", 1)))
	if !built.Killed(func() { dying.Posts.DeleteTopic(x.ctx, x.ann, x.half) }) {
		x.t.Fatal("DeleteTopic ended; want a crash")
	}
}

func (x *checkSite) tick() { x.clock.Advance(time.Second) }

// registrationLife is RegistrationLife for this site.
func (x *checkSite) registrationLife() forum.Time {
	return forum.Time(2 * forum.PendingLife / time.Millisecond)
}

// do sends one raw command. Fields of an object are those of the hash that has them.
func (x *checkSite) do(args ...any) {
	x.t.Helper()
	for i, a := range args {
		args[i] = fmt.Sprint(a)
	}
	width := map[any]int{"HSET": 2, "HINCRBY": 2, "HDEL": 1}[args[0]]
	commands := [][]any{args}
	if width > 0 && catalogue.HasInternal(args[1].(string)) {
		commands = nil
		for some := range slices.Chunk(args[2:], width) {
			k := catalogue.KeyOf(args[1].(string), some[0].(string))
			commands = append(commands, append([]any{args[0], k}, some...))
		}
	}
	for _, c := range commands {
		must.OK(x.t, x.rdb.Do(x.ctx, c...).Err())
	}
}

// keyLike returns the one key that contains part.
func (x *checkSite) keyLike(part string) string {
	x.t.Helper()
	found := x.keysLike(part)
	if len(found) == 0 {
		x.t.Fatalf("no key like %q", part)
	}
	return found[0]
}

// members returns the members of a sorted set.
func (x *checkSite) members(key string) []redis.Z {
	x.t.Helper()
	return must.Do(x.rdb.ZRangeWithScores(x.ctx, key, 0, -1).Result())(x.t)
}

// check runs one check without pauses.
func (x *checkSite) check(repair bool) *Report {
	x.t.Helper()
	return must.Do(Check(x.ctx, x.Store, Options{Repair: repair, Rest: time.Nanosecond}))(x.t)
}

// has reports whether the report has a finding of the rule, repaired or not.
func (r *Report) has(rule Rule, repaired bool) bool {
	for _, f := range r.Findings {
		if f.Rule == rule && f.Repaired == repaired {
			return true
		}
	}
	return false
}

// entry returns a topic's member in profiles and indexes.
func (x *checkSite) entry(id forum.TopicID) string {
	x.t.Helper()
	created := must.Do(x.rdb.HGet(x.ctx, key.Topic(id), "created").Int64())(x.t)
	return record.Member(forum.Time(created), int64(id))
}
