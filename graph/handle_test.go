package graph_test

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/test/gqltext"
	"agora/internal/test/testlevel"
)

// selections returns all fields of the types that ways lead to, by type and name, each as it is selected alone.
func selections(schema *ast.Schema, ways []way) map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, w := range ways {
		if all[w.typ] != nil {
			continue
		}
		all[w.typ] = map[string]string{"__typename": "__typename"}
		for _, f := range schema.Types[w.typ].Fields {
			all[w.typ][f.Name] = f.Name + beneath(schema, schema.Types[f.Type.Name()])
		}
	}
	all["Tab"]["includes"] = `includes(category: {name: "Tea"})`
	return all
}

// listing are the types beneath which there are objects to read.
var listing = regexp.MustCompile(`^(\w+Connection|\w+Edge|Timeline)$`)

// beneath returns the selection for objects of a type: their plain fields, and what lists list.
func beneath(schema *ast.Schema, typ *ast.Definition) string {
	if typ.IsLeafType() {
		return ""
	}
	names := ""
	for _, f := range typ.Fields {
		to := schema.Types[f.Type.Name()]
		switch {
		case strings.HasPrefix(f.Name, "__"):
		case to.IsLeafType() && len(f.Arguments) == 0, listing.MatchString(typ.Name):
			names += " " + f.Name + beneath(schema, to)
		}
	}
	if names == "" { // of a union
		names = "__typename"
	}
	return " { " + names + " }"
}

// way is a document that reads objects of one type: FIELDS is replaced by their fields.
type way struct{ typ, query string }

// ways are paths of all kinds to handles of all kinds.
func (r *rich) ways() []way {
	var all []way
	// The same by id, in a list of nodes alone, and next to objects that must be loaded first.
	for typ, ids := range map[string][]string{"Topic": {r.topic, r.deleted, r.hiddenTopic},
		"Comment":  {r.comment, r.tombstone, r.lost, r.hiddenComment},
		"Category": {r.category}, "Tab": {r.tab}, "User": {r.userID(r.ann)}, "Tag": {r.tag}, "UserList": {r.friends}} {
		on := "{ ... on " + typ + " { FIELDS } }"
		for _, id := range ids {
			all = append(all, way{typ, fmt.Sprintf(`{ node(id: %q) %s }`, id, on)})
		}
		list := `"` + strings.Join(ids, `", "`) + `"`
		all = append(all, way{typ, fmt.Sprintf(`{ nodes(ids: [%s]) %s }`, list, on)},
			way{typ, fmt.Sprintf(`{ nodes(ids: [%q, %s]) %s }`, gid("Timeline", "category:1:active:desc"), list, on)})
	}
	for _, typ := range []string{"Topic", "Comment", "User"} {
		all = append(all, way{typ, `{ reportQueue { nodes { subject { ... on ` + typ + ` { FIELDS } } } } }`},
			way{typ, `{ reportQueue { edges { node { state subject { ... on ` + typ + ` { FIELDS } } } } } }`})
	}
	return slices.Concat(all, r.topicWays(), r.otherWays(), r.userWays(), r.tagWays(), r.voteWays(), r.followWays())
}

// followWays reach all kinds of objects through follows.
func (r *rich) followWays() []way {
	return []way{
		{"UserList", `{ viewer { lists { nodes { FIELDS } edges { cursor node { FIELDS } } } } }`},
		{"UserList", fmt.Sprintf(`mutation { updateListMembers(input: {listId: %q, add: [%q], remove: [%q]}) { list { FIELDS } errors { code } } }`, r.friends, r.userID(r.ann), r.userID(r.bob))},
		{"UserList", fmt.Sprintf(`mutation { updateList(input: {listId: %q, name: "Fine friends"}) { list { FIELDS } errors { code } } }`, r.friends)},
		{"User", `{ user(by: {login: "ann"}) { followers { nodes { FIELDS } edges { since node { id } } } } }`},
		{"User", `{ viewer { user { following { edges { since node { FIELDS } } } } blocked { nodes { FIELDS } } } }`},
		{"User", fmt.Sprintf(`{ node(id: %q) { ... on UserList { members { nodes { FIELDS } edges { node { FIELDS } } } } } }`, r.friends)},
		{"User", fmt.Sprintf(`mutation { follow(input: {targetId: %q}) { target { ... on User { FIELDS } } viewer { user { FIELDS } } errors { code } } }`, r.userID(r.ann))},
		{"User", fmt.Sprintf(`mutation { block(input: {userId: %q}) { user { FIELDS } errors { code } } }`, r.userID(r.bob))},
		{"Category", fmt.Sprintf(`mutation { follow(input: {targetId: %q}) { target { ... on Category { FIELDS } } errors { code } } }`, r.category)},
		{"Tag", fmt.Sprintf(`mutation { follow(input: {targetId: %q}) { target { ... on Tag { FIELDS } } errors { code } } }`, r.tag)},
	}
}

