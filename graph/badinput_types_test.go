package graph_test

import (
	"fmt"
	"testing"
	"time"

	"agora/internal/forum"
)

// badOneOfs do not have exactly one name, whether in the document or in variables; gqlgen itself checks only the first.
func (b *fullSite) badOneOfs() (tests []refusal) {
	refs := []struct {
		field, typ, id, other, name string
		value                       any
	}{
		{"user", "UserRef", gid("User", "280"), `login: "ann"`, "login", "ann"}, {"topic", "TopicRef", b.topic, "number: 536", "number", 536},
		{"category", "CategoryRef", b.tea, `name: "Tea"`, "name", "Tea"}, {"tab", "TabRef", b.tab, `name: "All"`, "name", "All"},
	}
	for _, r := range refs {
		for _, literal := range []string{"{}", fmt.Sprintf("{id: %q, %s}", r.id, r.other), "{id: null}",
			fmt.Sprintf("{id: null, %s}", r.other)} {
			tests = append(tests, refusal{"", "", fmt.Sprintf("{ x: %s(by: %s) { id } }", r.field, literal), nil,
				"GRAPHQL_VALIDATION_FAILED"})
		}
		for _, v := range []input{{}, {"id": r.id, r.name: r.value}, {"id": nil}, {"id": nil, r.name: nil}} {
			tests = append(tests, refusal{fmt.Sprint(v), "", fmt.Sprintf("query($by: %s!) { x: %s(by: $by) { id } }", r.typ, r.field),
				input{"by": v}, "BAD_USER_INPUT by"})
		}
		tests = append(tests, refusal{"null in a variable", "", fmt.Sprintf("query($id: ID) { x: %s(by: {id: $id}) { id } }", r.field),
			input{"id": nil}, "GRAPHQL_VALIDATION_FAILED"})
	}
	for _, v := range []input{{}, {"id": b.tea, "name": "Tea"}, {"id": nil}, {"id": nil, "name": nil}} {
		tests = append(tests, refusal{fmt.Sprint(v), b.ann, "createTopic", input{"title": "New", "category": v},
			"BAD_USER_INPUT i.category"},
			refusal{fmt.Sprint(v), b.ann, "updateTopic", input{"topicId": b.topic, "category": v}, "BAD_USER_INPUT i.category"})
	}
	for _, literal := range []string{"{}", fmt.Sprintf("{id: %q, name: \"Tea\"}", b.tea), "{id: null}"} {
		tests = append(tests, refusal{"", b.ann,
			`mutation { createTopic(input: {title: "New", category: ` + literal + `}) { errors { code } } }`, nil,
			"GRAPHQL_VALIDATION_FAILED"})
	}
	return tests
}

// badLiterals are of another type. They are refused, never converted.
func (b *fullSite) badLiterals() (tests []refusal) {
	for _, tt := range []struct{ query, want string }{
		{`{ user(by: {login: 5}) { id } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ user(by: {login: true}) { id } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ user(by: {login: ann}) { id } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ user(by: {login: ["ann"]}) { id } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ user(by: "ann") { id } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ user { id } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ topic(by: {number: "5"}) { id } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ topic(by: {number: 5.0}) { id } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ topic(by: {number: 2147483648}) { id } }`, "BAD_USER_INPUT"},
		{`{ topic(by: {number: 99999999999999999999}) { id } }`, "GRAPHQL_VALIDATION_FAILED; GRAPHQL_VALIDATION_FAILED"},
		{`{ node(id: 1.5) { id } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ node(id: true) { id } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ node(id: 5) { id } }`, "BAD_USER_INPUT id"}, // an ID may be written as a number
		{`{ node(id: null) { id } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ nodes(ids: [null]) { id } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ front(orderBy: {field: WARM}) { id } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ front(orderBy: {field: "ACTIVE"}) { id } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ front(orderBy: {field: active}) { id } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ user(by: {email: "ann@example.com"}) { id } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ front { topics(first: 1, page: 1) { totalCount } } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ front { topics(first: 1, first: 2) { totalCount } } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ nothing }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ front }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ front {`, "GRAPHQL_PARSE_FAILED"},
		{"{ \x00 }", "GRAPHQL_PARSE_FAILED"},
		{`subscription { topicUpdated { topicId } }`, "GRAPHQL_VALIDATION_FAILED"},
	} {
		tests = append(tests, refusal{"", b.mod, tt.query, nil, tt.want})
	}
	return tests
}

