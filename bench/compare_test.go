package main

import (
	"testing"

	"agora/bench/dataset"
	"agora/bench/document"
	"agora/bench/subject"
	"agora/internal/forum"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// tiny is a forum for tests: one topic has more than a page of comments, and a few accounts, topics and comments were
// deleted.
func tiny() dataset.Plan {
	return dataset.Plan{Users: 12, Topics: 24, Long: 6, Losses: true, Comments: func(topic int) int {
		if topic == 6 {
			return 130
		}
		return topic % 4
	}}
}

// All subjects answer alike, byte for byte, also with deleted objects.
func TestSubjectsAgree(t *testing.T) {
	testlevel.Usual(t)
	testlevel.Generated(t, subject.HasGqlgen)
	server := redistest.Start(t)
	s := must.Do(newSite(t.Context(), server.URL(), tiny(), 1, func(int) {}))(t)
	t.Cleanup(s.close)
	lose(t, s)
	b := &benchmark{site: s, children: map[string]*child{}, report: &Report{}}
	if err := (&b.o).check(); err == nil {
		t.Fatal("check of no options succeeds")
	}
	b.o.Only, b.o.Subjects = documentNames(), subjectNames
	for _, name := range []string{subject.Limit, subject.Tuned, subject.Kept, subject.Bare, subject.Agora, subject.Cached,
		subject.Gqlgen,
		subject.Usual} {
		conn := must.Do(subject.Connect(t.Context(), server.URL()))(t)
		t.Cleanup(func() { conn.Close() })
		started, err := subject.Start(t.Context(), name, conn)
		if err != nil {
			t.Fatalf("start %s: %v", name, err)
		}
		t.Cleanup(started.Close)
		b.children[name] = &child{name: name, Addresses: started.Addresses}
	}
	if err := b.compare(t.Context()); err != nil {
		t.Error(err)
	}
	for _, id := range append(s.data.Topics, s.data.Long) {
		if err := b.compareOne(document.TopicHTML, document.TopicVariables(id, s.data.After)); err != nil {
			t.Error(err)
		}
	}
	for _, n := range []int{1, 2, 7} {
		if err := b.compareOne(document.Front, document.FrontVariables(n, n)); err != nil {
			t.Error(err)
		}
	}
}

// lose deletes objects that visitors would see: an author and comments of the long topic, and one of the latest
// topics, which is put back into the list, as if it were deleted while the page was read.
func lose(t *testing.T, s *site) {
	t.Helper()
	latest := s.data.Topics[len(s.data.Topics)-2]
	front := "{ix:front}:active"
	before := must.Do(s.conn.ZRevRangeWithScores(t.Context(), front, 0, -1).Result())(t)
	for _, err := range []error{
		dataset.Lose(t.Context(), s.store, forum.Subject{Comment: s.data.LongComments[3]}),
		dataset.Lose(t.Context(), s.store, forum.Subject{Comment: s.data.LongComments[129]}),
		s.store.Accounts.DeleteAccount(t.Context(), s.data.Users[3], ""),
		dataset.Lose(t.Context(), s.store, forum.Subject{Topic: latest}),
		s.conn.ZAdd(t.Context(), front, before...).Err(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestUnescaped(t *testing.T) {
	got, err := unescaped([]byte(`{"a":"\u003cb\u003e \u0026 \\o/"}` + "\n"))
	if want := `{"a":"<b> & \\o/"}`; string(got) != want || err != nil {
		t.Errorf("unescaped = %s, %v; want %s", got, err, want)
	}
	if _, err := unescaped([]byte(`{"a":"\\u003c"}`)); err == nil {
		t.Error("an escaped backslash before u003c is taken for <")
	}
}