// userID returns the id of a token's user.
func (s *site) userID(token string) string { return gid("User", fmt.Sprint(int64(userOf(token)))) }

func (r *rich) userWays() []way {
	users := func(query string, args ...any) way { return way{"User", fmt.Sprintf(query, args...)} }
	return []way{
		users(`{ user(by: {login: "ANN"}) { FIELDS } }`),
		users(`{ user(by: {id: %q}) { FIELDS } }`, r.userID(r.ann)),
		users(`{ viewer { user { FIELDS } } }`),
		users(`{ front { topics { nodes { author { FIELDS } } } } }`),
		users(`{ topic(by: {id: %q}) { author { login } comments { nodes { author { FIELDS } } } } }`, r.topic),
		users(`{ topic(by: {id: %q}) { author { id } comments { nodes { mentions { FIELDS } author { name } } } } }`, r.topic),
		users(`{ node(id: %q) { ... on Comment { author { FIELDS } } } }`, r.tombstone),
		users(`mutation { setUserRole(input: {userId: %q, role: MODERATOR}) { user { FIELDS } errors { code } } }`, r.userID(r.bob)),
	}
}

func (r *rich) tagWays() []way {
	tags := func(query string, args ...any) way { return way{"Tag", fmt.Sprintf(query, args...)} }
	return []way{
		tags(`{ tag(name: "GREEN") { FIELDS } }`),
		tags(`{ topic(by: {id: %q}) { tags { FIELDS } } }`, r.topic),
		tags(`{ topic(by: {id: %q}) { tags { FIELDS } } tag(name: "hot drinks") { id } }`, r.hiddenTopic),
		tags(`{ front { topics { nodes { tags { FIELDS } } edges { node { tags { id } } } } } }`),
		tags(`{ tag(name: "green") { timeline { topics { nodes { tags { FIELDS } } } } } }`),
		tags(`mutation { tagTopic(input: {topicId: %q, add: ["New"], remove: ["Old"], reason: OTHER}) { topic { tags { FIELDS } } errors { code } } }`, r.topic),
	}
}

// voteWays reach all kinds of objects through votes.
func (r *rich) voteWays() []way {
	all := []way{
		{"Topic", fmt.Sprintf(`mutation { vote(input: {subjectId: %q, direction: UP}) { subject { ... on Topic { FIELDS } } errors { code } } }`, r.topic)},
		{"Topic", fmt.Sprintf(`mutation { tagTopic(input: {topicId: %q, add: ["Green"], reason: OTHER}) { topic { FIELDS } errors { code } } }`, r.topic)},
		{"Topic", fmt.Sprintf(`mutation { vote(input: {subjectId: %q, direction: UP}) { subject { ... on Comment { topic { FIELDS } } } } }`, r.comment)},
		{"Comment", fmt.Sprintf(`mutation { vote(input: {subjectId: %q, direction: UP}) { subject { ... on Comment { FIELDS } } errors { code } } }`, r.comment)},
		{"Comment", fmt.Sprintf(`{ topic(by: {id: %q}) { comments(orderBy: TOP) { edges { cursor node { FIELDS } } } } }`, r.topic)},
		{"Comment", fmt.Sprintf(`{ node(id: %q) { ... on Comment { replies(orderBy: CONTROVERSIAL) { nodes { FIELDS } } } } }`, r.comment)},
		{"User", fmt.Sprintf(`{ topic(by: {id: %q}) { voters { nodes { FIELDS } edges { cursor node { id } } } } }`, r.topic)},
		{"User", fmt.Sprintf(`{ topic(by: {id: %q}) { author { login } voters(direction: DOWN, last: 1) { edges { node { FIELDS } } } } }`, r.topic)},
	}
	for _, timeline := range []string{"front(orderBy: {field: HOT})",
		"front(orderBy: {field: TOP, direction: ASC}, period: DAY)", "dayRank"} {
		all = append(all, way{"Topic", `{ x: ` + timeline + ` { topics { edges { rank score explanation { votesToPass terms { value } } node { FIELDS } } } } }`},
			way{"Topic", `{ x: ` + timeline + ` { topics { edges { explanation { votesToPass } } nodes { FIELDS } } } }`})
	}
	all = append(all, way{"Topic", `{ user(by: {login: "ann"}) { profile { topics { nodes { FIELDS } edges { rank score } } } } }`})
	return append(all, way{"Topic", `{ tag(name: "Hot drinks") { timeline { topics { nodes { FIELDS } } } } }`})
}

