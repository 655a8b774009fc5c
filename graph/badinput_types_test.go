package graph_test

import (
	"fmt"
	"testing"
	"time"

	"agora/internal/forum"
)

// Exactly one name, whether in the document or in variables; gqlgen itself checks only the first.
func TestOneOf(t *testing.T) {
	b := newBoard(t)
	refs := []struct {
		field, typ, id, other, name string
		value                       any
	}{
		{"user", "UserRef", gid("User", "280"), `login: "ann"`, "login", "ann"}, {"topic", "TopicRef", b.topic, "number: 536", "number", 536},
		{"category", "CategoryRef", b.tea, `name: "Tea"`, "name", "Tea"}, {"tab", "TabRef", b.tab, `name: "All"`, "name", "All"},
	}
	before := b.contents()
	for _, r := range refs {
		literals := []string{"{}", fmt.Sprintf("{id: %q, %s}", r.id, r.other), "{id: null}",
			fmt.Sprintf("{id: null, %s}", r.other)}
		for _, literal := range literals {
			a := b.ask("", fmt.Sprintf("{ x: %s(by: %s) { id } }", r.field, literal), nil)
			b.wantVerdict(r.field+literal, a, "GRAPHQL_VALIDATION_FAILED")
			b.wantUntouched(r.field+literal, before, a)
		}
		variables := []input{{}, {"id": r.id, r.name: r.value}, {"id": nil}, {"id": nil, r.name: nil}}
		for _, v := range variables {
			a := b.ask("", fmt.Sprintf("query($by: %s!) { x: %s(by: $by) { id } }", r.typ, r.field), input{"by": v})
			b.wantVerdict(fmt.Sprint(r.field, v), a, "BAD_USER_INPUT by")
			b.wantUntouched(fmt.Sprint(r.field, v), before, a)
		}
		inner := b.ask("", fmt.Sprintf("query($id: ID) { x: %s(by: {id: $id}) { id } }", r.field), input{"id": nil})
		b.wantVerdict(r.field+": null in a variable of a field", inner, "GRAPHQL_VALIDATION_FAILED")
	}
	var tests []refusal
	for _, v := range []input{{}, {"id": b.tea, "name": "Tea"}, {"id": nil}, {"id": nil, "name": nil}} {
		tests = append(tests, refusal{fmt.Sprint(v), b.ann, "createTopic", input{"title": "New", "category": v},
			"BAD_USER_INPUT i.category"},
			refusal{fmt.Sprint(v), b.ann, "updateTopic", input{"topicId": b.topic, "category": v}, "BAD_USER_INPUT i.category"})
	}
	b.wantRefused(tests)
	for _, literal := range []string{"{}", fmt.Sprintf("{id: %q, name: \"Tea\"}", b.tea), "{id: null}"} {
		a := b.ask(b.ann, `mutation { createTopic(input: {title: "New", category: `+literal+`}) { errors { code } } }`, nil)
		b.wantVerdict("createTopic in category "+literal, a, "GRAPHQL_VALIDATION_FAILED")
		b.wantUntouched("createTopic in category "+literal, before, a)
	}
}

// A value of another type is refused, never converted.
func TestWrongTypesInLiterals(t *testing.T) {
	b := newBoard(t)
	literals := []struct{ query, want string }{
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
		{``, "BAD_USER_INPUT"},
		{"{ \x00 }", "GRAPHQL_PARSE_FAILED"},
		{`subscription { topicUpdated { topicId } }`, "GRAPHQL_VALIDATION_FAILED"},
	}
	before := b.contents()
	for _, tt := range literals {
		a := b.ask(b.mod, tt.query, nil)
		b.wantVerdict(tt.query, a, tt.want)
		b.wantUntouched(tt.query, before, a)
	}
}

