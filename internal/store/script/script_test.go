package script

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/pipeline"
)

func TestCallsFollowTheHeaders(t *testing.T) {
	seq := "9"
	changed := CommentChanged{Changes: "new", ChangedAt: 1, ChangesMost: 2, ChangesLife: 3 * time.Second}
	tests := []struct {
		name   string
		caller pipeline.Caller
		want   string
	}{
		{"optional keys omitted", CommentVote{
			CommentChanged: changed,
			Comment:        "c", Topic: "t", Upvoters: "up", Downvoters: "down", TopicVotes: "votes", ID: 7, User: 8,
			Want:  forum.VoteUp,
			Users: "u:",
		}, "[new c t up down votes] [0    1 2 3000 7 8 UP u:]"},
		{"optional keys", CommentVote{
			CommentChanged: changed,
			Comment:        "c", Topic: "t", Upvoters: "up", Downvoters: "down", TopicVotes: "votes", ParentVotes: "parent",
			ID: 7, User: 8, Rights: Rights{Moderator: true, Moderated: " 3 "},
			Want: forum.VoteNone, Users: "u:",
		}, "[new c t up down votes parent] [1  3    1 2 3000 7 8 NONE u:]"},
		{"an optional argument omitted", NoteRead{User: "u", Unread: "n", Notes: "all", Now: 5}, "[u n all] [5]"},
		{"an optional argument", NoteRead{User: "u", Unread: "n", Notes: "all", Now: 5, Seq: &seq}, "[u n all] [5 9]"},
		{"arguments of an include", IdemBind{Idempotency{Record: "r", Now: 5, Input: "i", Life: 6, Expires: "7"}},
			"[r] [5 i 6 7]"},
		{"rows of two lists", TabUpdate{
			Tab: "t", Names: "n", Members: "m", All: "a", ID: 1, MostTabs: 2, MostMembers: 3,
			Add:    []TabUpdateAdd{{Category: "c4", Tabs: "c4t", ID: 4}, {Category: "c5", Tabs: "c5t", ID: 5}},
			Remove: []TabUpdateRemove{{Category: "c6", Tabs: "c6t", ID: 6}},
		}, "[ t n m a c4 c4t c5 c5t c6 c6t] [ 0 0 0 0   0  1    2 3 0 2 4 5 6]"},
		{"rows of keys, and rows of keys and arguments", IndexSet{
			Now: 1, Memory: time.Second, Kept: 2, Marks: []IndexSetMark{{"c", "e"}}, Orders: []string{"a", "b"},
			Containers: []IndexSetContainer{{Revisions: "r", Removed: "g", Orders: 2, Entries: 1}},
			Entries:    []IndexSetEntry{{ID: 3, Rev: 4, Member: "m", Only: "2"}}, Scores: []string{"5", ""},
		}, "[c e a b r g] [1 1000 2 1 2 1 1 2 1  3 4 m  2 5 ]"},
	}
	for _, tt := range tests {
		call := tt.caller.Call()
		if got := fmt.Sprint(call.Keys, call.Args); got != tt.want {
			t.Errorf("%s: keys and arguments = %s; want %s", tt.name, got, tt.want)
		}
	}
}

func TestResultsAreReadByName(t *testing.T) {
	claimed, err := TaskClaim{}.Result([]any{"7", "2", "c"}, nil)
	if want := (TaskClaimResult{Token: "7", Attempts: 2, Cursor: "c"}); err != nil || claimed != want {
		t.Errorf("task_claim = %+v, %v; want %+v", claimed, err, want)
	}
	claimed, err = TaskClaim{}.Result([]any{}, nil)
	if err != nil || claimed != (TaskClaimResult{}) {
		t.Errorf("task_claim without a claim = %+v, %v; want zero", claimed, err)
	}
	page, err := ListPage{}.Result([]any{int64(9), int64(3), int64(1), []any{"m", "1.5", "n", "2"}}, nil)
	if err != nil || page.Total != 9 || len(page.Rows) != 2 || page.Rows[1] != (Scored{"n", 2}) {
		t.Errorf("list_page = %+v, %v; want 9 in all and the rows m and n", page, err)
	}
	voted, err := TopicVote{}.Result([]any{int64(1), int64(0), int64(1), "5", "500", nil, []any{"OPEN"}}, nil)
	if err != nil || !voted.Changed || voted.Dirty || !voted.Fresh || voted.Kind != "" || voted.Topic.State != "OPEN" {
		t.Errorf("topic_vote = %+v, %v; want a change of an open topic", voted, err)
	}
}

func TestBadRepliesAreErrors(t *testing.T) {
	failed := errors.New("NOT_FOUND topicId")
	if _, err := (TaskClaim{}).Result(nil, failed); !errors.Is(err, failed) {
		t.Errorf("an error as reply = %v; want it", err)
	}
	for _, reply := range []any{nil, "OK", []any{"7"}, []any{"7", []any{}, "c"}} {
		if got, err := (TaskClaim{}).Result(reply, nil); err == nil {
			t.Errorf("task_claim read %v as %+v; want an error", reply, got)
		}
	}
	for _, rows := range []any{"m", []any{int64(1), "2"}, []any{"m", "high"}} {
		if got, err := (ListPage{}).Result([]any{int64(9), int64(3), int64(1), rows}, nil); err == nil {
			t.Errorf("list_page read rows %v as %+v; want an error", rows, got.Rows)
		}
	}
}
