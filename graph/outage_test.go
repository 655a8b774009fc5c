package graph_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/globalid"
)

// paths returns the paths of the errors of an answer, each once, in order.
func (a answer) paths() []string {
	var found []string
	for _, e := range a.Errors {
		var steps []string
		list, _ := e["path"].([]any)
		for _, p := range list {
			steps = append(steps, fmt.Sprint(p))
		}
		found = append(found, strings.Join(steps, "."))
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// outageCase is a document during which Redis fails.
type outageCase struct {
	name, query string
	from        int // the first pipeline that fails
	paths       []string
	data        any
}

func (b *fullSite) outageCases() []outageCase {
	return []outageCase{
		{"the page", `{ site { name } front { topics { totalCount } } }`, 1, []string{"front.topics"},
			input{"site": input{"name": "Agora"}, "front": nil}},
		{"the topics of a page", `{ front { topics { totalCount nodes { title } } } }`, 2, nil,
			input{"front": input{"topics": input{"totalCount": 2.0, "nodes": []any{}}}}},
		{"their base only", `{ front { topics { edges { node { id } } } } }`, 2, nil,
			input{"front": input{"topics": input{"edges": []any{}}}}},
		{"a topic", `{ topic(by: {id: "` + b.topic + `"}) { title author { login } contentHtml } site { name } }`, 1,
			[]string{"topic"}, input{"topic": nil, "site": input{"name": "Agora"}}},
		{"its category", `{ topic(by: {id: "` + b.topic + `"}) { title category { name } } }`, 2,
			[]string{"topic.category"}, input{"topic": input{"title": "A topic", "category": nil}}},
		{"its author", `{ topic(by: {id: "` + b.topic + `"}) { title author { login } } }`, 2, []string{"topic.author"}, nil},
		{"nodes", `{ nodes(ids: ["` + b.topic + `", "` + b.comment + `", "` + b.tea + `", "` + b.tab + `"]) { id } }`, 1,
			[]string{"nodes.0", "nodes.1", "nodes.2", "nodes.3"}, input{"nodes": []any{nil, nil, nil, nil}}},
		{"the topics of comments", `{ nodes(ids: ["` + b.tea + `", "` + b.comment + `", "` + b.foreign + `"]) { ... on Category { name } ... on Comment { content } } }`, 2,
			[]string{"nodes.1", "nodes.2"}, input{"nodes": []any{input{"name": "Tea"}, nil, nil}}},
		{"the parent of a comment", `{ node(id: "` + b.reply + `") { ... on Comment { content topic { title } parent { content } } } }`, 2,
			[]string{"node"}, nil},
		{"tags", `{ topic(by: {id: "` + b.other + `"}) { tags { name } } }`, 2, nil,
			input{"topic": input{"tags": []any{}}}},
		{"the page of voters", `{ topic(by: {id: "` + b.other + `"}) { title voters { totalCount } } }`, 1, []string{"topic"}, nil},
		{"voters", `{ topic(by: {id: "` + b.other + `"}) { title voters { nodes { name } } } }`, 2, []string{"topic.voters.nodes"},
			input{"topic": input{"title": "A topic", "voters": nil}}},
		{"the page of a snapshot", `{ site { name } x: front(orderBy: {field: TOP}) { topics { totalCount } } }`, 1, []string{"x.topics"},
			input{"site": input{"name": "Agora"}, "x": nil}},
		{"the taking of a snapshot", `{ site { name } x: front(orderBy: {field: TOP}, period: WEEK) { topics { totalCount } } }`, 2, []string{"x.topics"},
			input{"site": input{"name": "Agora"}, "x": nil}},
		{"the keeping of a ranking", `{ topic(by: {id: "` + b.topic + `"}) { title comments(orderBy: TOP) { pageInfo { endCursor } } } }`, 2, []string{"topic.comments"}, nil},
		{"the votes that it takes", `{ site { name } front(orderBy: {field: SCORE}) { topics { edges { rank explanation { votesToPass } } } } }`, 2,
			[]string{"front.topics.edges.0.explanation.votesToPass", "front.topics.edges.1.explanation.votesToPass"},
			input{"site": input{"name": "Agora"}, "front": input{"topics": input{"edges": []any{
				input{"rank": 1.0, "explanation": input{"votesToPass": nil}},
				input{"rank": 2.0, "explanation": input{"votesToPass": nil}}}}}}},
		{"names", `{ a: category(by: {name: "Tea"}) { name } b: tab(by: {name: "All"}) { name } }`, 2, []string{"a", "b"}, nil},
	}
}

// If Redis fails in the middle of an answer, everything read from then on fails, at its own path; what was known
// before stays, as far as the schema allows. An empty answer has no data. Lists leave out rows, and say so.
func TestRedisDiesMidway(t *testing.T) {
	b := newFullSite(t)
	m := b.watch()
	for _, tt := range b.outageCases() {
		m.during(func(n int) error {
			if n >= tt.from {
				return errFault
			}
			return nil
		})
		a := b.ask("", tt.query, nil)
		wantEqual(t, tt.name+": paths of the errors", a.paths(), tt.paths)
		want, _ := tt.data.(input)
		wantEqual(t, tt.name+": data", a.Data, want)
		if tt.paths == nil && a.missing() == 0 {
			t.Errorf("%s: %s; want the rows to be missing", tt.name, a.body)
		}
		b.wantVerdict(tt.name, a, strings.Join(slices.Repeat([]string{"UNAVAILABLE"}, len(a.Errors)), "; "))
		b.wantNothingInternal(tt.name, a)
		log := b.log.String()
		if strings.Contains(log, "panic") {
			t.Errorf("%s: there was a panic: %.1500s", tt.name, log[strings.Index(log, "panic"):])
		}
		if n := strings.Count(log, "Redis failed"); n != 1 {
			t.Errorf("%s: one failure is logged %d times; want once", tt.name, n)
		}
		b.log.Reset()
		b.clock.Advance(time.Second) // few failures of a second are logged
		m.leave()
		if again := b.must("", tt.query, nil); len(again.paths()) > 0 || again.Data == nil {
			t.Errorf("%s: once Redis answers again: %s", tt.name, again.body)
		}
	}
}

// A field that could not be read is an error, or its row is missing, also if its object was known before: it is never
// an empty text, or no votes.
func TestFieldsThatFailLateAreErrors(t *testing.T) {
	r := newRich(t)
	m := r.watch()
	topic := func(selected string) string {
		return `{ topic(by: {id: "` + r.topic + `"}) { title comments(first: 1) { nodes { topic { ` + selected + ` } } } } }`
	}
	parent := func(selected string) string {
		return `{ comment: node(id: "` + r.comment + `") { ... on Comment { number } } reply: node(id: "` + r.reply + `") { ... on Comment { parent { ` + selected + ` } } } }`
	}
	for _, query := range []string{
		topic("contentHtml"), topic("votes { up }"), topic("tags { name }"), topic("commentCountToday"),
		topic("voters { totalCount }"), topic("voters { nodes { name } }"), topic("category { name }"), topic("content"),
		parent("contentHtml"), parent("votes { up }"), parent("mentions { login }"), parent("author { login }"),
		parent("parent { id }"), parent("content"),
	} {
		trips := r.must("", query, nil).Extensions.Redis.RoundTrips
		for from := 1; from <= trips; from++ {
			m.during(func(n int) error {
				if n >= from {
					return errFault
				}
				return nil
			})
			a := r.ask("", query, nil)
			if len(a.Errors) == 0 && a.missing() == 0 {
				t.Errorf("%s, when round trip %d of %d fails: %s; want an error, or a missing row", query, from, trips,
					a.body)
			}
			m.leave()
		}
	}
}

// Rows deleted between the reading of a page and of its rows leave the page, in both executors alike.
func TestRowsDeletedMidway(t *testing.T) {
	tests := []struct {
		name, query string
		of          func(*fullSite) string // what is deleted before it is read
		remove      func(*fullSite, string) error
		list        []any // of rows
		rows        int
	}{
		{"a topic", `{ front { topics { totalCount nodes { title author { login } } edges { node { id } } pageInfo { endCursor } } } }`,
			func(b *fullSite) string { return b.topic }, (*fullSite).drop, []any{"front", "topics", "nodes"}, 2},
		{"the topic of comments", `{ user(by: {login: "ann"}) { comments { totalCount nodes { content } edges { node { topic { title } } } } } }`,
			func(b *fullSite) string { return b.other }, (*fullSite).drop, []any{"user", "comments", "nodes"}, 1},
		{"a topic with its comments", `{ front { topics { nodes { title comments { totalCount nodes { content author { login } } } } } } }`,
			func(b *fullSite) string { return b.deleted }, (*fullSite).drop, []any{"front", "topics", "nodes"}, 0},
		{"a category", `{ categories { totalCount nodes { name tabs { name } } edges { node { topicCount } } } }`,
			func(b *fullSite) string { return b.ink }, (*fullSite).lose, []any{"categories", "nodes"}, 1},
		{"a tab", `{ tabs { totalCount nodes { name topicCount categories { nodes { name } } } } }`,
			func(b *fullSite) string { return b.tab }, (*fullSite).lose, []any{"tabs", "nodes"}, 0},
	}
	ours, theirs := newFullSite(t), newStockSite(t)
	between := map[*fullSite]*meanwhile{ours: ours.watch(), theirs: theirs.watch()}
	for b := range between { // one more topic, instead of the deleted one
		b.deleted = b.site.topic(b.ann, "Ink", "One more")
		b.site.comment(b.ann, b.deleted, "", "Some words")
	}
	for _, tt := range tests {
		answers := map[*fullSite]answer{}
		for b, m := range between {
			id := tt.of(b)
			m.beforeReading(row(b.t, id), func() error { return tt.remove(b, id) })
			answers[b] = b.must("", tt.query, nil)
			m.leave()
		}
		wantEqual(t, tt.name+": our executor, against gqlgen's", whole(answers[ours]), whole(answers[theirs]))
		if rows, _ := answers[ours].at(tt.list...).([]any); len(rows) != tt.rows {
			t.Errorf("%s: %d rows left; want %d: %s", tt.name, len(rows), tt.rows, answers[ours].body)
		}
	}
}

// lose deletes an object's row.
func (b *fullSite) lose(id string) error {
	return b.redis.Del(context.Background(), row(b.t, id)).Err()
}

// newStockSite is a full site on gqlgen's own executor.
func newStockSite(t testing.TB) *fullSite {
	b := newFullSite(t)
	b.site = b.stock()
	return b
}

// drop deletes a topic of ann's.
func (b *fullSite) drop(topic string) error {
	_, key, _ := globalid.Split(topic)
	id, err := forum.ParseID[forum.TopicID](key)
	if err != nil {
		return err
	}
	return b.store.Posts.DeleteTopic(context.Background(), &forum.Viewer{ID: userOf(b.ann), Role: forum.RoleUser}, id)
}
