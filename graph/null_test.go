package graph_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/forum"
)

// defaults returns every argument of a field ("Type.field.argument") and every input field
// ("Input.field") that has a default, with its type.
func defaults(t *testing.T) map[string]*ast.Type {
	t.Helper()
	found := map[string]*ast.Type{}
	for _, d := range ownTypes(t) {
		if strings.HasSuffix(d.Name, "Event") {
			continue // TestEdgesOfEvents has these
		}
		for _, f := range d.Fields {
			if f.DefaultValue != nil {
				found[d.Name+"."+f.Name] = f.Type
			}
			for _, a := range f.Arguments {
				if a.DefaultValue != nil {
					found[d.Name+"."+f.Name+"."+a.Name] = a.Type
				}
			}
		}
	}
	return found
}

// withDefaultArgument has a query for each argument with a default; the argument replaces %s.
func (b *fullSite) withDefaultArgument() map[string]string {
	topic := `{ topic(by: {id: "` + b.topic + `"}) { `
	order := `{ id order direction topics { nodes { title } } }`
	return map[string]string{
		"Query.tags.orderBy":                         `{ tags(first: 5, %s) { nodes { name } } }`,
		"UpdateBlocklistInput.add":                   b.change("updateBlocklist", `kind: WORD`, "entries"),
		"UpdateBlocklistInput.remove":                b.change("updateBlocklist", `kind: WORD`, "entries"),
		"Query.reportQueue.state":                    `{ reportQueue(first: 5, %s) { nodes { state } } }`,
		"ReportInput.note":                           b.change("report", `reason: SPAM, subjectId: "`+b.id("cas")+`"`, "subject { __typename }"),
		"ResolveReportsInput.note":                   b.change("resolveReports", `throughReport: 1, outcome: UPHELD, subjectId: "`+b.reported()+`"`, "case { state }"),
		"Query.front.orderBy":                        `{ front(period: null, %s) ` + order + ` }`,
		"Category.timeline.orderBy":                  `{ category(by: {name: "Tea"}) { timeline(period: null, %s) ` + order + ` } }`,
		"Topic.excerpt.length":                       `{ node(id: "` + b.topic + `") { ... on Topic { id excerpt(%s) } } }`,
		"Comment.excerpt.length":                     `{ node(id: "` + b.comment + `") { ... on Comment { id excerpt(%s) } } }`,
		"Query.preview.format":                       `{ preview(content: "*a*", %s) { contentHtml } }`,
		"Preview.excerpt.length":                     `{ preview(content: "a") { contentHtml excerpt(%s) } }`,
		"Tab.timeline.orderBy":                       `{ tab(by: {name: "All"}) { timeline(period: null, %s) ` + order + ` } }`,
		"Tag.timeline.orderBy":                       `{ tag(name: "green") { timeline(period: null, %s) ` + order + ` } }`,
		"TopicOrder.direction":                       `{ front(orderBy: {field: CREATED, %s}) ` + order + ` }`,
		"Timeline.topics.walk":                       `{ front { topics(first: 2, %s) { nodes { title } } } }`,
		"Timeline.topics.skip":                       `{ front { topics(first: 2, %s) { nodes { title } } } }`,
		"Topic.comments.orderBy":                     topic + `comments(first: 5, %s) { nodes { number } } } }`,
		"Topic.comments.topLevelOnly":                topic + `comments(first: 5, %s) { nodes { number } } } }`,
		"Topic.comments.hideBlocked":                 topic + `comments(first: 5, %s) { nodes { number } } } }`,
		"Topic.thread.hideBlocked":                   topic + `thread(first: 5, %s) { nodes { number } } } }`,
		"Comment.replies.hideBlocked":                `{ node(id: "` + b.comment + `") { ... on Comment { replies(first: 5, %s) { nodes { number } } } } }`,
		"Timeline.topics.hideBlocked":                `{ front { topics(first: 2, %s) { nodes { title } } } }`,
		"Topic.comments.skip":                        topic + `comments(first: 5, %s) { nodes { number } } } }`,
		"Topic.thread.orderBy":                       topic + `thread(first: 5, %s) { nodes { number } } } }`,
		"Topic.thread.maxDepth":                      topic + `thread(first: 5, %s) { nodes { number } } } }`,
		"Topic.voters.direction":                     topic + `voters(first: 5, %s) { nodes { login } } } }`,
		"Comment.replies.orderBy":                    `{ node(id: "` + b.comment + `") { ... on Comment { replies(first: 5, %s) { nodes { number } } } } }`,
		"Viewer.notifications.unreadOnly":            `{ viewer { notifications(first: 5, %s) { nodes { id } } } }`,
		"Revision.hunks.context":                     b.hunks(),
		"CreateTopicInput.kind":                      b.post(`title: "x", content: "y", category: {name: "Tea"}`),
		"CreateTopicInput.content":                   b.post(`title: "x", category: {name: "Tea"}`),
		"CreateTopicInput.format":                    b.post(`title: "x", content: "*y*", category: {name: "Tea"}`),
		"CreateTopicInput.tags":                      b.post(`title: "x", content: "y", category: {name: "Tea"}`),
		"CreateCommentInput.format":                  b.change("createComment", `topicId: "`+b.topic+`", content: "*y*"`, "comment { contentHtml format }"),
		"CreateCategoryInput.description":            b.change("createCategory", `name: "@"`, "category { description }"),
		"CreateCategoryInput.position":               b.change("createCategory", `name: "@"`, "category { position }"),
		"CreateGroupInput.description":               b.change("createGroup", `name: "@"`, "group { description }"),
		"CreateInvitationInput.uses":                 b.change("createInvitation", `note: "x"`, "invitation { uses }"),
		"CreateTabInput.position":                    b.change("createTab", `name: "@"`, "tab { position }"),
		"CreateTabInput.categories":                  b.change("createTab", `name: "@"`, "tab { categories { nodes { name } } }"),
		"UpdateTabInput.addCategories":               b.change("updateTab", `tabId: "`+b.tab+`"`, "tab { categories { nodes { name } } }"),
		"UpdateTabInput.removeCategories":            b.change("updateTab", `tabId: "`+b.tab+`"`, "tab { categories { nodes { name } } }"),
		"TagTopicInput.add":                          b.change("tagTopic", `reason: OTHER, topicId: "`+b.topic+`"`, "topic { tags { name } }"),
		"TagTopicInput.remove":                       b.change("tagTopic", `reason: OTHER, topicId: "`+b.topic+`"`, "topic { tags { name } }"),
		"TagTopicInput.note":                         b.change("tagTopic", `reason: OTHER, topicId: "`+b.topic+`"`, "topic { tags { name } }"),
		"UpdateTopicInput.note":                      b.change("updateTopic", `reason: OTHER, topicId: "`+b.topic+`"`, "topic { title }"),
		"RedactRevisionInput.note":                   b.redaction(),
		"RedactRevisionInput.redacted":               b.redaction(),
		"ModerateInput.note":                         b.change("moderate", `reason: OTHER, action: UNLOCK, subjectId: "`+b.topic+`"`, "changed"),
		"ModerateInput.place":                        b.change("moderate", `reason: OTHER, action: UNPIN, subjectId: "`+b.topic+`"`, "changed"),
		"CreateCommentPayload.commentEdge.orderBy":   b.edge(),
		"CreateCommentPayload.commentEdge.allDepths": b.edge(),
		"DeactivateUserInput.deactivated":            b.change("deactivateUser", `userId: "`+b.id("cas")+`"`, "user { login }"),
		"DeleteUserInput.content":                    b.change("deleteUser", `userId: "@user"`, "query { __typename }"),
		"FollowInput.following":                      b.change("follow", `targetId: "`+b.tea+`"`, "target { viewerIsFollowing }"),
		"BlockInput.blocked":                         b.change("block", `userId: "`+b.id("cas")+`"`, "user { viewerIsBlocking }"),
		"Query.applications.state":                   `{ applications(first: 5, %s) { nodes { login } } }`,
		"ResolveApplicationInput.reason":             b.change("resolveApplication", `approve: false, userId: "`+b.applicant("zoe")+`"`, "act { reason }"),
		"ResolveApplicationInput.forget":             b.change("resolveApplication", `approve: false, userId: "`+b.applicant("yan")+`"`, "act { reason }"),
		"BanInput.scope":                             b.change("ban", `userId: "`+b.id("cas")+`", reason: SPAM`, "user { isBanned ban { scope } }"),
		"WatchInput.watching":                        b.change("watch", `topicId: "`+b.topic+`"`, "topic { viewerIsWatching }"),
		"BookmarkInput.bookmarked":                   b.change("bookmark", `topicId: "`+b.topic+`"`, "topic { viewerHasBookmarked }"),
		"UpdateListMembersInput.add":                 b.change("updateListMembers", `listId: "`+b.newList("friends")+`"`, "list { members { totalCount } }"),
		"UpdateListMembersInput.remove":              b.change("updateListMembers", `listId: "`+b.newList("foes")+`"`, "list { members { totalCount } }"),
	}
}