func (r *rich) topicWays() []way {
	topics := func(query string, args ...any) way { return way{"Topic", fmt.Sprintf(query, args...)} }
	return []way{
		topics(`{ topic(by: {id: %q}) { FIELDS } }`, r.deleted),
		topics(`{ topic(by: {number: %d}) { FIELDS } }`, r.number),
		topics(`{ front { topics { nodes { FIELDS } } } }`),
		topics(`{ front { topics { edges { cursor node { FIELDS } } } } }`),
		topics(`{ front { topics { nodes { number } edges { node { FIELDS } } } } topic(by: {number: %d}) { id } }`, r.number),
		topics(`{ category(by: {name: "tea"}) { timeline { topics { nodes { FIELDS } } } } }`),
		topics(`{ tab(by: {id: %q}) { timeline(orderBy: {field: CREATED}) { topics { nodes { FIELDS } } } } }`, r.tab),
		topics(`{ node(id: %q) { ... on Comment { topic { FIELDS } } } }`, r.reply),
		topics(`{ user(by: {login: "ann"}) { comments { nodes { topic { FIELDS } } } } }`),
		topics(`{ topic(by: {number: %d}) { id comments { nodes { number topic { title comments { nodes { topic { FIELDS } } } } } } } }`, r.number),
		topics(`mutation { createTopic(input: {title: "New", content: "Words", link: "https://example.net/", category: {name: "Tea"}, idempotencyKey: "t"}) { topic { FIELDS } } }`),
		topics(`mutation { updateTopic(input: {topicId: %q, title: "Other words", reason: OTHER}) { topic { FIELDS } errors { code } } }`, r.topic),
		topics(`mutation { recordClicks(input: {topicIds: [%q, %q]}) { topics { FIELDS } } }`, r.topic, r.deleted),
	}
}

func (r *rich) otherWays() []way {
	comments := func(query string, args ...any) way { return way{"Comment", fmt.Sprintf(query, args...)} }
	return []way{
		comments(`{ topic(by: {id: %q}) { comments { nodes { FIELDS } } } }`, r.topic),
		comments(`{ topic(by: {id: %q}) { comments(topLevelOnly: true) { edges { node { FIELDS } } } } }`, r.topic),
		comments(`{ topic(by: {id: %q}) { comments { nodes { id } edges { node { replies { nodes { FIELDS } } } } } } }`, r.topic),
		comments(`{ node(id: %q) { ... on Comment { parent { FIELDS } } } }`, r.reply),
		comments(`{ node(id: %q) { ... on Comment { replies(orderBy: NEWEST) { edges { node { FIELDS } } } } } }`, r.comment),
		comments(`{ user(by: {login: "ann"}) { comments { nodes { FIELDS } } } }`),
		comments(`{ user(by: {login: "ann"}) { comments { nodes { number parent { content parent { FIELDS } } } } } }`),
		comments(`mutation { createComment(input: {topicId: %q, parentId: %q, content: "for @bob", idempotencyKey: "c"}) { comment { FIELDS } } }`, r.topic, r.comment),
		comments(`mutation { moderate(input: {subjectId: %q, action: LOCK, reason: OTHER}) { subject { ... on Comment { FIELDS } } errors { code } } }`, r.reply),
		{"Category", `{ category(by: {name: "TEA"}) { FIELDS } }`},
		{"Category", fmt.Sprintf(`{ category(by: {id: %q}) { FIELDS } }`, r.category)},
		{"Category", `{ categories { nodes { FIELDS } edges { node { FIELDS } } } }`},
		{"Category", `{ tab(by: {name: "all"}) { categories { nodes { FIELDS } } } }`},
		{"Category", fmt.Sprintf(`{ topic(by: {id: %q}) { category { FIELDS } } }`, r.deleted)},
		{"Category", fmt.Sprintf(`mutation { updateCategory(input: {category: {id: %q}, description: "Of herbs"}) { category { FIELDS } } }`, r.category)},
		{"Tab", `{ tab(by: {name: "ALL"}) { FIELDS } }`},
		{"Tab", fmt.Sprintf(`{ tab(by: {id: %q}) { FIELDS } }`, r.tab)},
		{"Tab", `{ tabs { nodes { FIELDS } edges { node { FIELDS } } } }`},
		{"Tab", `{ category(by: {name: "tea"}) { tabs { FIELDS } } }`},
		{"Tab", fmt.Sprintf(`mutation { updateTab(input: {tabId: %q, name: "Everything"}) { tab { FIELDS } } }`, r.tab)},
	}
}

