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
