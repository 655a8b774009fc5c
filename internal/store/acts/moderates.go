package acts

import (
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/script"
)

// Categories returns categories as scripts search them: the id of each between spaces.
func Categories(ids []forum.CategoryID) string {
	var all strings.Builder
	for _, id := range ids {
		all.WriteString(" " + key.Itoa(id) + " ")
	}
	return all.String()
}

// RankFields are the fields of a user that decide who may act on what the user posted.
var RankFields = []string{"role", "roleUntil", "moderates"}

// Rank returns the rank of who moderates now, for scripts that compare it with that of authors.
func Rank(v *forum.Viewer, now forum.Time) script.Rank {
	switch {
	case v.Has(forum.RoleAdmin):
		return script.Rank{Standing: 4, RankAt: now}
	case v.Has(forum.RoleModerator):
		return script.Rank{Standing: 3, RankAt: now}
	}
	return script.Rank{Standing: 2, RankAt: now}
}
