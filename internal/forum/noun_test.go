package forum

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseIDAcceptsOnlyTheCanonicalForm(t *testing.T) {
	tests := []struct {
		text string
		want TopicID
	}{
		{"1", 1}, {"256", 256}, {"2147483647", MaxID},
		{"0", 0}, {"-1", 0}, {"2147483648", 0}, {"9223372036854775808", 0}, {"01", 0}, {"+1", 0}, {" 1", 0}, {"1 ", 0},
		{"", 0}, {"1.0", 0}, {"1e3", 0}, {"0x10", 0}, {"1_000", 0}, {"١", 0},
	}
	for _, tt := range tests {
		got, err := ParseID[TopicID](tt.text)
		if got != tt.want || (err == nil) != (tt.want != 0) {
			t.Errorf("ParseID(%q) = %d, %v; want %d", tt.text, got, err, tt.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, MaxID).Draw(t, "id")
		if got, err := ParseID[UserID](strconv.FormatInt(n, 10)); err != nil || got != UserID(n) {
			t.Fatalf("ParseID(%d) = %d, %v; want it back", n, got, err)
		}
	})
}

func TestIDDeterminesPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.Int64Range(0, Partitions-1).Draw(t, "partition")
		id := rapid.Int64Range(1, MaxID/Partitions-1).Draw(t, "sequence")*Partitions + p
		want := Partition(p)
		if u, tp, c := UserID(id).Partition(), TopicID(id).Partition(), CommentID(id).Partition(); u != want || tp != want ||
			c != want {
			t.Fatalf("id %d is in partition %d, %d, %d; want %d", id, u, tp, c, want)
		}
	})
}

func TestRolesIncludeLowerRoles(t *testing.T) {
	roles := []Role{RoleUser, RoleModerator, RoleAdmin}
	for i, r := range roles {
		for j, other := range roles {
			if got, want := r.Includes(other), i >= j; got != want {
				t.Errorf("%s.Includes(%s) = %t; want %t", r, other, got, want)
			}
		}
		if !r.IsValid() {
			t.Errorf("%s.IsValid() = false; want true", r)
		}
	}
	for _, r := range []Role{"", "user", "ROOT"} {
		if r.IsValid() || r.Includes(RoleUser) {
			t.Errorf("role %q: IsValid %t, Includes(USER) %t; want neither", r, r.IsValid(), r.Includes(RoleUser))
		}
	}
}

func TestViewers(t *testing.T) {
	var anonymous *Viewer
	user, moderator := &Viewer{ID: 7, Role: RoleUser}, &Viewer{ID: 8, Role: RoleModerator}
	open := &Topic{Audience: Public, State: TopicOpen, AuthorID: 7}
	deleted := &Topic{Audience: Public, State: TopicDeleted, AuthorID: 7}
	ghosted := &Topic{Audience: Public, State: TopicDeleted}
	tests := []struct {
		name      string
		got, want bool
	}{
		{"a nil viewer is the ghost", anonymous.Is(0), false},
		{"a user is that user", user.Is(7), true},
		{"a viewer without an id is the ghost", (&Viewer{}).Is(0), false},
		{"a nil viewer has a role", anonymous.Has(RoleUser), false},
		{"a moderator is a user", moderator.Has(RoleUser), true},
		{"a user is a moderator", user.Has(RoleModerator), false},
		{"a nil viewer sees open topics", open.VisibleTo(anonymous, &Rules{}), true},
		{"a nil viewer sees deleted topics", deleted.VisibleTo(anonymous, &Rules{}), false},
		{"other users see deleted topics", deleted.VisibleTo(&Viewer{ID: 9, Role: RoleUser}, &Rules{}), false},
		{"the author sees deleted topics", deleted.VisibleTo(user, &Rules{}), true},
		{"a moderator sees deleted topics", deleted.VisibleTo(moderator, &Rules{}), true},
		{"a viewer without an id sees the ghost's deleted topics", ghosted.VisibleTo(&Viewer{Role: RoleUser}, &Rules{}), false},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: %t; want %t", tt.name, tt.got, tt.want)
		}
	}
}

