package store

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
)

// Each change of a field that processes keep in memory is announced, with the change and under the object's key; other
// writes, such as posts and votes, announce nothing.
func TestChangesOfWhatIsKeptAreAnnounced(t *testing.T) {
	x := newSite(t)
	ann, bob, mia := x.user("Ann"), x.user("Bob"), x.moderator("Mia")
	tea, milk := x.category("Tea"), x.category("Milk")
	drinks := x.tab("Drinks", tea, milk)
	topic := x.topic(bob, tea)
	why := forum.Grounds{Reason: forum.ReasonOther}
	text, place := func(s string) *string { return &s }, 3
	a, m := key.User(ann.ID), key.User(mia.ID)
	tests := []struct {
		name string
		do   func() error
		want []string
	}{
		{"a profile", func() error { return x.UpdateProfile(x.ctx, ann.ID, ProfileChange{Bio: text("Tea")}) }, []string{a}},
		{"a profile without a bio", func() error { return x.UpdateProfile(x.ctx, ann.ID, ProfileChange{Bio: text("")}) },
			[]string{a}},
		{"another spelling", func() error { return x.ChangeLogin(x.ctx, ann.ID, "hash of Ann", "ANN", "ann") }, []string{a}},
		{"another login", func() error { return x.ChangeLogin(x.ctx, ann.ID, "hash of Ann", "Anna", "anna") }, []string{a}},
		{"a role", func() error { return x.GiveRole(x.ctx, nil, ann.ID, forum.RoleModerator, why) }, []string{a}},
		{"no role", func() error { return x.GiveRole(x.ctx, nil, ann.ID, forum.RoleUser, why) }, []string{a}},
		{"the same role", func() error { return x.GiveRole(x.ctx, nil, ann.ID, forum.RoleUser, why) }, nil},
		{"a ban", func() error {
			_, _, err := x.Ban(x.ctx, mia, ann.ID, forum.Ban{Scope: forum.BanPost, Grounds: why})
			return err
		}, []string{a}},
		{"its end", func() error {
			_, err := x.Unban(x.ctx, mia, ann.ID, why)
			return err
		}, []string{a}},
		{"a moderator of a category", func() error {
			_, err := x.SetModerators(x.ctx, mia, milk, []ModeratorChange{{User: ann.ID, On: true, Field: "add.0"}}, why)
			return err
		}, []string{a}},
		{"a post", func() error {
			_, err := x.CreateTopic(x.ctx, discussion(bob, tea))
			return err
		}, nil},
		{"a comment", func() error {
			_, err := x.CreateComment(x.ctx, bob, remark(topic, 0))
			return err
		}, nil},
		{"a vote", func() error {
			_, err := x.VoteTopic(x.ctx, ann, topic, forum.VoteUp)
			return err
		}, nil},
		{"a follow", func() error {
			_, err := x.Follow(x.ctx, bob.ID, forum.Target{User: ann.ID}, true)
			return err
		}, nil},
		{"a name of a category", func() error {
			return x.UpdateCategory(x.ctx, tea, CategoryChange{Name: text("Teas"), Fold: text("teas")})
		}, []string{key.Category(tea)}},
		{"a place of a category", func() error {
			return x.UpdateCategory(x.ctx, tea, CategoryChange{Position: &place})
		}, []string{key.Category(tea)}},
		{"a name of a tab", func() error {
			return x.UpdateTab(x.ctx, drinks, TabChange{Name: "Cups", Fold: "cups"})
		}, []string{key.Tab(drinks)}},
		{"a place of a tab", func() error { return x.UpdateTab(x.ctx, drinks, TabChange{Position: &place}) },
			[]string{key.Tab(drinks)}},
		{"a category less", func() error { return x.DeleteCategory(x.ctx, nil, milk) },
			[]string{a, key.Category(milk), key.Tab(drinks)}},
		{"a tab less", func() error { return x.DeleteTab(x.ctx, nil, drinks) }, []string{key.Tab(drinks)}},
		{"a new category and tab", func() error {
			x.tab("New", x.category("Newer"))
			return nil
		}, nil},
		{"an account less", func() error { return x.DeleteAccount(x.ctx, mia.ID, "hash of Mia") }, []string{m}},
		{"a new account", func() error {
			x.user("Carl")
			return nil
		}, nil},
	}
	ps := x.rdb.Subscribe(x.ctx, pipeline.Changed)
	defer ps.Close()
	if _, err := ps.Receive(x.ctx); err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		before := x.kept()
		if err := tt.do(); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		heard, after := x.heard(ps), x.kept()
		if slices.Sort(heard); !slices.Equal(heard, slices.Sorted(slices.Values(tt.want))) {
			t.Errorf("%s: %v were announced; want %v", tt.name, heard, tt.want)
		}
		for k, fields := range before {
			if !maps.Equal(fields, after[k]) && !slices.Contains(heard, k) {
				t.Errorf("%s: %s has changed from %v to %v, which was not announced", tt.name, k, fields, after[k])
			}
		}
	}
}

// heard returns what was announced until now.
func (x *site) heard(ps *redis.PubSub) (keys []string) {
	x.t.Helper()
	if err := x.rdb.Publish(x.ctx, pipeline.Changed, "").Err(); err != nil {
		x.t.Fatal(err)
	}
	for {
		m, err := ps.ReceiveMessage(x.ctx)
		if err != nil {
			x.t.Fatal(err)
		}
		if m.Payload == "" {
			return keys
		}
		keys = append(keys, m.Payload)
	}
}

// kept returns the fields of users, categories and tabs that processes keep in memory.
func (x *site) kept() map[string]map[string]string {
	all := map[string]map[string]string{}
	for k := range x.keys() {
		_, id, _ := strings.Cut(k, "}:")
		if isUser := strings.HasPrefix(id, "u:"); strings.Count(id, ":") != 1 ||
			!isUser && !strings.HasPrefix(k, key.CategoryPrefix) && !strings.HasPrefix(k, key.TabPrefix) {
			continue
		}
		fields := x.hash(k)
		maps.DeleteFunc(fields, func(name, _ string) bool {
			return !slices.Contains([]string{"state", "login", "fold", "name", "role", "created", "bio", "website", "avatar",
				"oldFold", "ban", "banUntil", "banReason", "banAct", "moderates", "description", "position", "categories"}, name)
		})
		all[k] = fields
	}
	return all
}
