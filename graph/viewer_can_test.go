package graph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"agora/internal/forum"
	"agora/internal/test/testlevel"
	"agora/internal/test/testseed"
)

// attempts are, for each type and action, the mutation that viewerCan foretells.
func (b *fullSite) attempts() map[string]map[forum.Action]func(token, id string, n int) answer {
	mutate := func(field, selected string, in func(id string, n int) input) func(string, string, int) answer {
		return func(token, id string, n int) answer { return b.mutate(token, field, in(id, n), selected) }
	}
	vote := mutate("vote", "changed", func(id string, n int) input {
		return input{"subjectId": id, "direction": []string{"UP", "DOWN"}[n%2]}
	})
	moderate := mutate("moderate", "changed", func(id string, n int) input {
		return moderationOf(id, []string{"LOCK", "UNLOCK", "HIDE", "RESTORE", "RESTORE"}[n%5])
	})
	return map[string]map[forum.Action]func(string, string, int) answer{
		"Topic": {
			forum.ActionComment: mutate("createComment", "comment { id }", func(id string, _ int) input {
				return input{"topicId": id, "content": "Words"}
			}),
			forum.ActionVote: vote,
			forum.ActionEdit: mutate("updateTopic", "topic { id }", func(id string, n int) input {
				field := "title" // which moderators may change, too; a status has none
				if b.must(b.root, `query($id: ID!) { node(id: $id) { ... on Topic { kind } } }`,
					input{"id": id}).text("node", "kind") == "STATUS" {
					field = "content"
				}
				return input{"topicId": id, field: fmt.Sprint("Words ", n), "reason": "OTHER"}
			}),
			forum.ActionModerate: moderate,
			forum.ActionDelete: mutate("deleteTopic", "deletedTopicId", func(id string, _ int) input {
				return input{"topicId": id}
			}),
			forum.ActionTag: mutate("tagTopic", "topic { id }", func(id string, n int) input {
				return input{"topicId": id, "add": []string{fmt.Sprint("tag ", n%9)}, "reason": "OTHER"}
			}),
			forum.ActionReport: mutate("report", "subject { __typename }", func(id string, _ int) input {
				return input{"subjectId": id, "reason": "OTHER"}
			}),
			forum.ActionBookmark: mutate("bookmark", "changed", func(id string, _ int) input { return input{"topicId": id} }),
			forum.ActionWatch:    mutate("watch", "changed", func(id string, _ int) input { return input{"topicId": id} }),
		},
		"Comment": {
			forum.ActionReport: mutate("report", "subject { __typename }", func(id string, _ int) input {
				return input{"subjectId": id, "reason": "OTHER"}
			}),
			forum.ActionComment: func(token, id string, _ int) answer {
				topic := b.must(b.root, `query($id: ID!) { node(id: $id) { ... on Comment { topic { id } } } }`, input{"id": id})
				return b.mutate(token, "createComment",
					input{"topicId": topic.text("node", "topic", "id"), "parentId": id, "content": "Words"}, "comment { id }")
			},
			forum.ActionVote: vote,
			forum.ActionEdit: mutate("updateComment", "comment { id }", func(id string, n int) input {
				return input{"commentId": id, "content": fmt.Sprint("Words ", n)}
			}),
			forum.ActionDelete: mutate("deleteComment", "deletedCommentId", func(id string, _ int) input {
				return input{"commentId": id}
			}),
			forum.ActionModerate: moderate,
		},
		"User": {
			forum.ActionReport: mutate("report", "subject { __typename }", func(id string, _ int) input {
				return input{"subjectId": id, "reason": "OTHER"}
			}),
			forum.ActionBan: mutate("warn", "act { id }", func(id string, _ int) input {
				return input{"userId": id, "reason": "OTHER"}
			}),
			forum.ActionFollow: mutate("follow", "changed", func(id string, _ int) input { return input{"targetId": id} }),
			forum.ActionBlock:  mutate("block", "changed", func(id string, _ int) input { return input{"userId": id} }),
			forum.ActionAddToList: func(token, id string, n int) answer {
				list := b.mutate(token, "createList", input{"name": fmt.Sprint("List ", n)}, "list { id }")
				if list.verdict() != "" {
					return list
				}
				return b.mutate(token, "updateListMembers",
					input{"listId": list.text("createList", "list", "id"), "add": []string{id}}, "list { id }")
			},
			forum.ActionSetRole: mutate("setUserRole", "user { id }", func(id string, n int) input {
				return input{"userId": id, "role": []string{"USER", "MODERATOR"}[n%2]}
			}),
		},
	}
}