// post is a mutation that posts a topic.
func (b *fullSite) post(in string) string {
	return b.change("createTopic", in, "topic { kind title content contentHtml format tags { name } }")
}

// change is a mutation whose input has room for one more field.
func (b *fullSite) change(field, in, selected string) string {
	return "mutation { " + field + "(input: {" + in + ", %s}) { " + selected + " errors { code path } } }"
}

// edge is a mutation with room for an argument of the edge of a comment.
func (b *fullSite) edge() string {
	return `mutation { createComment(input: {topicId: "` + b.topic + `", content: "Again", idempotencyKey: "edge"}) {
		commentEdge(%s) { cursor } errors { code } } }`
}

// reported reports a topic, and returns its id.
func (b *fullSite) reported() string {
	b.report(b.bob, b.other)
	return b.other
}

// hunks edits a comment, and returns a query for what changed, with room for an argument.
func (b *fullSite) hunks() string {
	id := b.edited("updateComment", "commentId", b.comment)
	return `{ node(id: "` + id + `") { ... on Comment { revisions { nodes { hunks(%s) { lines { text } } } } } } }`
}

// redaction is a mutation that takes an earlier text of a comment out of sight, with room for one more field.
func (b *fullSite) redaction() string {
	id := b.edited("updateComment", "commentId", b.comment)
	return b.change("redactRevision", `reason: PRIVACY, number: 1, subjectId: "`+id+`"`, "revision { isRedacted }")
}