func TestWrongTypesInVariables(t *testing.T) {
	b := newBoard(t)
	before := b.contents()
	variables := []struct {
		query string
		value any
		want  string
	}{
		{`query($v: String!) { user(by: {login: $v}) { id } }`, 5, "BAD_USER_INPUT"},
		{`query($v: String!) { user(by: {login: $v}) { id } }`, true, "BAD_USER_INPUT"},
		{`query($v: String!) { user(by: {login: $v}) { id } }`, []string{"ann"}, "BAD_USER_INPUT"},
		{`query($v: String!) { user(by: {login: $v}) { id } }`, input{"a": 1}, "BAD_USER_INPUT"},
		{`query($v: String!) { user(by: {login: $v}) { id } }`, nil, "BAD_USER_INPUT"},
		{`query($v: Int!) { topic(by: {number: $v}) { id } }`, "5", "BAD_USER_INPUT"},
		{`query($v: Int!) { topic(by: {number: $v}) { id } }`, 2147483648, "BAD_USER_INPUT"},
		{`query($v: Int!) { topic(by: {number: $v}) { id } }`, 1e30, "BAD_USER_INPUT"},
		{`query($v: Int!) { topic(by: {number: $v}) { id } }`, 1.5, "BAD_USER_INPUT"},
		{`query($v: ID!) { node(id: $v) { id } }`, 1.5, "BAD_USER_INPUT"},
		{`query($v: ID!) { node(id: $v) { id } }`, true, "BAD_USER_INPUT"},
		{`query($v: ID!) { node(id: $v) { id } }`, input{}, "BAD_USER_INPUT"},
		{`query($v: ID!) { node(id: $v) { id } }`, 5, "BAD_USER_INPUT"},
		{`query($v: [ID!]!) { nodes(ids: $v) { id } }`, []any{nil}, "BAD_USER_INPUT"},
		{`query($v: TopicOrder!) { front(orderBy: $v) { id } }`, input{"field": "WARM"}, "BAD_USER_INPUT"},
		{`query($v: TopicOrder!) { front(orderBy: $v) { id } }`, input{"field": 1}, "BAD_USER_INPUT"},
		{`query($v: TopicOrder!) { front(orderBy: $v) { id } }`, input{"field": "active"}, "BAD_USER_INPUT"},
		{`query($v: TopicOrderField!) { front(orderBy: {field: $v}) { id } }`, "Active", "BAD_USER_INPUT"},
		{`query($v: OrderDirection!) { front(orderBy: {field: ACTIVE, direction: $v}) { id } }`, "asc", "BAD_USER_INPUT"},
		{`mutation($v: CreateTopicInput!) { createTopic(input: $v) { errors { code } } }`, input{"title": "x", "category": input{"name": "Tea"}, "format": "html"}, "BAD_USER_INPUT"},
		{`mutation($v: CreateTopicInput!) { createTopic(input: $v) { errors { code } } }`, input{"title": "x", "category": input{"name": "Tea"}, "kind": "discussion"}, "BAD_USER_INPUT"},
		{`query($v: UserRef!) { user(by: $v) { id } }`, input{"email": "x"}, "BAD_USER_INPUT"},
		{`mutation($v: CreateCategoryInput!) { createCategory(input: $v) { errors { code } } }`, input{"name": 5}, "BAD_USER_INPUT"},
		{`mutation($v: CreateCategoryInput!) { createCategory(input: $v) { errors { code } } }`, input{}, "BAD_USER_INPUT"},
		{`mutation($v: CreateCategoryInput!) { createCategory(input: $v) { errors { code } } }`, input{"name": "New", "extra": 1}, "BAD_USER_INPUT"},
		{`mutation($v: CreateCategoryInput!) { createCategory(input: $v) { errors { code } } }`, "New", "BAD_USER_INPUT"},
	}
	for _, tt := range variables {
		name := fmt.Sprintf("%s with %v", tt.query, tt.value)
		a := b.ask(b.mod, tt.query, input{"v": tt.value})
		wantEqual(t, name, a.code(), tt.want)
		b.wantUntouched(name, before, a)
	}
}

// A body that is not a GraphQL request.
func TestBadBodies(t *testing.T) {
	b := newBoard(t)
	before := b.contents()
	for _, body := range []string{"", "x", "null", "[]", `"query"`, "5", "{", `{"query": 5}`, `{"query": "{ viewer { id } }", "variables": []}`, `{"query": "{ viewer { id } }", "variables": "x"}`, "\xef\xbb\xbf{}"} {
		a := b.send(b.ann, []byte(body))
		if code := a.code(); code != "BAD_USER_INPUT" && code != "GRAPHQL_VALIDATION_FAILED" {
			t.Errorf("body %q: code %q; want BAD_USER_INPUT or GRAPHQL_VALIDATION_FAILED (answer %s)", body, code, a.body)
		}
		if a.status < 400 || a.status > 499 {
			t.Errorf("body %q: status %d; want 4xx", body, a.status)
		}
		b.wantUntouched(body, before, a)
	}
	a := b.send(b.ann, []byte(`{"query": "query A { viewer { id } } query B { site { name } }", "operationName": "C"}`))
	b.wantVerdict("an operation that is not there", a, "GRAPHQL_VALIDATION_FAILED")
}

// One key identifies one input for a day.
func TestIdempotencyKeys(t *testing.T) {
	b := newBoard(t)
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
		{"createComment", b.mod, input{"topicId": b.topic, "content": "x"}, "topicId", b.other, "comment { id }"},
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

func (b *board) wantEqualResult(name string, got, want answer) {
	b.t.Helper()
	wantEqual(b.t, name+" repeated", got.Data, want.Data)
}
