package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agora/internal/test/wait"
)

// partial is an answer in which something may be null because it cannot be read.
type partial struct {
	text    string
	data    map[string]any
	failed  map[string]bool // the paths of the errors
	missing int             // rows
}

// ask sends a query. All errors must be UNAVAILABLE, at something that is null.
func (s *awayServer) ask(t *testing.T, query string) (p partial) {
	t.Helper()
	p.text = (started{url: s.url}).post(t, "", query)
	var a struct {
		Data   map[string]any
		Errors []struct {
			Path       []any
			Extensions struct{ Code string }
		}
		Extensions struct{ Missing []struct{ Count int } }
	}
	if err := json.Unmarshal([]byte(p.text), &a); err != nil {
		t.Fatalf("%v: %s", err, p.text)
	}
	p.data, p.failed = a.Data, map[string]bool{}
	for _, e := range a.Errors {
		if got := at(a.Data, e.Path); got != nil || e.Extensions.Code != "UNAVAILABLE" {
			t.Errorf("the error at %v has the code %q, and there is %v; want UNAVAILABLE at a null", e.Path,
				e.Extensions.Code, got)
		}
		p.failed[fmt.Sprint(e.Path)] = true
	}
	for _, m := range a.Extensions.Missing {
		p.missing += m.Count
	}
	return p
}

// at returns what an answer has at a path.
func at(value any, path []any) any {
	for _, step := range path {
		switch v := value.(type) {
		case map[string]any:
			value = v[step.(string)]
		case []any:
			value = v[int(step.(float64))]
		}
	}
	return value
}

// rows returns the rows of a list by id, and their places.
func (p partial) rows(path ...any) (rows map[string]map[string]any, places map[string]int) {
	rows, places = map[string]map[string]any{}, map[string]int{}
	list, _ := at(p.data, path).([]any)
	for i, r := range list {
		row := r.(map[string]any)
		id := row["id"].(string)
		rows[id], places[id] = row, i
	}
	return rows, places
}

// wantAsBefore compares the rows of a list with those of an answer to the same query when all could be read: no field
// differs, except for those that are null with an error. It returns how many are so, and how many are not null.
func (p partial) wantAsBefore(t *testing.T, before partial, path ...any) (null, known int) {
	t.Helper()
	whole, _ := before.rows(path...)
	rows, places := p.rows(path...)
	if len(rows) == 0 || len(rows)+p.missing != len(whole) {
		t.Errorf("%v: %d rows are shown and %d missing; want %d in all: %s", path, len(rows), p.missing, len(whole), p.text)
	}
	for id, row := range rows {
		for field, value := range row {
			switch place := fmt.Sprint(slices.Concat(path, []any{places[id], field})); {
			case value == nil && p.failed[place]:
				null++
			case fmt.Sprint(value) != fmt.Sprint(whole[id][field]):
				t.Errorf("%s is %v, without an error; want %v", place, value, whole[id][field])
			case value != nil && field != "id":
				known++
			}
		}
	}
	return null, known
}

// What TestListsWithAShardGone selects: what topics refer to, and counts that are stored apart from their objects.
const (
	categoriesOfTopics = `{ front { topics(first: 30) { nodes { id category { name } } } } }`
	countsOfCategories = `{ site { name } categories(first: 100) { nodes { id topicCount followerCount } } }`
	countsOfTabs       = `{ site { name } tabs(first: 100) { nodes { id topicCount } } }`
	countsOfSite       = `{ site { name userCount topicCount commentCount } front { topics(first: 1) { totalCount } } }`
)

// wantCounts compares what is null while a master is away, and only that. With the master of categories and tabs, which
// cats says, topics have none, and the lists of these are null.
func (s *awayServer) wantCounts(t *testing.T, before map[string]partial, cats bool) {
	t.Helper()
	wait.Succeed(t, "the categories of topics", func() error { // a server keeps some for a second
		p := s.ask(t, categoriesOfTopics)
		null, known := p.wantAsBefore(t, before[categoriesOfTopics], "front", "topics", "nodes")
		if cats != (null > 0) || cats != (known == 0) {
			return fmt.Errorf("%d are null and %d are not: %s", null, known, p.text)
		}
		return nil
	})
	for query, path := range map[string]string{countsOfCategories: "categories", countsOfTabs: "tabs"} {
		p := s.ask(t, query)
		if cats {
			if at(p.data, []any{"site", "name"}) != "Agora" || at(p.data, []any{path}) != nil || len(p.failed) != 1 {
				t.Errorf("%s is answered by %s; want the site, and null with an error", query, p.text)
			}
			continue
		}
		null, known := p.wantAsBefore(t, before[query], path, "nodes")
		if null == 0 || query == countsOfCategories && known == 0 {
			t.Errorf("%s: %d counts are null and %d are not; want both", query, null, known)
		}
	}
	p := s.ask(t, countsOfSite)
	const want = `{"name":"Agora","userCount":null,"topicCount":null,"commentCount":null}`
	if !strings.Contains(p.text, want) || len(p.failed) != 3 || at(p.data, []any{"front", "topics", "totalCount"}) == nil {
		t.Errorf("%s is answered by %s; want %s, an error for each null, and the front", countsOfSite, p.text, want)
	}
}
