package graph_test

import (
	"context"
	"fmt"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	built "agora/internal/test/site"
	"agora/internal/text"
)

// rich is a site whose objects have a value in each of their fields, so that a field that was not read is noticed.
type rich struct {
	*site
	ann, bob, mod   string // tokens; ann writes all, mod is an administrator
	category, tab   string // ids
	topic, deleted  string // ann's, the same except for the deletion
	comment, reply  string // ann's on topic; comment replies to another, reply to comment
	tombstone, lost string // ann's; lost is on deleted
	friends         string // mod's list, with ann
	hiddenTopic     string // ann's, as is the next
	hiddenComment   string // on topic
	tag             string // that both topics have, next to another one
	number          int    // of topic
}

// made runs a step of a fixture and returns the global id of the new object.
func made[ID ~int64](t testing.TB, typ string, id ID, err error) (ID, string) {
	t.Helper()
	if err != nil {
		t.Fatalf("make a %s: %v", typ, err)
	}
	return id, gid(typ, fmt.Sprint(int64(id)))
}

func newRich(t testing.TB) *rich {
	t.Helper()
	r := &rich{site: newSite(t)}
	r.bob, r.mod = r.user("bob"), r.admin("mia")
	_, code := r.invite(r.mod, input{})
	r.ann = r.mutate("", "register", invited("ann", code), "token").text("register", "token")
	r.mutate(r.ann, "updateProfile", input{"bio": "Tea", "website": "https://ann.example/",
		"avatarUrl": "https://ann.example/a.png", "isBot": true}, "")
	r.category = r.mutate(r.mod, "createCategory", input{"name": "Tea", "description": "Of leaves", "position": 3},
		"category { id }").text("createCategory", "category", "id")
	r.tab = r.mutate(r.mod, "createTab", input{"name": "All", "categories": refs(r.category), "position": 2},
		"tab { id }").text("createTab", "tab", "id")
	r.crew(r.ann, r.bob, r.mod)
	r.wantVerdict("setGroupManagers", r.mutate(r.mod, "setGroupManagers",
		input{"group": input{"name": "Crew"}, "add": []input{{"login": "mia"}}}, ""), "")
	topic, id := r.article()
	r.topic, r.number = id, int(topic)
	r.keep(userOf(r.mod), topic, 0) // before all comments
	comment := func(in posts.NewComment) (forum.CommentID, string) {
		r.clock.Advance(second)
		in.Content, in.Format, in.Upvotes, in.Downvotes = "<p>for @bob &amp; *all*</p>", forum.HTML, 3, 1
		in.Mentions = forum.Mentions{{Fold: "bob", User: userOf(r.bob)}}
		id, err := r.store.Posts.CreateComment(context.Background(), &forum.Viewer{ID: userOf(r.ann),
			Role: forum.RoleUser}, in)
		return made(t, "Comment", id, err)
	}
	first, _ := comment(posts.NewComment{Topic: topic})
	second, id := comment(posts.NewComment{Topic: topic, Parent: first})
	r.comment = id
	third, id := comment(posts.NewComment{Topic: topic, Parent: second})
	r.reply = id
	_, r.tombstone = comment(posts.NewComment{Topic: topic, Parent: third})
	gone, id := r.article()
	r.deleted = id
	_, r.lost = comment(posts.NewComment{Topic: gone})
	_, r.hiddenTopic = r.article()
	_, r.hiddenComment = comment(posts.NewComment{Topic: topic})
	r.mutate(r.mod, "watch", input{"topicId": r.topic}, "")
	for _, token := range []string{r.ann, r.bob, r.mod} {
		of := forum.External{Issuer: "https://id.example.org", Subject: token}
		must.Do(r.store.Accounts.LinkExternal(t.Context(), userOf(token), of, false))(t)
	}
	r.finish()
	return r
}

// article posts ann's topic, with everything that a topic can have from its start.
func (r *rich) article() (forum.TopicID, string) {
	r.t.Helper()
	r.clock.Advance(second)
	ctx := context.Background()
	read := r.store.Read(ctx)
	found := built.Sent(r.t, read, read.Categories.CategoriesNamed([]string{"tea"}))
	tags := must.Do(text.Tags(nil, []string{"Green", "Hot drinks"}))(r.t)
	r.tag = gid("Tag", fmt.Sprint(int64(tags[0].ID)))
	id, err := r.store.Posts.CreateTopic(ctx, posts.NewTopic{
		Author: userOf(r.ann), Kind: forum.Article, Title: "About tea", Content: "<p>It is *hot* &amp; wet, @bob.</p>",
		Format:   forum.HTML,
		Mentions: forum.Mentions{{Fold: "bob", User: userOf(r.bob)}},
		Link:     "https://example.net/tea", Category: found[0], Tags: tags, Upvotes: 208, Downvotes: 3, Clicks: 5,
	})
	return made(r.t, "Topic", id, err)
}

// finish edits and deletes some of it.
func (r *rich) finish() {
	r.t.Helper()
	r.clock.Advance(second)
	for subject, direction := range map[string]string{r.topic: "DOWN", r.deleted: "UP", r.comment: "UP", r.reply: "DOWN"} {
		r.wantVerdict("vote", r.vote(r.bob, subject, direction), "")
		r.wantVerdict("vote", r.vote(r.mod, subject, "UP"), "")
	}
	r.clock.Advance(2 * forum.MergeEdits)
	for field, in := range map[string]input{
		"updateTopic": {"topicId": r.topic, "title": "More about tea"}, "updateComment": {"commentId": r.comment, "content": "<p>for @bob &amp; *none*</p>"},
		"deleteComment": {"commentId": r.tombstone},
	} {
		r.wantVerdict(field, r.mutate(r.ann, field, in, ""), "")
	}
	r.wantVerdict("edit", r.mutate(r.ann, "updateTopic", input{"topicId": r.deleted, "title": "All about tea"}, ""), "")
	r.wantVerdict("edit", r.mutate(r.ann, "updateComment",
		input{"commentId": r.reply, "content": "<i>Nothing</i> for @bob"}, ""), "")
	for _, id := range []string{r.userID(r.ann), r.category, r.tag} {
		r.wantVerdict("follow", r.follow(r.mod, id, true), "")
	}
	r.wantVerdict("follow", r.follow(r.ann, r.userID(r.mod), true), "")
	r.wantVerdict("block", r.block(r.mod, r.userID(r.bob), true), "")
	r.clock.Advance(second)
	r.friends = r.list(r.mod, "Friends", r.userID(r.ann))
	r.wantVerdict("delete", r.mutate(r.ann, "deleteTopic", input{"topicId": r.deleted}, ""), "")
	for _, id := range []string{r.topic, r.comment, r.userID(r.ann)} {
		r.wantVerdict("report", r.report(r.bob, id), "")
	}
	for _, id := range []string{r.hiddenTopic, r.hiddenComment} {
		r.wantVerdict("hide", r.mutate(r.mod, "moderate", input{"subjectId": id, "action": "HIDE", "reason": "SPAM"}, ""), "")
	}
	r.promote(r.mod, forum.RoleAdmin)
	r.wantVerdict("appoint", r.mutate(r.mod, "setCategoryModerators",
		input{"category": input{"id": r.category}, "add": []string{r.userID(r.ann)}, "reason": "OTHER"}, ""), "")
	r.wantVerdict("ban", r.mutate(r.mod, "ban",
		input{"userId": r.userID(r.bob), "scope": "POST", "reason": "SPAM"}, ""), "")
	r.settle()
}