func (b *fullSite) badVariables() (tests []refusal) {
	for _, tt := range []struct {
		query string
		value any
		path  string
	}{
		{`query($v: String!) { user(by: {login: $v}) { id } }`, 5, "v"},
		{`query($v: String!) { user(by: {login: $v}) { id } }`, nil, "v"},
		{`query($v: Int!) { topic(by: {number: $v}) { id } }`, "5", "v"},
		{`query($v: Int!) { topic(by: {number: $v}) { id } }`, 2147483648, "v"},
		{`query($v: ID!) { node(id: $v) { id } }`, 1.5, "v"},
		{`query($v: ID!) { node(id: $v) { id } }`, 5, "id"},
		{`query($v: [ID!]!) { nodes(ids: $v) { id } }`, []any{nil}, "v[0]"},
		{`query($v: TopicOrder!) { front(orderBy: $v) { id } }`, input{"field": "WARM"}, "v.field"},
		{`query($v: TopicOrder!) { front(orderBy: $v) { id } }`, input{"field": 1}, "v.field"},
		{`query($v: TopicOrder!) { front(orderBy: $v) { id } }`, input{"field": "active"}, "v.field"},
		{`query($v: TopicOrderField!) { front(orderBy: {field: $v}) { id } }`, "Active", "v"},
		{`query($v: OrderDirection!) { front(orderBy: {field: ACTIVE, direction: $v}) { id } }`, "asc", "v"},
		{`mutation($v: CreateTopicInput!) { createTopic(input: $v) { errors { code } } }`, input{"title": "x", "category": input{"name": "Tea"}, "format": "html"}, "v.format"},
		{`mutation($v: CreateTopicInput!) { createTopic(input: $v) { errors { code } } }`, input{"title": "x", "category": input{"name": "Tea"}, "kind": "discussion"}, "v.kind"},
		{`query($v: UserRef!) { user(by: $v) { id } }`, input{"email": "x"}, "v.email"},
		{`mutation($v: CreateCategoryInput!) { createCategory(input: $v) { errors { code } } }`, input{"name": 5}, "v.name"},
		{`mutation($v: CreateCategoryInput!) { createCategory(input: $v) { errors { code } } }`, input{}, "v.name"},
		{`mutation($v: CreateCategoryInput!) { createCategory(input: $v) { errors { code } } }`, input{"name": "New", "extra": 1}, "v.extra"},
		{`mutation($v: CreateCategoryInput!) { createCategory(input: $v) { errors { code } } }`, "New", "v"},
	} {
		tests = append(tests, refusal{fmt.Sprint(tt.value), b.mod, tt.query, input{"v": tt.value}, "BAD_USER_INPUT " + tt.path})
	}
	return tests
}

// One key identifies one input for a day.
func TestIdempotencyKeys(t *testing.T) {
	b := newFullSite(t)
	elsewhere := b.site.topic(b.mod, "Tea", "Of another partition")
	tests := []struct {
		field, token string
		in           input
		change       string
		to           any
		result       string
	}{
		{"register", "", input{"login": "newcomer", "email": "new@agora.org", "password": "a good password"}, "email",
			"other@agora.org", "viewer { id }"},
		{"createTopic", b.ann, input{"title": "New", "category": input{"id": b.tea}}, "title", "Newer", "topic { id }"},
		{"createTopic", b.bob, input{"title": "New", "kind": "ARTICLE", "link": "https://go.dev/", "tags": []string{"a"}},
			"tags", []string{"a", "b"}, "topic { id votes { up } }"},
		{"createTopic", b.mod, input{"title": "New", "link": "https://go.dev/", "category": input{"id": b.tea}}, "kind",
			"ARTICLE", "topic { id }"},
		{"createComment", b.bob, input{"topicId": b.topic, "content": "x"}, "content", "y", "comment { id }"},
		{"createComment", b.mod, input{"topicId": b.topic, "content": "x"}, "topicId", elsewhere,
			"comment { id }"},
	}
	for _, tt := range tests {
		in := with(tt.in, "idempotencyKey", "a key: {p00} 🔑")
		first := b.mutate(tt.token, tt.field, in, tt.result)
		b.wantVerdict(tt.field, first, "")
		b.clock.Advance(forum.IdempotencyLife - time.Millisecond)
		token := tt.token
		if token != "" {
			b.wantEqualResult(tt.field, b.mutate(token, tt.field, in, tt.result), first)
		}
		b.settle()
		before := b.contents()
		a := b.mutate(token, tt.field, with(in, tt.change, tt.to), tt.result)
		b.wantVerdict(tt.field+" with other input", a, "IDEMPOTENCY_CONFLICT input.idempotencyKey")
		b.wantUntouched(tt.field+" with other input", before, a)
		b.clock.Advance(time.Millisecond)
		late := b.mutate(token, tt.field, with(in, tt.change, tt.to), tt.result)
		wantEqual(t, tt.field+" a day later with other input",
			late.verdict() == "IDEMPOTENCY_CONFLICT input.idempotencyKey", false)
	}
}

func (b *fullSite) wantEqualResult(name string, got, want answer) {
	b.t.Helper()
	wantEqual(b.t, name+" repeated", got.Data, want.Data)
}