// The value of a field does not depend on the other selected fields: alone it is the same as with all others, on
// every path to its object, and as in gqlgen's executor.
func TestFieldsAreTheSameAlone(t *testing.T) {
	testlevel.WithoutRace(t)
	r := newRich(t)
	stock := r.stock()
	ways := r.ways()
	all := selections(gqltext.Schema(t), ways)
	for n, w := range ways {
		fields := all[w.typ]
		together := strings.Join(slices.Sorted(maps.Values(fields)), " ")
		ask := func(s *site, selected string) answer {
			return s.must(r.mod, strings.ReplaceAll(w.query, "FIELDS", selected), nil)
		}
		whole := ask(r.site, together)
		if strings.HasPrefix(w.query, "mutation") { // what it changes, it changes once
			whole = ask(r.site, together)
		}
		if diff := cmp.Diff(ask(stock, together).Data, whole.Data); diff != "" {
			t.Errorf("%s with all fields (-gqlgen's executor +ours):\n%s", w.query, diff)
		}
		for i, name := range slices.Sorted(maps.Keys(fields)) {
			if !strings.HasPrefix(w.query, "{ node(") && (i+n)%2 != 0 {
				continue // each field is tried on half of the other paths
			}
			alone := ask(r.site, fields[name])
			values := valuesOf(name, alone.Data)
			if len(values) == 0 {
				t.Errorf("%s: no %s in %s", w.query, name, alone.body)
			}
			if !within(alone.Data, whole.Data) {
				t.Errorf("%s: alone %s is %v; want what it is with all others, %s", w.query, name, values, whole.body)
			}
		}
	}
}

// Each field of an object that ways lead to has a value in the rich site, so that a field that was not read is noticed.
func TestRichSiteHasEachField(t *testing.T) {
	r := newRich(t)
	ways := r.ways()
	for typ, fields := range selections(gqltext.Schema(t), ways) {
		for name, field := range fields {
			if !slices.ContainsFunc(ways, func(w way) bool {
				return w.typ == typ && !strings.HasPrefix(w.query, "mutation") &&
					slices.ContainsFunc(valuesOf(name, r.must(r.mod, strings.ReplaceAll(w.query, "FIELDS", field), nil).Data), says)
			}) {
				t.Errorf("%s.%s has no value anywhere on the rich site: have newRich in rich_test.go give it one", typ, name)
			}
		}
	}
}

// says reports whether a value differs from that of an unread field.
func says(v any) bool {
	m, isObject := v.(map[string]any)
	l, isList := v.([]any)
	switch {
	case isObject:
		return slices.ContainsFunc(slices.Collect(maps.Values(m)), says)
	case isList:
		return slices.ContainsFunc(l, says)
	}
	return v != nil && !reflect.ValueOf(v).IsZero()
}

// valuesOf returns the values of a field at any depth.
func valuesOf(name string, v any) []any {
	var found []any
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if key == name {
				found = append(found, inner)
			} else {
				found = append(found, valuesOf(name, inner)...)
			}
		}
	case []any:
		for _, inner := range v {
			found = append(found, valuesOf(name, inner)...)
		}
	}
	return found
}

// within reports whether an answer is a part of another: the same lists, the same values, some fields fewer.
func within(part, whole any) bool {
	switch part := part.(type) {
	case map[string]any:
		w, ok := whole.(map[string]any)
		for key, v := range part {
			other, there := w[key]
			ok = ok && there && within(v, other)
		}
		return ok
	case []any:
		w, ok := whole.([]any)
		return ok && slices.EqualFunc(part, w, within)
	}
	return part == whole
}