// link posts an article and returns its id.
func (b *fullSite) link(token string) string {
	return b.mutate(token, "createTopic", input{"kind": "ARTICLE", "title": "A link", "link": "https://example.org"},
		"topic { id }").text("createTopic", "topic", "id")
}

// What viewerCan lists is what the mutations accept, whoever asks, whatever happened before. Deleting what is deleted
// is accepted and changes nothing, so it need not be listed.
func TestViewerCan(t *testing.T) {
	testlevel.Usual(t)
	b := newFullSite(t)
	b.root = b.admin("ada")
	cas := b.user("cas")
	cat := b.categoryModerator("cat", b.tea)
	viewers := []string{"", b.ann, b.bob, b.mod, b.root, cas, cat}
	old := b.link(b.ann)
	b.clock.Advance(8 * 24 * 3600 * second) // its votes are closed
	status := b.mutate(b.bob, "createTopic", input{"kind": "STATUS", "content": "Hello"}, "topic { id }")
	subjects := []string{b.topic, b.deleted, b.comment, b.reply, b.tombstone, b.lost, b.foreign, old, b.link(b.bob),
		status.text("createTopic", "topic", "id"), b.site.topic(cas, "Ink", "Another topic"),
		userID(b.ann), userID(b.bob), userID(b.mod), userID(b.root), userID(cas), gid("User", "0")}
	r := rand.New(rand.NewPCG(testseed.First(), 11))
	attempts, accepted, refused := b.attempts(), map[string]int{}, map[string]int{}
	for n := range 1500 {
		viewer, id := viewers[r.IntN(len(viewers))], subjects[r.IntN(len(subjects))]
		if n%25 == 0 { // what categories permit changes
			b.setAccess([]string{b.tea, b.ink, ""}[n/25%3], "EVERYBODY",
				[]string{"NOBODY", "EVERYBODY", "MODERATORS", "EVERYBODY"}[n/25%4])
		}
		if r.IntN(12) == 0 { // blocks come and go
			b.mutate(viewers[1+r.IntN(5)], "block", input{"userId": userID(viewers[1+r.IntN(5)]), "blocked": r.IntN(2) == 0}, "")
		}
		a := b.must(viewer, `query($id: ID!) { node(id: $id) { __typename ... on Topic { viewerCan deletedAt }
			... on Comment { viewerCan deletedAt } ... on User { viewerCan } } }`, input{"id": id})
		typ, _ := a.at("node", "__typename").(string)
		if typ == "" { // hidden from the viewer
			continue
		}
		can := a.at("node", "viewerCan").([]any)
		actions := slices.Sorted(func(yield func(forum.Action) bool) {
			for action := range attempts[typ] {
				if !yield(action) {
					return
				}
			}
		})
		action := actions[r.IntN(len(actions))]
		listed := slices.Contains(can, any(string(action)))
		if action == forum.ActionDelete && listed && r.IntN(3) > 0 {
			continue
		}
		if action == forum.ActionDelete && a.at("node", "deletedAt") != nil {
			continue
		}
		verdict := attempts[typ][action](viewer, id, n).verdict()
		if (verdict == "") != listed {
			t.Fatalf("step %d: viewer %d on %s %s: viewerCan %v; %s was refused with %q", n, slices.Index(viewers, viewer), typ,
				id, can, action, verdict)
		}
		if listed {
			accepted[typ+" "+string(action)]++
		} else {
			refused[typ+" "+string(action)]++
		}
		b.clock.Advance(second)
	}
	for typ, of := range attempts {
		for action := range of {
			name := typ + " " + string(action)
			if accepted[name] == 0 || refused[name] == 0 {
				t.Errorf("%s was accepted %d times and refused %d times; the test shows little", name, accepted[name],
					refused[name])
			}
		}
	}
}