// id returns the id of a user.
func (b *fullSite) id(login string) string {
	b.t.Helper()
	return b.must("", `query($l: String!) { user(by: {login: $l}) { id } }`, input{"l": login}).text("user", "id")
}

// applicant registers an account that moderators have not approved, and returns its id.
func (b *fullSite) applicant(login string) string {
	b.registrationIs(b.mod, "APPROVAL")
	_, id := b.applied(login, b.mod)
	b.registrationIs(b.mod, "OPEN")
	return id
}

// newList creates a list of users and returns its id.
func (b *fullSite) newList(name string) string {
	b.t.Helper()
	return b.mutate(b.mod, "createList", input{"name": name}, "list { id }").text("createList", "list", "id")
}

// Null for an argument or input field with a default means the default, in a literal and in a variable.
func TestNullMeansTheDefault(t *testing.T) {
	b := newFullSite(t)
	b.user("cas")
	b.promote(b.mod, forum.RoleAdmin)
	b.must(b.mod, `mutation { tagTopic(input: {reason: OTHER, topicId: "`+b.topic+`", add: ["green"]}) { errors { code } } }`, nil)
	b.must(b.mod, `mutation { vote(input: {subjectId: "`+b.topic+`", direction: UP}) { errors { code } } }`, nil)
	queries := b.withDefaultArgument()
	known := defaults(t)
	wantEqual(t, "what has a default", slices.Sorted(maps.Keys(queries)), slices.Sorted(maps.Keys(known)))
	names, ids := 0, regexp.MustCompile(`"extensions".*`)
	for _, coordinate := range slices.Sorted(maps.Keys(queries)) {
		typ := known[coordinate]
		if typ == nil {
			continue
		}
		if typ.NonNull {
			t.Errorf("%s is %s; want it to be nullable", coordinate, typ)
			continue
		}
		argument := coordinate[strings.LastIndexByte(coordinate, '.')+1:]
		ask := func(document string, variables input) string {
			t.Helper()
			names++ // those that need another name each time
			if strings.Contains(document, "@user") {
				document = strings.ReplaceAll(document, "@user", userID(b.user(fmt.Sprintf("user%d", names))))
			}
			a := b.ask(b.mod, strings.ReplaceAll(document, `"@"`, fmt.Sprintf(`"Name %d"`, names)), variables)
			if a.Data == nil || a.code() != "" || strings.Contains(a.body, `"code"`) {
				t.Errorf("%s: %s: %s", coordinate, document, a.body)
			}
			b.clock.Advance(second)
			return ids.ReplaceAllString(a.body, "")
		}
		left := ask(strings.ReplaceAll(fmt.Sprintf(queries[coordinate], ""), "()", ""), nil)
		literal := ask(fmt.Sprintf(queries[coordinate], argument+": null"), nil)
		variable := fmt.Sprintf(queries[coordinate], argument+": $v")
		kind := "query"
		if rest, ok := strings.CutPrefix(variable, "mutation"); ok {
			kind, variable = "mutation", rest
		}
		variable = ask(fmt.Sprintf("%s($v: %s) %s", kind, typ, variable), input{"v": nil})
		wantEqual(t, coordinate+": null in the document", literal, left)
		wantEqual(t, coordinate+": null in a variable", variable, left)
	}
}
