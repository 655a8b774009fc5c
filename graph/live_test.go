package graph_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/test/must"
)

// stream is a subscription by server-sent events.
type stream struct {
	t      testing.TB
	status int
	end    context.CancelFunc
	lines  *bufio.Scanner
	// completed reports that the server has ended it.
	completed bool
}

// patience is how long a test waits for an event; then its streams end.
const patience = 10 * time.Second

// subscribe opens a subscription as the owner of token, who may be "". It delivers everything that happens after
// subscribe returns.
func (s *site) subscribe(token, query string, variables map[string]any) *stream {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	s.t.Cleanup(cancel)
	body := must.Do(json.Marshal(map[string]any{"query": query, "variables": variables}))(s.t)
	req := must.Do(http.NewRequestWithContext(ctx, "POST", s.url+"/graphql", bytes.NewReader(body)))(s.t)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp := must.Do(http.DefaultClient.Do(req))(s.t)
	s.t.Cleanup(func() { resp.Body.Close() })
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	return &stream{t: s.t, status: resp.StatusCode, end: cancel, lines: lines}
}

// next waits for the next response; ok is false at the end.
func (st *stream) next() (a answer, ok bool) {
	st.t.Helper()
	event := ""
	for st.lines.Scan() {
		line := st.lines.Text()
		if name, is := strings.CutPrefix(line, "event: "); is {
			event = name
		}
		data, is := strings.CutPrefix(line, "data: ")
		if !is || event != "next" {
			if event == "complete" && line == "" {
				st.completed = true
				return answer{}, false
			}
			continue
		}
		a := answer{body: data}
		if err := json.Unmarshal([]byte(data), &a); err != nil {
			st.t.Fatalf("event is no JSON: %v: %s", err, data)
		}
		return a, true
	}
	return answer{}, false
}

// wants waits for as many responses as there are texts and compares the data of each.
func (st *stream) wants(what string, want ...string) {
	st.t.Helper()
	for i, w := range want {
		a, ok := st.next()
		if !ok {
			st.t.Fatalf("%s: no event %d; want %s", what, i, w)
		}
		if got := canonical(st.t, a.Data); got != canonical(st.t, parse(st.t, w)) || len(a.Errors) > 0 {
			st.t.Errorf("%s: event %d = %s %v; want %s", what, i, got, a.Errors, w)
		}
	}
}

// wantsInAnyOrder is wants for responses in any order.
func (st *stream) wantsInAnyOrder(what string, want ...string) {
	st.t.Helper()
	var got, all []string
	for i, w := range want {
		a, ok := st.next()
		if !ok || len(a.Errors) > 0 {
			st.t.Fatalf("%s: event %d: %v %v; want %s", what, i, ok, a.Errors, w)
		}
		got, all = append(got, canonical(st.t, a.Data)), append(all, canonical(st.t, parse(st.t, w)))
	}
	slices.Sort(got)
	if slices.Sort(all); !slices.Equal(got, all) {
		st.t.Errorf("%s: events %s; want %s", what, got, all)
	}
}

func canonical(t testing.TB, v any) string {
	t.Helper()
	b := must.Do(json.Marshal(v))(t)
	return string(b)
}

