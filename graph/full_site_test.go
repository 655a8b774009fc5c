package graph_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"agora/internal/globalid"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// fullSite is a small site with one of everything.
type fullSite struct {
	*site
	ann, bob, mod string // tokens; ann writes all, mod is a moderator
	root          string // an administrator, in tests that have one

	tea, ink, tab string // ids of categories and of a tab of both

	// ann's topics in tea; other has the tag green and votes, bob's UP and the moderator's DOWN; deleted was deleted
	topic, other, deleted     string
	comment, reply, tombstone string // ann's comments on topic; reply and tombstone reply to comment
	foreign, lost             string // ann's comments on other and on deleted
}

func newFullSite(t testing.TB) *fullSite {
	t.Helper()
	b := &fullSite{site: newSite(t)}
	b.ann, b.bob, b.mod = b.user("ann"), b.user("bob"), b.moderator("mia")
	b.tea, b.ink = b.category(b.mod, "Tea"), b.category(b.mod, "Ink")
	b.tab = b.mutate(b.mod, "createTab", input{"name": "All", "categories": refs(b.tea, b.ink)},
		"tab { id }").text("createTab", "tab", "id")
	for _, place := range []*string{&b.topic, &b.other, &b.deleted} {
		b.clock.Advance(second)
		*place = b.site.topic(b.ann, "Tea", "A topic")
	}
	post := func(topic, parent string) string {
		b.clock.Advance(second)
		return b.site.comment(b.ann, topic, parent, "Some words")
	}
	b.comment = post(b.topic, "")
	b.reply, b.tombstone = post(b.topic, b.comment), post(b.topic, b.comment)
	b.foreign, b.lost = post(b.other, ""), post(b.deleted, "")
	b.wantVerdict("tag", b.mutate(b.ann, "tagTopic", input{"topicId": b.other, "add": []string{"Green"}}, ""), "")
	b.wantVerdict("vote", b.vote(b.bob, b.other, "UP"), "")
	b.wantVerdict("vote", b.vote(b.mod, b.other, "DOWN"), "")
	b.wantVerdict("delete the comment", b.mutate(b.ann, "deleteComment", input{"commentId": b.tombstone}, ""), "")
	b.wantVerdict("delete the topic", b.mutate(b.ann, "deleteTopic", input{"topicId": b.deleted}, ""), "")
	b.settle()
	return b
}

// input is the input of a mutation.
type input = map[string]any

// refs are the inputs that name categories by their ids.
func refs(ids ...string) []input {
	all := make([]input, len(ids))
	for i, id := range ids {
		all[i] = input{"id": id}
	}
	return all
}

// with returns the input with one field changed.
func with(in input, field string, value any) input {
	out := input{field: value}
	for k, v := range in {
		if k != field {
			out[k] = v
		}
	}
	return out
}

// mutate runs one mutation; it also selects the errors of the payload.
func (s *site) mutate(token, field string, in input, selection string) answer {
	s.t.Helper()
	typ := strings.ToUpper(field[:1]) + field[1:] + "Input"
	query := fmt.Sprintf("mutation($i: %s!) { %s(input: $i) { %s errors { code path message } } }", typ, field, selection)
	return s.ask(token, query, map[string]any{"i": in})
}

// vote sets a vote.
func (s *site) vote(token, subject, direction string) answer {
	s.t.Helper()
	return s.mutate(token, "vote", input{"subjectId": subject, "direction": direction}, "changed")
}

// verdict returns how a request was refused: top-level errors as "CODE argument", then those of the payloads as "CODE
// input.path"; "" if it was not.
func (a answer) verdict() string {
	var all []string
	for _, e := range a.Errors {
		ext, _ := e["extensions"].(map[string]any)
		said := fmt.Sprint(ext["code"])
		if argument, ok := ext["argument"].(string); ok {
			said += " " + argument
		}
		all = append(all, said)
	}
	var payloads []string
	for field, v := range a.Data {
		if m, ok := v.(map[string]any); ok && m["errors"] != nil {
			payloads = append(payloads, a.userErrors(field)...)
		}
	}
	return strings.Join(append(all, payloads...), "; ")
}

func (s *site) wantVerdict(name string, a answer, want string) {
	s.t.Helper()
	if got := a.verdict(); got != want {
		s.t.Errorf("%s: refused with %q; want %q (answer %.500s)", name, got, want, a.body)
	}
}

// texts returns one field of each object of a list.
func (a answer) texts(field string, path ...any) []string {
	list, _ := a.at(path...).([]any)
	found := []string{}
	for _, row := range list {
		m, _ := row.(map[string]any)
		found = append(found, fmt.Sprint(m[field]))
	}
	return found
}

