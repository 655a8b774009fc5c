package graph_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/text"
)

// tag adds and removes tags, and returns the topic's tags, or why it was refused.
func (p *voteSite) tag(token, title string, add, remove []string) string {
	p.t.Helper()
	a := p.mutate(token, "tagTopic", input{"topicId": p.ids[title], "reason": "OTHER", "add": append([]string{}, add...),
		"remove": append([]string{}, remove...)}, "topic { tags { name } }")
	if v := a.verdict(); v != "" {
		return v
	}
	return strings.Join(a.texts("name", "tagTopic", "topic", "tags"), ", ")
}

// tagged is a tag as "name topicCount: titles by score", or "null".
func (p *voteSite) tagged(name string) string {
	p.t.Helper()
	a := p.must("", `query($n: String!) { tag(name: $n) { id name topicCount timeline { kind order direction topics { totalCount nodes { title } } } } }`, input{"n": name})
	if a.at("tag") == nil {
		return "null"
	}
	wantEqual(p.t, "timeline of a tag", fmt.Sprint(a.at("tag", "timeline", "kind"), a.at("tag", "timeline", "order"),
		a.at("tag", "timeline", "direction")), "TAGSCOREDESC")
	wantEqual(p.t, "totalCount", a.at("tag", "timeline", "topics", "totalCount"), a.at("tag", "topicCount"))
	return fmt.Sprint(a.text("tag", "name"), " ", a.number("tag", "topicCount"), ": ",
		strings.Join(a.texts("title", "tag", "timeline", "topics", "nodes"), " "))
}

func TestArticlesAreInManyGroups(t *testing.T) {
	p := newVoteSite(t)
	p.link(p.ann, "a", "programming", "Go")
	p.link(p.ann, "b")
	p.post(p.bob, "c", nil)
	steps := []struct {
		token, title string
		add, remove  []string
		want         string
	}{
		{p.ann, "b", []string{"programming", "databases"}, nil, "programming, databases"},
		{p.bob, "c", []string{"databases"}, nil, "databases"},
		{p.ann, "a", []string{"databases"}, []string{"programming"}, "Go, databases"},
		{p.ann, "a", []string{"databases"}, []string{"programming"}, "Go, databases"},
		{p.ann, "b", nil, []string{"nothing", "programming"}, "databases"},
		{p.ann, "b", nil, nil, "databases"},
		{p.mod, "c", []string{"programming"}, []string{"databases"}, "programming"},
	}
	for _, s := range steps {
		wantEqual(t, fmt.Sprint(s.title, " +", s.add, " -", s.remove), p.tag(s.token, s.title, s.add, s.remove), s.want)
	}
	for name, want := range map[string]string{"go": "Go 1: a", "databases": "databases 2: b a",
		"PROGRAMMING": "programming 1: c", "nothing": "null"} {
		wantEqual(t, "tag "+name, p.tagged(name), want)
	}
}

// X27: in the documents a negative score becomes 1 in a group.
func TestGroupsByScoreAndTime(t *testing.T) {
	p := newVoteSite(t)
	at := func(seconds int64) time.Time { return time.Unix(seconds, 0) }
	tag := forum.TopicTags{{ID: text.TagID("old"), Name: "old"}}
	p.imported(
		tallied{title: "-1160", created: at(1000), down: 5, tags: tag},
		tallied{title: "-859", created: at(2165), up: 1, down: 8, tags: tag},
		tallied{title: "1", created: at(433), down: 1, tags: tag}, tallied{title: "2", created: at(2), tags: tag},
		tallied{title: "1433", created: at(1001), up: 1, tags: tag}, tallied{title: "not in it", created: at(1002)},
	)
	orders := map[string]string{
		"": "1433 2 1 -859 -1160", "(orderBy: {field: SCORE, direction: ASC})": "-1160 -859 1 2 1433",
		"(orderBy: {field: CREATED})": "-859 1433 -1160 1 2", "(orderBy: {field: CREATED, direction: ASC})": "2 1 -1160 1433 -859",
		"(orderBy: {field: HOT})": "1433 1 2 -1160 -859", "(orderBy: {field: ACTIVE})": "-859 1433 -1160 1 2",
		"(orderBy: {field: TOP})": "1433 2 1 -1160 -859", "(orderBy: {field: CONTROVERSIAL, direction: ASC})": "2 1 -1160 1433 -859",
	}
	for order, want := range orders {
		wantEqual(t, "tag by "+order, strings.Join(p.listed(`tag(name: "OLD") { timeline`+order, "title"), " "), want)
	}
	all, group := p.scores(byScore), p.scores(`tag(name: "old") { timeline`)
	for title, score := range group {
		wantEqual(t, "score of "+title+" in the group and in all", []string{fmt.Sprint(score), fmt.Sprint(all[title])},
			[]string{title, title})
	}
}