func parse(t testing.TB, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

const commentsOf = `subscription($t: ID!, $after: String) { commentAdded(topic: {id: $t}, after: $after) { eventId kind comment { content depth author { login } } } }`

// Missed events come first, each once, executed together: only the first costs round trips.
func TestSubscriptionsResume(t *testing.T) {
	s := newSite(t)
	ann := s.user("ann")
	s.category(s.moderator("molly"), "Go")
	topic := s.topic(ann, "Go", "Live")
	live := s.subscribe("", commentsOf, input{"t": topic})
	s.comment(ann, topic, "", "0")
	a, _ := live.next()
	live.end()
	for _, text := range []string{"1", "2", "3"} {
		s.comment(ann, topic, "", text)
	}
	again := s.subscribe("", commentsOf, input{"t": topic, "after": a.text("commentAdded", "eventId")})
	trips := 0
	for _, text := range []string{"1", "2", "3"} {
		a, _ = again.next()
		if got := a.text("commentAdded", "comment", "content"); got != text {
			t.Errorf("comment %q; want %q", got, text)
		}
		trips += a.Extensions.Redis.RoundTrips
	}
	if trips != 2 {
		t.Errorf("three events cost %d round trips; want 2: comments with their topic, authors", trips)
	}
	s.comment(ann, topic, "", "4")
	if a, _ = again.next(); a.text("commentAdded", "comment", "content") != "4" {
		t.Errorf("then = %s; want comment 4", a.body)
	}
}

func TestSubscriptionsAreRefused(t *testing.T) {
	s := newSite(t)
	ann, ben := s.user("ann"), s.user("ben")
	s.category(s.moderator("molly"), "Go")
	topic, deleted := s.topic(ann, "Go", "Live"), s.topic(ann, "Go", "Deleted")
	s.mutate(ann, "deleteTopic", input{"topicId": deleted}, "deletedTopicId")
	s.list(ann, "Friends")
	home := s.must(ann, `{ viewer { home { id } lists { nodes { timeline { id } } } } }`, nil)
	live := s.subscribe("", commentsOf, input{"t": topic})
	s.comment(ann, topic, "", "0")
	a, _ := live.next()
	foreign := a.text("commentAdded", "eventId")
	other := s.topic(ann, "Go", "Other")
	const timeline = `subscription($t: ID!) { timelineUpdated(timelineId: $t) { eventId } }`
	tests := []struct {
		name, token, query string
		variables          input
		code               string
	}{
		{"unknown topic", ann, commentsOf, input{"t": "VG9waWM6MjU2"}, "NOT_FOUND"},
		{"deleted topic", ben, commentsOf, input{"t": deleted}, "NOT_FOUND"},
		{"a timeline", ann, commentsOf, input{"t": home.text("viewer", "home", "id")}, "NOT_FOUND"},
		{"no id", ann, commentsOf, input{"t": "x"}, "BAD_USER_INPUT"},
		{"garbage after", ann, commentsOf, input{"t": topic, "after": "x"}, "CURSOR_INVALID"},
		{"after of another topic", ann, commentsOf, input{"t": other, "after": foreign}, "CURSOR_INVALID"},
		{"another's home", ben, timeline, input{"t": home.text("viewer", "home", "id")}, "NOT_FOUND"},
		{"home, signed out", "", timeline, input{"t": home.text("viewer", "home", "id")}, "NOT_FOUND"},
		{"another's list", ben, timeline, input{"t": home.text("viewer", "lists", "nodes", 0, "timeline", "id")},
			"NOT_FOUND"},
		{"a topic as timeline", ann, timeline, input{"t": topic}, "NOT_FOUND"},
		{"topic of topicUpdated", ben, `subscription($t: ID!) { topicUpdated(topic: {id: $t}) { topicId } }`, input{"t": deleted}, "NOT_FOUND"},
		{"no such number", ann, `subscription { topicUpdated(topic: {number: 1}) { topicId } }`, nil, "NOT_FOUND"},
		{"a negative number", ann, `subscription { commentAdded(topic: {number: -1}) { kind } }`, nil, "NOT_FOUND"},
		{"number of a deleted topic", ben, fmt.Sprintf(`subscription { commentAdded(topic: {number: %s}) { kind } }`,
			numberOf(t, deleted)), nil, "NOT_FOUND"},
		{"neither id nor number", ann, `subscription($t: TopicRef!) { commentAdded(topic: $t) { kind } }`,
			input{"t": input{}}, "BAD_USER_INPUT"},
		{"notifications, signed out", "", `subscription { notificationAdded { eventId } }`, nil, "UNAUTHENTICATED"},
	}
	for _, tt := range tests {
		a, ok := s.subscribe(tt.token, tt.query, tt.variables).next()
		if !ok || a.code() != tt.code {
			t.Errorf("%s: %s; want %s", tt.name, a.body, tt.code)
		}
	}
	// A deleted topic is still visible to its author.
	mine := s.subscribe(ann, `subscription($t: ID!) { topicUpdated(topic: {id: $t}) { topicId } }`, input{"t": deleted})
	if mine.status != 200 {
		t.Errorf("author's own deleted topic: status %d", mine.status)
	}
}

// A page whose address has only the number of a topic subscribes without reading its id first.
func TestATopicIsWatchedByItsNumber(t *testing.T) {
	s := newSite(t)
	ann := s.user("ann")
	s.category(s.moderator("molly"), "Go")
	topic := s.topic(ann, "Go", "Live")
	by := input{"t": input{"number": json.Number(numberOf(t, topic))}}
	comments := s.subscribe("", `subscription($t: TopicRef!) { commentAdded(topic: $t) { kind comment { content } } }`, by)
	states := s.subscribe("", `subscription($t: TopicRef!) { topicUpdated(topic: $t) { topicId topic { commentCount } } }`, by)
	s.comment(ann, topic, "", "first")
	comments.wants("comments", `{"commentAdded": {"kind": "ADDED", "comment": {"content": "first"}}}`)
	states.wants("states", fmt.Sprintf(`{"topicUpdated": {"topicId": %q, "topic": {"commentCount": 1}}}`, topic))
}

func TestTopicsAreSeenAsTheyChange(t *testing.T) {
	s := newSite(t)
	ann, ben := s.user("ann"), s.user("ben")
	s.category(s.moderator("molly"), "Go")
	topic := s.topic(ann, "Go", "Live")
	const watch = `subscription($t: ID!) { topicUpdated(topic: {id: $t}) { topic { title commentCount clickCount votes { up } tags { name } } } }`
	live := s.subscribe("", watch, input{"t": topic})
	mine := s.subscribe(ann, `subscription($t: ID!) { topicUpdated(topic: {id: $t}) { topic { state tags { name } } } }`,
		input{"t": topic})
	state := input{"title": "Live", "commentCount": 0, "clickCount": 0, "votes": input{"up": 0}, "tags": []any{}}
	seen := func(what string) {
		t.Helper()
		live.wants(what, canonical(t, input{"topicUpdated": input{"topic": state}}))
	}
	s.mutate(ann, "updateTopic", input{"topicId": topic, "title": "Alive"}, "topic { id }")
	state["title"] = "Alive"
	seen("text")
	s.mutate(ben, "vote", input{"subjectId": topic, "direction": "UP"}, "changed")
	state["votes"] = input{"up": 1}
	seen("votes")
	comment := s.comment(ben, topic, "", "hello")
	state["commentCount"] = 1
	seen("a comment")
	s.mutate(ben, "deleteComment", input{"commentId": comment}, "comment { id }")
	state["commentCount"] = 0
	seen("a comment less")
	s.mutate(ann, "tagTopic", input{"topicId": topic, "add": []string{"redis"}}, "topic { id }")
	state["tags"] = []any{input{"name": "redis"}}
	seen("tags")
	s.mutate(ben, "recordClicks", input{"topicIds": []string{topic}}, "topics { id }")
	state["clickCount"] = 1
	seen("clicks")
	s.mutate(ann, "deleteTopic", input{"topicId": topic}, "deletedTopicId")
	live.wants("deletion", `{"topicUpdated": {"topic": null}}`)
	for { // quick changes may have been merged, but the last one is always sent
		a, ok := mine.next()
		if !ok {
			t.Fatal("the author never saw the deletion")
		}
		if a.text("topicUpdated", "topic", "state") == "DELETED" {
			break
		}
	}
}

// The position in an event equals that in a query, and its cursor is valid.
func TestTimelineEventsHaveThePosition(t *testing.T) {
	s := newSite(t)
	ann, ben := s.user("ann"), s.user("ben")
	mod := s.moderator("molly")
	category := s.category(mod, "Go")
	s.mutate(mod, "createTab", input{"name": "Tab", "categories": refs(category)}, "tab { id }")
	one := s.topic(ann, "Go", "One")
	s.topic(ann, "Go", "Two")
	of := map[string]string{
		"front CREATED":   `front(orderBy: {field: CREATED})`,
		"front ACTIVE":    `front(orderBy: {field: ACTIVE})`,
		"front SCORE ASC": `front(orderBy: {field: SCORE, direction: ASC})`,
		"front HOT":       `front(orderBy: {field: HOT})`,
	}
	const place = `{ cursor rank score explanation { formula votesToPass terms { name value } } node { title } }`
	for name, field := range of {
		s.mutate(ann, "vote", input{"subjectId": one, "direction": "UP"}, "changed") // HOT counts from the second on
		id := s.must("", `{ t: `+field+` { id } }`, nil).text("t", "id")
		live := s.subscribe("", `subscription($t: ID!) { timelineUpdated(timelineId: $t) { kind topicId edge `+place+` } }`, input{"t": id})
		if strings.HasSuffix(name, "CREATED") {
			one = s.topic(ann, "Go", "New in "+name)
		} else {
			s.clock.Advance(time.Second)
			s.comment(ben, one, "", "for ACTIVE")
			s.mutate(ben, "vote", input{"subjectId": one, "direction": "UP"}, "changed")
		}
		edges, _ := s.must("", `{ t: `+field+` { topics { edges `+place+` } } }`, nil).at("t", "topics", "edges").([]any)
		for found := false; !found; { // an event of the moment before may come first
			a, ok := live.next()
			if !ok {
				t.Fatalf("%s: no event has an edge of %v", name, edges)
			}
			for _, e := range edges {
				found = found || canonical(t, e) == canonical(t, a.at("timelineUpdated", "edge"))
			}
		}
		s.mutate(ben, "vote", input{"subjectId": one, "direction": "NONE"}, "changed")
		live.end()
	}
}

// The two categories of the move are separate logs, of which either may be read first.
func TestTopicsThatMoveWithinATabStay(t *testing.T) {
	s := newSite(t)
	ann, mod := s.user("ann"), s.moderator("molly")
	a, b, c := s.category(mod, "A"), s.category(mod, "B"), s.category(mod, "C")
	tab := s.mutate(mod, "createTab", input{"name": "Tab", "categories": refs(a, b)},
		"tab { timeline { id } }").text("createTab", "tab", "timeline", "id")
	topic := s.topic(ann, "A", "Wanderer")
	live := s.subscribe("", `subscription($t: ID!) { timelineUpdated(timelineId: $t) { kind topicId edge { node { category { name } } } } }`, input{"t": tab})
	s.mutate(mod, "updateTopic", input{"topicId": topic, "category": input{"id": b}, "reason": "OTHER"}, "topic { id }")
	live.wantsInAnyOrder("within", `{"timelineUpdated": {"kind": "ADDED", "topicId": "`+topic+`", "edge": {"node": {"category": {"name": "B"}}}}}`,
		`{"timelineUpdated": {"kind": "MOVED", "topicId": "`+topic+`", "edge": {"node": {"category": {"name": "B"}}}}}`)
	s.mutate(mod, "updateTopic", input{"topicId": topic, "category": input{"id": c}, "reason": "OTHER"}, "topic { id }")
	live.wants("out of it", `{"timelineUpdated": {"kind": "REMOVED", "topicId": "`+topic+`", "edge": null}}`)
}