// listed returns one field of the topics of a timeline, such as `category(by: {name: "Go"}) { timeline`.
func (s *site) listed(timeline, field string) []string {
	s.t.Helper()
	return s.listedFor("", timeline, field)
}

func (s *site) listedFor(token, timeline, field string) []string {
	s.t.Helper()
	a := s.must(token, "{ "+timeline+" { topics(first: 100) { nodes { "+field+" } } "+
		strings.Repeat("} ", 2+strings.Count(timeline, "{")-strings.Count(timeline, "}")), nil)
	var v any = a.Data
	for {
		m, _ := v.(map[string]any)
		if topics, ok := m["topics"].(map[string]any); ok {
			return answer{Data: topics}.texts(field, "nodes")
		}
		if len(m) != 1 {
			s.t.Fatalf("no timeline at %s: %s", timeline, a.body)
		}
		for _, v = range m {
		}
	}
}

func wantEqual(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// contents returns all keys of Redis with types and values, without times to live, and without counts of calls: a
// refused call may count.
func (s *site) contents() map[string]string {
	s.t.Helper()
	ctx := context.Background()
	keys := must.Do(redistest.Keys(ctx, s.redis, "*"))(s.t)
	keys = slices.DeleteFunc(keys, func(key string) bool { // marks go once what they are for is written
		return strings.HasPrefix(key, "rate:") || key == "{cat}:marks"
	})
	types := make([]*redis.StatusCmd, len(keys))
	must.Do(s.redis.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i, k := range keys {
			types[i] = p.Type(ctx, k)
		}
		return nil
	}))(s.t)
	found := make(map[string]string, len(keys))
	values := make([]func() string, len(keys))
	must.Do(s.redis.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i, k := range keys {
			values[i] = readValue(ctx, p, types[i].Val(), k)
		}
		return nil
	}))(s.t)
	for i, k := range keys {
		if types[i].Val() != "none" {
			found[k] = types[i].Val() + " " + values[i]()
		}
	}
	return found
}

// forgetCalls deletes the counts of calls, so that none is one too many.
func (s *site) forgetCalls() {
	s.t.Helper()
	ctx := context.Background()
	keys, err := redistest.Keys(ctx, s.redis, "rate:*")
	for _, key := range keys {
		err = errors.Join(err, s.redis.Del(ctx, key).Err())
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// readValue queues the read of a whole value.
func readValue(ctx context.Context, p redis.Pipeliner, typ, key string) func() string {
	switch typ {
	case "string":
		cmd := p.Get(ctx, key)
		return func() string { return cmd.Val() }
	case "hash":
		cmd := p.HGetAll(ctx, key)
		return func() string { return fmt.Sprint(cmd.Val()) }
	case "set":
		cmd := p.SMembers(ctx, key)
		return func() string { return fmt.Sprint(slices.Sorted(slices.Values(cmd.Val()))) }
	case "zset":
		cmd := p.ZRangeWithScores(ctx, key, 0, -1)
		return func() string { return fmt.Sprint(cmd.Val()) }
	case "none": // deleted since its name was read: the mark of a finished write
		return func() string { return "" }
	case "list":
		cmd := p.LRange(ctx, key, 0, -1)
		return func() string { return fmt.Sprint(cmd.Val()) }
	}
	panic("a type of key that contents does not read: " + typ)
}

// wantUntouched checks that a refused request changed nothing and revealed nothing internal.
func (s *site) wantUntouched(name string, before map[string]string, a answer) {
	s.t.Helper()
	after := s.contents()
	for key := range after {
		if before[key] != after[key] {
			s.t.Errorf("%s changed %s from %.200q to %.200q", name, key, before[key], after[key])
		}
	}
	for key := range before {
		if after[key] == "" {
			s.t.Errorf("%s took %s away", name, key)
		}
	}
	clear(before) // the next case starts from here
	maps.Copy(before, after)
	s.wantNothingInternal(name, a)
}

// wantNothingInternal checks that an answer reveals nothing internal.
func (s *site) wantNothingInternal(name string, a answer) {
	s.t.Helper()
	shown := must.Do(json.Marshal([]any{a.Data, a.Errors}))(s.t)
	shown = regexp.MustCompile(`"requestId":"[A-Z2-7]*"`).ReplaceAll(shown, nil) // which may hold any word
	for _, secret := range []string{"redis", ".lua", "goroutine", ".go:", "{p", "{cat}", "{ix", "uniq:", "panic",
		"dial ", "map[", "%!", "nil pointer", "evalsha", "runtime error", "example.com"} {
		if strings.Contains(strings.ToLower(string(shown)), secret) {
			s.t.Errorf("%s: the answer holds %q: %s", name, secret, shown)
		}
	}
}

// gid returns the global id of an object that may not exist.
func gid(typ, key string) string { return globalid.New(typ, key) }
