package limit

import (
	"agora/bench/keys"
	"agora/internal/forum"
)

// people are the users of one answer, each read once.
type people map[int64]hash

// userFields are the fields of users, also of those whose names are selected.
var (
	userFields  = fieldsOf("state", "login", "name")
	loginFields = userFields.first(2)
)

// ask reads a user, unless it was already read. Id 0 needs no read.
func (p people) ask(l level, id int64, names fields) {
	if id == 0 {
		return
	}
	if _, asked := p[id]; !asked {
		p[id] = l.hash(keys.User, id, names)
	}
}

// active returns a user's fields; ok is false for a deleted user.
func (p people) active(id int64) (u values, ok bool) {
	cmd, ok := p[id]
	if !ok {
		return u, false
	}
	u = cmd.values()
	return u, u.at(0) == "ACTIVE"
}

// appendLogin appends an author: `{"login":"..."}`.
func (p people) appendLogin(out []byte, id int64) []byte {
	login := forum.GhostLogin
	if u, ok := p.active(id); ok {
		login = u.at(1)
	}
	out = append(out, `{"login":`...)
	return append(appendString(out, login), '}')
}

// appendNames appends an author: `{"login":"...","name":"..."}`.
func (p people) appendNames(out []byte, id int64) []byte {
	login, name := forum.GhostLogin, ghostName
	if u, ok := p.active(id); ok {
		login, name = u.at(1), u.at(2)
	}
	out = append(out, `{"login":`...)
	out = appendString(out, login)
	out = append(out, `,"name":`...)
	return append(appendString(out, name), '}')
}

// ghostName is the ghost's name.
var ghostName = forum.Ghost(0).Name