// B19: the documents' groups are up to a minute old; ours show a vote immediately.
func TestGroupsShowVotesAtOnce(t *testing.T) {
	p := newVoteSite(t)
	p.link(p.ann, "a", "go", "redis")
	p.link(p.ann, "b", "go", "redis")
	for _, name := range []string{"go", "redis"} {
		wantEqual(t, "before", p.tagged(name), name+" 2: b a")
	}
	for _, s := range []struct{ title, direction, want string }{{"a", "UP", "a b"}, {"a", "NONE", "b a"},
		{"b", "DOWN", "a b"}, {"b", "UP", "b a"}} {
		p.cast(p.bob, p.ids[s.title], s.direction)
		for _, name := range []string{"go", "redis"} {
			wantEqual(t, s.title+" "+s.direction, p.tagged(name), name+" 2: "+s.want)
		}
	}
	p.link(p.ann, "c", "go")
	wantEqual(t, "one more", p.tagged("go"), "go 3: b c a")
	p.wantVerdict("delete", p.mutate(p.ann, "deleteTopic", input{"topicId": p.ids["b"]}, ""), "")
	wantEqual(t, "one fewer", p.tagged("go"), "go 2: c a")
}

// X26: in the documents a group without a name returns all articles.
func TestTagsThatDoNotExist(t *testing.T) {
	p := newVoteSite(t)
	p.link(p.ann, "a", "go")
	for _, name := range []string{"", " ", "\t\n", "\u00ad", "unknown", "g o", "go!", strings.Repeat("x", 33),
		strings.Repeat("é", 20_000), "\x00", "{ix:front}", "0", "*"} {
		wantEqual(t, fmt.Sprintf("tag %.40q", name), p.tagged(name), "null")
	}
	for _, name := range []string{"go", "GO", " gO ", "Ｇｏ"} {
		wantEqual(t, "tag "+name, p.tagged(name), "go 1: a")
	}
	wantEqual(t, "a tag without a name", p.tag(p.ann, "a", []string{""}, nil), "TOO_SHORT input.add.0")
	wantEqual(t, "a blank one", p.tag(p.ann, "a", []string{"good", " "}, nil), "TOO_SHORT input.add.1")
	wantEqual(t, "one that is too long", p.tag(p.ann, "a", []string{strings.Repeat("x", 33)}, nil), "TOO_LONG input.add.0")
	wantEqual(t, "what it has after that", p.tag(p.ann, "a", nil, nil), "go")
}

// The first topic with a tag writes its name, for all until the last one drops it.
func TestTagsAreShownAsFirstWritten(t *testing.T) {
	p := newVoteSite(t)
	p.link(p.ann, "a", "PostgreSQL", "postgresql", " POSTGRESQL ")
	p.link(p.bob, "b", "postgreSQL", "Go")
	id := p.must("", `{ tag(name: "postgresql") { id } }`, nil).text("tag", "id")
	node := func() any {
		return p.must("", `query($id: ID!) { node(id: $id) { ... on Tag { name } } }`, input{"id": id}).at("node")
	}
	names := func(title string) string { return p.tag(p.mod, title, nil, nil) }
	wantEqual(t, "first writing", []any{p.tagged("POSTGRESQL"), names("a"), names("b"), node()},
		[]any{"PostgreSQL 2: b a", "PostgreSQL", "PostgreSQL, Go", map[string]any{"name": "PostgreSQL"}})
	wantEqual(t, "another writing changes nothing", p.tag(p.ann, "a", []string{"POSTGRESQL"}, nil), "PostgreSQL")
	wantEqual(t, "the first topic drops it", p.tag(p.ann, "a", nil, []string{"postgreSQL"}), "")
	wantEqual(t, "the name stays", []any{p.tagged("postgresql"), names("b")}, []any{"PostgreSQL 1: b", "PostgreSQL, Go"})
	p.wantVerdict("delete", p.mutate(p.bob, "deleteTopic", input{"topicId": p.ids["b"]}, ""), "")
	wantEqual(t, "the last topic was deleted", []any{p.tagged("postgresql"), p.tagged("go"), node()},
		[]any{"null", "null", nil})
	wantEqual(t, "it comes again, as newly written", p.tag(p.ann, "a", []string{"postgresQL", "GO"}, nil),
		"postgresQL, GO")
	wantEqual(t, "as newly written", []any{p.tagged("PostgreSQL"), p.tagged("go"), node()},
		[]any{"postgresQL 1: a", "GO 1: a", map[string]any{"name": "postgresQL"}})
	wantEqual(t, "both go", p.tag(p.ann, "a", nil, []string{"go", "postgresql"}), "")
	p.settle()
	for key, value := range p.contents() {
		if strings.HasSuffix(key, "}:tag") && strings.Contains(value, "name") {
			t.Errorf("%s exists; want no names of unused tags", key)
		}
	}
}

