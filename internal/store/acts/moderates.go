package acts

import (
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/script"
)

// Moderates returns what a script needs to know of what the viewer moderates.
func Moderates(v *forum.Viewer) script.Moderates {
	m := script.Moderates{Moderator: v.Has(forum.RoleModerator)}
	if v != nil && len(v.Moderates) > 0 {
		var ids strings.Builder
		for _, id := range v.Moderates {
			ids.WriteString(" " + key.Itoa(id) + " ")
		}
		m.Moderated = ids.String()
	}
	return m
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
