package graph_test

import (
	"fmt"
	"testing"

	"agora/internal/forum"
)

const reportsOf = `subscription($c: CategoryRef, $after: String) { reportAdded(category: $c, after: $after) {
	eventId kind subjectId case { state reportCount } } }`

func TestReportsComeLive(t *testing.T) {
	b := newFullSite(t)
	all, ink := b.subscribe(b.mod, reportsOf, nil), b.subscribe(b.mod, reportsOf, input{"c": input{"name": "Ink"}})
	inInk := b.site.topic(b.ann, "Ink", "About ink")
	cas := b.user("cas")
	want := func(what string, s *stream, kind, id, state string, count float64) answer {
		t.Helper()
		a, _ := s.next()
		wantEqual(t, what, a.at("reportAdded", "kind"), any(kind))
		wantEqual(t, what+": subject", a.text("reportAdded", "subjectId"), id)
		wantEqual(t, what+": case", a.at("reportAdded", "case"), any(map[string]any{"state": state, "reportCount": count}))
		return a
	}
	b.report(b.bob, b.topic)
	first := want("the first report", all, "ADDED", b.topic, "OPEN", 1)
	b.report(cas, b.topic)
	want("another", all, "CHANGED", b.topic, "OPEN", 2)
	b.report(cas, inInk)
	want("of another category", all, "ADDED", inInk, "OPEN", 1)
	want("only of a category", ink, "ADDED", inInk, "OPEN", 1)
	b.mutate(b.mod, "resolveReports", input{"subjectId": b.topic, "throughReport": 2, "outcome": "UPHELD"}, "changed")
	want("resolved", all, "REMOVED", b.topic, "UPHELD", 2)
	again := b.subscribe(b.mod, reportsOf, input{"after": first.text("reportAdded", "eventId")})
	want("resumed", again, "CHANGED", b.topic, "UPHELD", 2)
	foreign, _ := b.subscribe(b.mod, reportsOf, input{"c": input{"name": "Ink"},
		"after": first.text("reportAdded", "eventId")}).next()
	wantEqual(t, "after an event of another subscription", foreign.code(), "CURSOR_INVALID")
}

func TestReportAddedIsRefused(t *testing.T) {
	b := newFullSite(t)
	for token, want := range map[string]string{"": "UNAUTHENTICATED", b.ann: "FORBIDDEN"} {
		a, _ := b.subscribe(token, reportsOf, nil).next()
		wantEqual(t, "reportAdded", a.code(), want)
	}
	live := b.subscribe(b.mod, reportsOf, nil)
	b.report(b.bob, b.topic)
	if a, ok := live.next(); !ok || a.text("reportAdded", "kind") != "ADDED" {
		t.Fatalf("the first event = %s; want ADDED", a.body)
	}
	// Another session of the moderator shares the subscription, which does not end with the first one.
	first := b.mod
	b.mod = b.signIn("mia")
	live = b.subscribe(b.mod, reportsOf, nil)
	b.wantVerdict("logout", b.mutate(first, "logout", input{}, ""), "")
	b.report(b.user("cas"), b.topic)
	if a, ok := live.next(); !ok || a.text("reportAdded", "kind") != "CHANGED" {
		t.Fatalf("after the first session has ended: %s; want CHANGED", a.body)
	}
	b.promote(b.mod, forum.RoleUser)
	b.report(b.bob, b.other)
	if a, ok := live.next(); ok {
		t.Errorf("a moderator no longer gets %s; want the end", fmt.Sprint(a.Data))
	}
}