func TestAtMostTenTags(t *testing.T) {
	p := newVoteSite(t)
	p.post(p.ann, "full", input{"tags": append(names(10), "TAG 1", " tag 2 ")}) // two are written twice
	p.post(p.ann, "long", input{"tags": []string{strings.Repeat("é", 32)}})
	p.post(p.ann, "a", input{"tags": names(9)})
	wantEqual(t, "a tenth, and one it has", p.tag(p.ann, "a", []string{"TAG 3", "ten"}, nil),
		strings.Join(append(names(9), "ten"), ", "))
	wantEqual(t, "an eleventh", p.tag(p.ann, "a", []string{"eleven"}, nil), "TOO_LONG input.add")
	wantEqual(t, "two for one", p.tag(p.ann, "a", []string{"eleven", "twelve"}, []string{"Tag 0"}), "TOO_LONG input.add")
	wantEqual(t, "one for another", p.tag(p.ann, "a", []string{"eleven"}, []string{"Tag 0"}),
		strings.Join(append(names(9)[1:], "ten", "eleven"), ", "))
	wantEqual(t, "one in both lists", p.tag(p.ann, "a", []string{"new", "ten"}, []string{"tag 1", "TEN"}),
		"INVALID input.remove")
	wantEqual(t, "nothing has changed", p.tag(p.ann, "a", nil, nil),
		strings.Join(append(names(9)[1:], "ten", "eleven"), ", "))
	limit := p.mutate(p.ann, "tagTopic", input{"topicId": p.ids["a"], "add": []string{"twelve"}},
		"topic { id } errors { ... on InvalidInputError { limit } }")
	wantEqual(t, "limit", []any{limit.at("tagTopic", "topic"), limit.number("tagTopic", "errors", 0, "limit")},
		[]any{nil, 10})
}

func TestWhoMayTag(t *testing.T) {
	p := newVoteSite(t)
	p.post(p.ann, "a", nil)
	wantEqual(t, "a stranger", p.tag(p.bob, "a", []string{"spam"}, nil), "FORBIDDEN input.topicId")
	refused := p.mutate(p.bob, "tagTopic", input{"topicId": p.ids["a"], "add": []string{"spam"}},
		"topic { id } errors { ... on ForbiddenError { requires } }")
	wantEqual(t, "who could", refused.at("tagTopic", "errors", 0, "requires"), any("MODERATOR"))
	wantEqual(t, "signed out", p.tag("", "a", []string{"spam"}, nil), "UNAUTHENTICATED")
	wantEqual(t, "nothing came of it", p.tagged("spam"), "null")
	wantEqual(t, "a moderator", p.tag(p.mod, "a", []string{"help"}, nil), "help")
	wantEqual(t, "the author", p.tag(p.ann, "a", []string{"solved"}, []string{"help"}), "solved")
	p.wantVerdict("delete", p.mutate(p.ann, "deleteTopic", input{"topicId": p.ids["a"]}, ""), "")
	for name, who := range map[string]struct{ token, want string }{
		"a stranger": {p.bob, "NOT_FOUND input.topicId"}, "its author": {p.ann, "LOCKED input.topicId"}, "a moderator": {p.mod, "LOCKED input.topicId"},
	} {
		wantEqual(t, name+", when it is deleted", p.tag(who.token, "a", []string{"late"}, nil), who.want)
	}
}