// Behaviour B9: an article closes exactly a week, 604,800 s, after posting.
func TestVotingCloses(t *testing.T) {
	const posted = Time(1_000_000)
	tests := []struct {
		name  string
		topic Topic
		now   Time
		open  bool
		ends  Time
	}{
		{
			"article, the last millisecond",
			Topic{Kind: Article, State: TopicOpen, CreatedAt: posted},
			posted + 604_799_999,
			true,
			posted + 604_800_000,
		},
		{
			"article, a week",
			Topic{Kind: Article, State: TopicOpen, CreatedAt: posted},
			posted + 604_800_000,
			false,
			posted + 604_800_000,
		},
		{
			"article, deleted",
			Topic{Kind: Article, State: TopicDeleted, CreatedAt: posted},
			posted,
			false,
			posted + 604_800_000,
		},
		{
			"discussion, a year",
			Topic{Kind: Discussion, State: TopicOpen, CreatedAt: posted},
			posted + Time((365 * 24 * time.Hour).Milliseconds()),
			true,
			0,
		},
		{"discussion, deleted", Topic{Kind: Discussion, State: TopicDeleted, CreatedAt: posted}, posted, false, 0},
	}
	for _, tt := range tests {
		if got := tt.topic.Votes(tt.now); got.Open != tt.open || got.ClosesAt != tt.ends {
			t.Errorf("Votes of an %s = %+v; want open %t, closing at %d", tt.name, got, tt.open, tt.ends)
		}
	}
	comment := Comment{ID: 3, State: CommentOpen, Upvotes: 5, Downvotes: 7}
	if got := comment.Votes(5); !got.Open || got.Net() != -2 || got.Comment != 3 || got.ClosesAt != 0 {
		t.Errorf("Votes of a comment = %+v; want open, net -2, never closing", got)
	}
	comment.State = CommentDeleted
	if comment.Votes(5).Open {
		t.Error("votes on a tombstone are open; want closed")
	}
}

func TestErrorsKeepTheirCode(t *testing.T) {
	err := NotFound(Path("topicId"), "topic")
	wrapped := fmt.Errorf("create comment: %w", fmt.Errorf("deeper: %w", err))
	if got := CodeOf(wrapped); got != CodeNotFound {
		t.Errorf("CodeOf(wrapped) = %q; want NOT_FOUND", got)
	}
	if CodeOf(errors.New("internal")) != "" || CodeOf(nil) != "" {
		t.Error("CodeOf of an internal error or nil is not empty")
	}
	moved := err.At("ids", "3")
	if !slices.Equal(moved.Path, []string{"ids", "3"}) || !slices.Equal(err.Path, Path("topicId")) {
		t.Errorf("At = %v, the original %v; want a copy with the new path", moved.Path, err.Path)
	}
	tests := map[string]*Error{
		"NOT_FOUND at [topicId]: There is no such topic.": err,
		"TOO_LONG at [title]: title must have at most 200 characters.": TooLong(
			Path("title"),
			200,
			"characters",
		),
		"TOO_SHORT at [password]: password must have at least 8 characters.": TooShort(
			Path("password"),
			8,
			"characters",
		),
		"TAKEN at [login]: This login is taken.": Taken(Path("login"), "ann"),
		"INVALID at [link]: must not be x.": Invalid(
			Path("link"),
			"must not be %s.",
			"x",
		),
		"FORBIDDEN: no": Forbidden(nil, RoleModerator, "no"),
	}
	for want, e := range tests {
		if got := e.Error(); got != want {
			t.Errorf("Error() = %q; want %q", got, want)
		}
	}
}

func TestGhost(t *testing.T) {
	if g := Ghost(5); g.ID != 0 || g.Login != "ghost" || g.CreatedAt != 5 || g.Role != RoleUser {
		t.Errorf("Ghost(5) = %+v; want id 0, login ghost, role USER, since 5", g)
	}
}
