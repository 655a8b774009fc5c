package graph_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

const errorFields = `errors { __typename message code path ... on InvalidInputError { limit } ... on TakenError { value }
	... on NotFoundError { missingId } ... on ForbiddenError { requires } }`

// Each type of UserError has what its fields promise; those of votes are in TestVotingOnMissingSubjects and
// TestVotingEndsAfterAWeek.
func TestUserErrorFields(t *testing.T) {
	b := newFullSite(t)
	none := gid("Topic", "77777")
	noCategory := gid("Category", "99")
	tests := []struct {
		token, field    string
		in              input
		typ, code, path string
		detail          string // the name of the type's own field
		value           any    // and its value
	}{
		{b.mod, "createCategory", input{"name": strings.Repeat("x", 65)}, "InvalidInputError", "TOO_LONG", "name", "limit", 64.0},
		{b.mod, "createCategory", input{"name": ""}, "InvalidInputError", "TOO_SHORT", "name", "limit", 1.0},
		{b.mod, "createCategory", input{"name": "\x00"}, "InvalidInputError", "INVALID", "name", "limit", nil},
		{b.mod, "deleteCategory", input{"category": input{"id": b.tea}}, "InvalidInputError", "NOT_EMPTY", "category", "limit", nil},
		{"", "login", input{"identifier": "ann", "password": "x"}, "InvalidInputError", "WRONG_CREDENTIALS", "password", "limit", nil},
		{b.ann, "tagTopic", input{"topicId": b.topic, "add": []string{"a", strings.Repeat("b", 33)}}, "InvalidInputError",
			"TOO_LONG", "add.1", "limit", 32.0},
		{b.mod, "createCategory", input{"name": "ＴＥＡ"}, "TakenError", "TAKEN", "name", "value", "tea"},
		{b.ann, "deleteTopic", input{"topicId": none}, "NotFoundError", "NOT_FOUND", "topicId", "missingId", none},
		{b.bob, "createComment", input{"topicId": b.deleted, "content": "x"}, "NotFoundError", "NOT_FOUND", "topicId",
			"missingId", b.deleted},
		{b.bob, "createComment", input{"topicId": b.topic, "parentId": b.foreign, "content": "x"}, "NotFoundError", "NOT_FOUND",
			"parentId", "missingId", b.foreign},
		{b.mod, "createTab", input{"name": "New", "categories": refs(b.tea, none)}, "NotFoundError", "NOT_FOUND",
			"categories.1", "missingId", none},
		{b.ann, "createTopic", input{"title": "x", "category": input{"id": noCategory}}, "NotFoundError", "NOT_FOUND",
			"category.id", "missingId", noCategory},
		{b.ann, "createTopic", input{"title": "x", "category": input{"name": "Nowhere"}}, "NotFoundError", "NOT_FOUND",
			"category.name", "missingId", nil},
		{b.bob, "updateTopic", input{"topicId": b.topic, "title": "x"}, "ForbiddenError", "FORBIDDEN", "topicId", "requires",
			"MODERATOR"},
		{b.bob, "deleteComment", input{"commentId": b.comment}, "ForbiddenError", "FORBIDDEN", "commentId", "requires",
			"MODERATOR"},
		{b.ann, "updateTopic", input{"topicId": b.deleted, "title": "x"}, "ForbiddenError", "LOCKED", "topicId", "requires", nil},
	}
	for _, tt := range tests {
		a := b.mutate(tt.token, tt.field, tt.in, errorFields)
		got, _ := a.at(tt.field, "errors", 0).(map[string]any)
		message, _ := got["message"].(string)
		if !strings.HasSuffix(message, ".") || len(message) < 10 {
			t.Errorf("%s %v: message %q; want a sentence", tt.field, tt.in, message)
		}
		delete(got, "message")
		path := []any{"input"}
		for _, p := range strings.Split(tt.path, ".") {
			path = append(path, p)
		}
		wantEqual(t, fmt.Sprint(tt.field, tt.in), got,
			map[string]any{"__typename": tt.typ, "code": tt.code, "path": path, tt.detail: tt.value})
	}
}

// breaks adds a fault between the store and Redis: everything with an argument that contains the word fails.
func (s *site) breaks(word string) {
	hits := func(cmd redis.Cmder) bool {
		return slices.ContainsFunc(cmd.Args(), func(a any) bool { return strings.Contains(fmt.Sprint(a), word) })
	}
	s.redis.AddHook(redistest.Hook(func(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
		if slices.ContainsFunc(cmds, hits) {
			return redistest.Fail(cmds, errFault)
		}
		return next(ctx, cmds)
	}))
}

var errFault error = &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("secret of the inside")}

