package store

import (
	"context"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/connection"
)

// Those who may have changed something lately read from Redis.
func TestNearIsForThoseWhoHaveChangedNothing(t *testing.T) {
	x := newSite(t)
	s := x.process(WithNearCache(1 << 20))
	ann, now := x.user("Ann"), x.Now()
	tests := []struct {
		name string
		v    *forum.Viewer
		want bool
	}{
		{"signed out", nil, true},
		{"a user", &forum.Viewer{ID: ann.ID, Role: forum.RoleUser}, true},
		{"a change just now", &forum.Viewer{Role: forum.RoleUser, WroteAt: now}, false},
		{"a change just before the end", &forum.Viewer{Role: forum.RoleUser, WroteAt: now - 2999}, false},
		{"a change long ago", &forum.Viewer{Role: forum.RoleUser, WroteAt: now - 3000}, true},
		{"a change by a clock that is ahead", &forum.Viewer{Role: forum.RoleUser, WroteAt: now + 60_000}, false},
		{"a moderator", &forum.Viewer{Role: forum.RoleModerator}, false},
		{"a moderator of a category", &forum.Viewer{Role: forum.RoleUser, Moderates: []forum.CategoryID{1}}, false},
	}
	for _, tt := range tests {
		if got := s.Read(s.Near(x.ctx, tt.v)).near() != nil; got != tt.want {
			t.Errorf("%s: may read from memory: %v; want %v", tt.name, got, tt.want)
		}
	}
	if s.Read(x.ctx).near() != nil {
		t.Error("without Near, memory may be read")
	}
	if x.Read(x.Near(x.ctx, nil)).near() != nil {
		t.Error("without a near cache, memory may be read")
	}
}

// A change of a user's account is seen with the next session, whoever made it.
func TestSessionsShowWhenTheAccountHasChanged(t *testing.T) {
	x := newSite(t)
	ann, name := x.user("Ann"), "Anne"
	for _, tt := range []struct {
		name string
		do   func() error
	}{
		{"a profile", func() error { return x.UpdateProfile(x.ctx, ann.ID, ProfileChange{Name: &name}) }},
		{"a spelling", func() error { return x.ChangeLogin(x.ctx, ann.ID, "hash of Ann", "ANN", "ann") }},
		{"a login", func() error { return x.ChangeLogin(x.ctx, ann.ID, "hash of Ann", "Anna", "anna") }},
		{"a role", func() error { return x.SetRole(x.ctx, ann.ID, forum.RoleModerator) }},
		{"its end", func() error { return x.SetRole(x.ctx, ann.ID, forum.RoleUser) }},
	} {
		x.clock.Advance(time.Second)
		wantOK(t, tt.name, tt.do())
		x.start(ann.ID, "digest", time.Second)
		if v := x.session(ann.ID, "digest"); v.WroteAt != x.Now() {
			t.Errorf("after %s: the last change was at %d; want %d", tt.name, v.WroteAt, x.Now())
		}
	}
}

// Where a replica may replace a master, nothing is kept.
func TestNoNearCacheWithReplicas(t *testing.T) {
	x := newSite(t)
	conn := connection.Over(x.server.Client(t))
	conn.Replicated = true
	s, err := Open(context.Background(), conn, Layout{}, WithNearCache(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, kept := s.NearStats(); kept {
		t.Error("a near cache is kept with replicas")
	}
}
