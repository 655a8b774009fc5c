package acts

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// LoggedAct is an act of a moderator with the names that a person reads. It is for those who run the site: it shows the
// titles of hidden topics, too.
type LoggedAct struct {
	*forum.Act
	// Moderator and Affected are logins; "" for the command line, and for accounts that are gone.
	Moderator, Affected string
	// About is the login of the subject, or the title of the topic; of a comment, "".
	About string
}

// LatestActs reads the latest acts of moderators, at most n, oldest first.
func (s *Store) LatestActs(ctx context.Context, n int) ([]LoggedAct, error) {
	if n <= 0 {
		return nil, nil
	}
	members, err := s.engine.Client.Redis.ZRevRange(ctx, key.ModerationLog, 0, int64(n)-1).Result()
	if err != nil {
		return nil, fmt.Errorf("read the moderation log: %w", err)
	}
	ids := make([]forum.ActID, 0, len(members))
	for i := len(members) - 1; i >= 0; i-- {
		if id, _, err := record.ParseMember(members[i]); err == nil {
			ids = append(ids, forum.ActID(id))
		}
	}
	acts, err := s.Acts(ctx, ids)
	if err != nil {
		return nil, err
	}
	return s.namedActs(ctx, acts)
}

// namedActs reads the names that acts need, without those acts that do not exist.
func (s *Store) namedActs(ctx context.Context, acts []*forum.Act) ([]LoggedAct, error) {
	b := s.engine.Client.Batch()
	names := map[string]*redis.StringCmd{}
	read := func(k, field string) {
		if names[k] == nil {
			names[k] = b.HGet(ctx, k, field)
		}
	}
	for _, a := range acts {
		if a == nil {
			continue
		}
		read(key.User(a.By), "login")
		read(key.User(a.Member), "login")
		switch {
		case a.Subject.Topic != 0:
			read(key.Topic(a.Subject.Topic), "title")
		case a.Subject.Section():
			read(key.Subject(a.Subject), "name")
		case a.Subject.User != 0:
			read(key.User(a.Subject.User), "login")
		}
	}
	if b.Len() == 0 {
		return nil, nil
	}
	if err := b.Exec(ctx); err != nil && err != redis.Nil {
		return nil, fmt.Errorf("read names for the moderation log: %w", err)
	}
	var found []LoggedAct
	for _, a := range acts {
		if a == nil {
			continue
		}
		l := LoggedAct{Act: a, Moderator: names[key.User(a.By)].Val(), Affected: names[key.User(a.Member)].Val()}
		if cmd := names[key.Subject(a.Subject)]; cmd != nil {
			l.About = cmd.Val()
		}
		found = append(found, l)
	}
	return found, nil
}
