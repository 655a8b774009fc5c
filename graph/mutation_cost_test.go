package graph_test

import (
	"testing"

	"agora/internal/forum"
	"agora/internal/test/testlevel"
)

// Each mutation costs the stated round trips and commands, including the look-up of the session and the object in the
// payload. Ann, the author, has followers, and so have the category and the tag. bench/results.md has the same
// figures.
func TestCostsOfMutations(t *testing.T) {
	testlevel.WithoutRace(t)
	tests := []struct {
		name, mutation  string
		input           func(*costSite) input
		selection       string
		trips, commands int
	}{
		{"follow a user", "follow", func(c *costSite) input { return input{"targetId": c.id(c.carl)} },
			"changed target { id }", 6, 16},
		{"follow a category", "follow", func(c *costSite) input { return input{"targetId": c.to} }, "changed target { id }",
			6, 14},
		{"unfollow a user", "follow", func(c *costSite) input { return input{"targetId": c.id(c.bob), "following": false} },
			"changed target { id }", 5, 10},
		{"follow again", "follow", func(c *costSite) input { return input{"targetId": c.id(c.bob)} },
			"changed target { id }", 4, 8},
		{"block one who follows and is followed", "block", func(c *costSite) input { return input{"userId": c.id(c.bob)} },
			"changed user { id }", 6, 20},
		{"block a stranger", "block", func(c *costSite) input { return input{"userId": c.id(c.carl)} },
			"changed user { id }", 5, 16},
		{"create a comment", "createComment", func(c *costSite) input {
			return input{"topicId": c.topic, "content": "Hello, @dora", "idempotencyKey": "k"}
		}, "comment { id }", 6, 14},
		{"reply", "createComment", func(c *costSite) input {
			return input{"topicId": c.topic, "content": "Hello"}
		}, "comment { id number content author { login } topic { title } }", 3, 8},
		{"post", "createTopic", func(c *costSite) input {
			return input{"title": "A topic", "content": "A text", "category": input{"id": c.from}}
		}, "topic { id number title state author { login } category { name } }", 5, 15},
		{"update a comment", "updateComment", func(c *costSite) input {
			return input{"commentId": c.comment, "content": "Nothing else"}
		}, "comment { id }", 4, 12},
		{"update a comment that mentions others", "updateComment", func(c *costSite) input {
			return input{"commentId": c.comment, "content": "Hello, @dora and @carl"}
		}, "comment { id }", 6, 24},
		{"move a topic", "updateTopic", func(c *costSite) input {
			return input{"topicId": c.topic, "category": map[string]any{"id": c.to}}
		}, "topic { id }", 6, 26},
		{"edit a topic and mention others", "updateTopic", func(c *costSite) input {
			return input{"topicId": c.topic, "content": "Hello, @dora and @carl"}
		}, "topic { id }", 6, 20},
		{"give and take a tag", "tagTopic", func(c *costSite) input {
			return input{"topicId": c.topic, "add": []string{"new"}, "remove": []string{"green"}}
		}, "topic { id }", 5, 23},
		{"delete a topic", "deleteTopic", func(c *costSite) input { return input{"topicId": c.topic} }, "deletedTopicId", 4,
			25},
		{"watch a topic", "watch", func(c *costSite) input { return input{"topicId": c.topic} },
			"changed topic { id }", 5, 7},
		{"vote on a comment", "vote", func(c *costSite) input {
			return input{"subjectId": c.comment, "direction": "UP"}
		}, "changed", 3, 5},
		{"mark a comment as read", "markRead", func(c *costSite) input { return input{"commentId": c.comment} },
			"target { id }", 6, 8},
		{"report a user", "report", func(c *costSite) input {
			return input{"subjectId": c.id(c.carl), "reason": "SPAM"}
		}, "subject { __typename }", 5, 9},
		{"resolve reports", "resolveReports", func(c *costSite) input {
			c.report(c.bob, c.id(c.carl))
			return input{"subjectId": c.id(c.carl), "throughReport": 1, "outcome": "UPHELD"}
		}, "changed case { state } act { id }", 6, 14},
		{"hide all posts of a user", "hidePosts", func(c *costSite) input {
			return input{"userId": c.id(c.bob), "reason": "SPAM"}
		}, "user { login } act { postCount } hasMore", 4, 12},
		{"change the e-mail address", "changeEmail", func(c *costSite) input {
			return input{"email": "new@example.net", "password": "a good password"}
		}, "viewer { email }", 7, 13},
		{"change the login", "changeLogin", func(c *costSite) input {
			return input{"login": "annabel", "password": "a good password"}
		}, "viewer { user { login } }", 9, 18},
		{"create a token", "createToken", func(c *costSite) input {
			return input{"name": "Robot", "scopes": []string{"READ"}}
		}, "apiToken { name }", 2, 4},
		{"change the profile", "updateProfile", func(c *costSite) input { return input{"bio": "Tea"} },
			"viewer { user { bio } }", 3, 5},
		{"retry a task", "retryTasks", func(c *costSite) input { return input{"name": c.dead(userOf(c.bob), "")} },
			"retriedCount", 2, 4},
		{"retry all tasks", "retryTasks", func(c *costSite) input {
			c.dead(userOf(c.bob), "")
			return input{}
		}, "retriedCount", 4, 519},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newCostSite(t)
			a := c.mutate(c.ann, tt.mutation, tt.input(c), tt.selection)
			if got := a.Extensions.Redis; got.RoundTrips != tt.trips || got.Commands != tt.commands {
				t.Errorf("%s took %d round trips and %d commands; want %d and %d: %s", tt.mutation, got.RoundTrips, got.Commands,
					tt.trips, tt.commands, a.body)
			}
			c.settle()
		})
	}
}

// costSite is a site on which ann has posted a topic with a comment of her own and one of bob's. Ann and bob follow
// each other, dora follows ann, the category and the tag.
type costSite struct {
	*site
	ann, bob, carl, dora     string // tokens
	from, to, topic, comment string // ids
}

func newCostSite(t *testing.T) *costSite {
	t.Helper()
	c := &costSite{site: newSite(t)}
	c.ann, c.bob, c.carl, c.dora = c.user("ann"), c.user("bob"), c.user("carl"), c.user("dora")
	c.promote(c.ann, forum.RoleAdmin)
	c.from, c.to = c.category(c.ann, "From"), c.category(c.ann, "To")
	c.topic = c.mutate(c.ann, "createTopic", input{"title": "A topic", "content": "Some text",
		"category": map[string]any{"id": c.from}, "tags": []string{"green"}},
		"topic { id }").text("createTopic", "topic", "id")
	c.comment = c.site.comment(c.ann, c.topic, "", "A comment")
	c.site.comment(c.bob, c.topic, c.comment, "A reply")
	tag := c.must(c.ann, `query ($id: ID!) { node(id: $id) { ... on Topic { tags { id } } } }`, input{"id": c.topic}).text("node", "tags", 0, "id")
	for _, f := range []struct{ by, target string }{
		{c.ann, c.id(c.bob)}, {c.bob, c.id(c.ann)}, {c.dora, c.id(c.ann)}, {c.dora, c.from}, {c.dora, tag},
	} {
		c.mutate(f.by, "follow", input{"targetId": f.target}, "changed")
	}
	c.settle()
	return c
}

// id returns the global id of a token's user.
func (c *costSite) id(token string) string {
	c.t.Helper()
	return c.must(token, `{ viewer { user { id } } }`, nil).text("viewer", "user", "id")
}
