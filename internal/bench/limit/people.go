package limit

import (
	"github.com/redis/go-redis/v9"

	"agora/internal/bench/keys"
	"agora/internal/forum"
)

// people are the users of one answer, each read once.
type people map[int64]*redis.StringSliceCmd

// userFields are those of users whose names are asked for too.
var (
	userFields  = []any{"state", "login", "name"}
	loginFields = userFields[:2]
)

// ask reads a user, unless that was done before. Nobody needs no read.
func (p people) ask(l *level, id int64, fields []any) {
	if id == 0 || p[id] != nil {
		return
	}
	l.keys = keys.User(l.keys, id)
	p[id] = l.hmget(fields)
}

// active is a user's fields, or nil for one who is gone.
func (p people) active(id int64) []string {
	if cmd := p[id]; cmd != nil && len(cmd.Val()) > 0 && cmd.Val()[0] == "ACTIVE" {
		return cmd.Val()
	}
	return nil
}

// appendLogin appends who wrote something: `{"login":"..."}`.
func (p people) appendLogin(out []byte, id int64) []byte {
	login := forum.GhostLogin
	if u := p.active(id); u != nil {
		login = u[1]
	}
	out = append(out, `{"login":`...)
	return append(appendString(out, login), '}')
}

// appendNames appends who wrote something: `{"login":"...","name":"..."}`.
func (p people) appendNames(out []byte, id int64) []byte {
	login, name := forum.GhostLogin, ghostName
	if u := p.active(id); u != nil {
		login, name = u[1], u[2]
	}
	out = append(out, `{"login":`...)
	out = appendString(out, login)
	out = append(out, `,"name":`...)
	return append(appendString(out, name), '}')
}

// ghostName is what the ghost is called.
var ghostName = forum.Ghost(0).Name