// A mutation that fails, as expected or not, does not affect its siblings.
func TestSiblingsSurviveAFailingMutation(t *testing.T) {
	b := newFullSite(t)
	b.breaks("BOOM")
	a := b.ask(b.mod, `mutation {
		first: createCategory(input: {name: "First"}) { category { name } errors { code } }
		expected: createCategory(input: {name: "Tea"}) { category { name } errors { code } }
		unexpected: createTopic(input: {title: "BOOM", category: {name: "Tea"}}) { topic { title } errors { code } }
		badId: deleteTopic(input: {topicId: "x"}) { deletedTopicId errors { code } }
		last: createCategory(input: {name: "Last"}) { category { name } errors { code } }
	}`, nil)
	made := func(name string) map[string]any {
		return map[string]any{"category": map[string]any{"name": name}, "errors": []any{}}
	}
	wantEqual(t, "data", a.Data,
		map[string]any{"first": made("First"), "last": made("Last"), "unexpected": nil, "badId": nil,
			"expected": map[string]any{"category": nil, "errors": []any{map[string]any{"code": "TAKEN"}}}})
	for i, want := range []struct{ path, code, message string }{
		{"unexpected", "UNAVAILABLE",
			"The change may or may not have been applied. Repeat it, with the same idempotencyKey where there is one."},
		{"badId", "BAD_USER_INPUT", "This is not an id."},
	} {
		wantEqual(t, "error of "+want.path, a.Errors[i]["path"], any([]any{want.path}))
		wantEqual(t, "code of "+want.path, a.Errors[i]["extensions"].(map[string]any)["code"], any(want.code))
		wantEqual(t, "message of "+want.path, a.Errors[i]["message"], any(want.message))
	}
	b.wantNothingInternal("the answer", a)
	if log := b.log.String(); !strings.Contains(log, errFault.Error()) || !strings.Contains(log, "unexpected") {
		t.Errorf("log = %q; want the fault and its path in it", log)
	}
}

// If a field may be null, only that field is lost.
func TestFieldsFailAlone(t *testing.T) {
	testlevel.Usual(t)
	b := newFullSite(t)
	b.breaks("uniq:{l:bob}")
	a := b.ask("", `{ ann: user(by: {login: "ann"}) { login } bob: user(by: {login: "bob"}) { login } site { name } }`, nil)
	wantEqual(t, "site", a.text("site", "name"), "Agora")
	wantEqual(t, "bob", a.at("bob"), nil)
	if a.code() != "UNAVAILABLE" || a.status != 200 {
		t.Errorf("code = %q, status %d; want UNAVAILABLE with data, 200", a.code(), a.status)
	}
	b.wantNothingInternal("the answer", a)
}

// Without Redis nothing is executed: status 503 and UNAVAILABLE, with the time to try again. It is logged.
func TestRedisIsDown(t *testing.T) {
	b := newFullSite(t)
	must.OK(t, b.redis.Close())
	for _, query := range []string{`{ user(by: {login: "ann"}) { login } }`, `{ front { topics { nodes { title } } } }`, `{ front(orderBy: {field: TOP}) { topics { totalCount } } }`, `{ tag(name: "green") { name } }`, `{ categories { totalCount } }`,
		`mutation { login(input: {identifier: "ann", password: "a good password"}) { token errors { code } } }`,
		`mutation { register(input: {login: "newcomer", email: "new@agora.org", password: "a good password"}) { token errors { code } } }`,
		`mutation { recordClicks(input: {topicIds: ["` + b.topic + `"]}) { errors { code } } }`} {
		b.log.Reset()
		a := b.ask("", query, nil)
		b.wantVerdict(query, a, "UNAVAILABLE")
		wantEqual(t, "status", a.status, 503)
		wantEqual(t, "Retry-After", a.header.Get("Retry-After"), "1")
		wantEqual(t, "retryAfterSeconds", a.Errors[0]["extensions"].(map[string]any)["retryAfterSeconds"], any(1.0))
		if strings.HasPrefix(query, "mutation") {
			wantEqual(t, "message", a.Errors[0]["message"],
				any("The data cannot be changed just now. Nothing was changed; try again."))
		}
		b.wantNothingInternal(query, a)
		if log := b.log.String(); !strings.Contains(log, "client is closed") {
			t.Errorf("%s: log = %q; want the error in it", query, log)
		}
		b.clock.Advance(time.Second) // few failures of a second are logged
	}
	counts := b.ask("", `{ site { userCount } }`, nil)
	b.wantVerdict("counts", counts, "UNAVAILABLE")
	b.log.Reset()
	a := b.ask(b.ann, `{ viewer { id } }`, nil)
	wantEqual(t, "status with a token", a.status, 503)
	wantEqual(t, "Retry-After with a token", a.header.Get("Retry-After"), "1")
	b.wantVerdict("with a token", a, "UNAVAILABLE")
	b.wantNothingInternal("with a token", a)
	if log := b.log.String(); !strings.Contains(log, "client is closed") {
		t.Errorf("log = %q; want the error in it", log)
	}
	wantEqual(t, "what needs no Redis", b.must("", `{ site { name } viewer { id } }`, nil).text("site", "name"), "Agora")
}
