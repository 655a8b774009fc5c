package graph_test

import "testing"

// Hiding a comment is reported as its removal, with what the subscriber may see of it, and restoring it as a change;
// a topic leaves its timelines and is null to those who watch it, and comes back.
func TestModerationIsLive(t *testing.T) {
	s := newSite(t)
	mod, ann := s.moderator("mia"), s.user("ann")
	tea := s.category(mod, "Tea")
	topic := s.topic(ann, "Tea", "Live")
	comment := s.comment(ann, topic, "", "Words")
	s.settle()
	timeline := s.must("", `query($i: ID!) { node(id: $i) { ... on Category { timeline(orderBy: {field: CREATED}) { id } } } }`,
		input{"i": tea}).text("node", "timeline", "id")
	for who, token := range map[string]string{"": "", "Words": mod} { // what each sees of a hidden comment
		changes := s.subscribe(token, changesOf, input{"t": topic})
		rows := s.subscribe("", `subscription($t: ID!) { timelineUpdated(timelineId: $t) { kind topicId } }`,
			input{"t": timeline})
		s.mutate(mod, "moderate", moderationOf(comment, "HIDE"), "")
		s.wantChanges("hidden", changes, "REMOVED "+who+" 0")
		s.mutate(mod, "moderate", moderationOf(comment, "RESTORE"), "")
		s.wantChanges("restored", changes, "CHANGED Words 0")
		states := s.subscribe(token, `subscription($t: ID!) { topicUpdated(topic: {id: $t}) { topic { state } } }`,
			input{"t": topic})
		s.mutate(mod, "moderate", moderationOf(topic, "HIDE"), "")
		seen := map[bool]string{true: `{"state": "HIDDEN"}`, false: "null"}[token != ""]
		states.wants("hidden", `{"topicUpdated": {"topic": `+seen+`}}`)
		rows.wants("hidden", `{"timelineUpdated": {"kind": "REMOVED", "topicId": "`+topic+`"}}`)
		s.mutate(mod, "moderate", moderationOf(topic, "RESTORE"), "")
		rows.wants("restored", `{"timelineUpdated": {"kind": "ADDED", "topicId": "`+topic+`"}}`)
		changes.end()
		states.end()
		rows.end()
	}
}
