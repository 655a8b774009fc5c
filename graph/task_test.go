package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/test/must"
)

// dead adds a task that was given up, which is to fill a user's home, and returns its name.
func (s *site) dead(user forum.UserID, failure string) string {
	s.t.Helper()
	p := fmt.Sprintf("{p%02x}:", byte(user.Partition()))
	name := fmt.Sprintf("h:%d", user)
	hash := []any{"n", 1, "attempts", 20, "cursor", ""}
	if failure != "" {
		hash = append(hash, "failure", failure)
	}
	must.OK(s.t, s.redis.HSet(s.t.Context(), p+"task:"+name, hash...).Err())
	z := redis.Z{Score: float64(s.clock.Now().UnixMilli()), Member: name}
	must.OK(s.t, s.redis.ZAdd(s.t.Context(), p+"dead", z).Err())
	return name
}

const allTasks = ` { due waiting dead deadTasks {
	name work subject { __typename ... on User { login } } attempts failure givenUpAt } }`

// Administrators see the tasks that were given up, and retry one or all; the security log says so.
func TestTasks(t *testing.T) {
	b := newFullSite(t)
	ada := b.user("ada")
	b.promote(ada, forum.RoleAdmin)
	b.settle()
	for token, want := range map[string]string{"": "UNAUTHENTICATED", b.ann: "FORBIDDEN", b.mod: "FORBIDDEN"} {
		wantEqual(t, "tasks", b.ask(token, `{ tasks { dead } }`, nil).code(), want)
	}
	first := b.dead(userOf(b.ann), "busy")
	b.clock.Advance(second)
	last := b.dead(userOf(b.mod), "")
	a := b.must(ada, `{ tasks`+allTasks+` }`, nil)
	wantEqual(t, "dead", a.number("tasks", "dead"), 2)
	wantEqual(t, "round trips", a.Extensions.Redis.RoundTrips, 6)
	wantEqual(t, "round trips of the numbers", b.must(ada, `{ tasks { dead } }`, nil).Extensions.Redis.RoundTrips, 2)
	wantEqual(t, "names", fmt.Sprint(a.texts("name", "tasks", "deadTasks")), fmt.Sprint([]string{first, last}))
	got := fmt.Sprint(a.at("tasks", "deadTasks", 0, "work"), a.at("tasks", "deadTasks", 0, "subject", "login"),
		a.at("tasks", "deadTasks", 0, "attempts"), a.at("tasks", "deadTasks", 0, "failure"),
		a.at("tasks", "deadTasks", 1, "failure"))
	wantEqual(t, "tasks", got, fmt.Sprint("fill a home", "ann", 20.0, "busy", nil))

	const payload = "retriedCount query { tasks { due dead deadTasks { name } } }"
	retried := func(name any, n, due, dead float64, names ...any) {
		t.Helper()
		a := b.mutate(ada, "retryTasks", input{"name": name}, payload)
		want := map[string]any{"due": due, "dead": dead, "deadTasks": append([]any{}, names...)}
		wantEqual(t, "retried", fmt.Sprint(a.at("retryTasks", "retriedCount"), a.at("retryTasks", "query", "tasks")),
			fmt.Sprint(n, want))
	}
	b.wantVerdict("no such task", b.mutate(ada, "retryTasks", input{"name": "h:1"}, payload), "NOT_FOUND input.name")
	retried(last, 1, 1, 1, map[string]any{"name": first})
	b.wantVerdict("twice", b.mutate(ada, "retryTasks", input{"name": last}, payload), "NOT_FOUND input.name")
	retried(nil, 1, 2, 0)
	retried(nil, 0, 2, 0)
	if n := strings.Count(b.log.String(), "event=tasks-retried"); n != 3 {
		t.Errorf("the security log has %d lines of tasks-retried; want 3: %s", n, b.log)
	}
}

// An object that a consumer of changes has set aside is shown and retried like a task.
func TestObjectsThatAreSetAsideAreTasks(t *testing.T) {
	b := newFullSite(t)
	ada := b.user("ada")
	b.promote(ada, forum.RoleAdmin)
	b.settle()
	ann := userOf(b.ann)
	slot := fmt.Sprintf("{p%02x}:", byte(ann.Partition()))
	name, later := fmt.Sprintf("%sfeed:u:search u:%d", slot, ann), b.clock.Now().Add(second).UnixMilli()
	must.OK(t, b.redis.HSet(t.Context(), slot+"consumers", "seq", 9, "kinds", "u", "u:search",
		fmt.Sprintf("9 1 0 %d 0 %d 1", later, later)).Err())
	must.OK(t, b.redis.HSet(t.Context(), slot+"feed:u:search", fmt.Sprintf("u:%d", ann),
		fmt.Sprintf("%d 3 1000 7:CREATED,9: it is away", later)).Err())
	a := b.must(ada, `{ tasks`+allTasks+` }`, nil)
	got := a.at("tasks", "deadTasks", 0).(map[string]any)
	wantEqual(t, "task", fmt.Sprint(a.number("tasks", "dead"), got["name"], got["work"], got["subject"], got["attempts"],
		got["failure"]), fmt.Sprint(1, name, "tell search what has changed", map[string]any{"__typename": "User", "login": "ann"}, 3,
		"it is away"))
	a = b.mutate(ada, "retryTasks", input{"name": name}, "retriedCount")
	wantEqual(t, "retried", a.number("retryTasks", "retriedCount"), 1)
	b.wantVerdict("no such object", b.mutate(ada, "retryTasks", input{"name": name + "0"}, "retriedCount"), "NOT_FOUND input.name")
	row := b.redis.HGet(t.Context(), slot+"consumers", "u:search").Val()
	if now := fmt.Sprint(b.clock.Now().UnixMilli()); !strings.HasPrefix(row, "9 2 0 ") || !strings.HasSuffix(row, " "+now+" 1") {
		t.Errorf("the consumer is at %q; want it due now, under the next token", row)
	}
}
