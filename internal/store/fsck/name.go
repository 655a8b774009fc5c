package fsck

import (
	"fmt"
	"maps"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	texts "agora/internal/text"
)

// names notes which names of an active user would be refused today: the user keeps them. Staff may have any.
func (c *checker) names(l *check.Look, u *userView) {
	delete(c.refused, u.id) // of an earlier look at the same user
	if isStaff(u.f) {
		return
	}
	whole := texts.Looks(u.f["login"])
	for _, of := range []string{"login", "name"} {
		name := u.f[of]
		if name == "" || of == "name" && name == u.f["login"] {
			continue
		}
		if texts.LooksReserved(name) {
			c.refuse(l, u.id, "%s %q: it passes for an office or a reserved word", of, name)
			continue
		}
		parts := texts.PartLooks(name)
		others := c.othersWith(l, u.id, parts)
		staff := slices.IndexFunc(parts, func(look string) bool { return others[look].staff })
		alike := slices.IndexFunc(parts,
			func(look string) bool { return others[look].id != 0 && slices.Contains(whole, look) })
		switch {
		case staff >= 0:
			c.refuse(l, u.id, "%s %q: it passes for the login of staff", of, name)
		case of == "login" && alike >= 0:
			c.refuse(l, u.id, "%s %q: it looks like the login of user %d", of, name, others[parts[alike]].id)
		}
	}
}

// isStaff reports whether a user moderates the site or a category.
func isStaff(f record.Fields) bool {
	return record.WasStaff(record.Fields{"role": f["role"], "moderates": f["moderates"]})
}

// refuse notes that a name of a user would be refused today.
func (c *checker) refuse(l *check.Look, id forum.UserID, why string, args ...any) {
	c.refused[id] = append(c.refused[id], fmt.Sprintf(why, args...))
}

// holder is who has a login with a look; user 0 is nobody any more.
type holder struct {
	id    forum.UserID
	staff bool
}

// othersWith finds the other users whose logins have these looks.
func (c *checker) othersWith(l *check.Look, id forum.UserID, looks []string) map[string]holder {
	claims := make([]*redis.StringCmd, len(looks))
	for i, look := range looks {
		claims[i] = l.Text(key.LookClaim(look))
	}
	l.Wait()
	found, users := map[string]holder{}, map[string]func() record.Fields{}
	for i, look := range looks {
		other, _ := record.ParseClaim(claims[i].Val())
		until, rests := record.ParseRest(claims[i].Val())
		switch {
		case rests && until == 0 && (other == 0 || other != id):
			found[look] = holder{staff: true}
		case !rests && other != 0 && other != id:
			found[look] = holder{id: other}
			users[look] = l.Fields(key.User(other), []string{"role", "moderates"})
		}
	}
	if len(users) > 0 {
		l.Wait()
	}
	for look, user := range users {
		found[look] = holder{found[look].id, isStaff(user())}
	}
	return found
}

// refusedNames returns what was noted, by user.
func (c *checker) refusedNames() []string {
	var all []string
	for _, id := range slices.Sorted(maps.Keys(c.refused)) {
		for _, why := range c.refused[id] {
			all = append(all, fmt.Sprintf("user %d: %s", id, why))
		}
	}
	return all
}
