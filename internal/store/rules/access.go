package rules

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/internal/section"
	"agora/internal/store/script"
)

// AccessChange changes who may do what in a category, or with 0 to topics without one; nil leaves a permission
// unchanged.
type AccessChange struct {
	Category       forum.CategoryID
	Posts, Replies *forum.Permission
}

// UpdateAccess changes who may do what in a category, which exists. This process follows that at once, others within
// RulesEvery.
func (s *Store) UpdateAccess(ctx context.Context, by *forum.Viewer, c AccessChange) error {
	return s.UpdateAccessAs(ctx, c, s.acts.SiteRecorder(by))
}

// UpdateAccessAs is UpdateAccess with what is to be recorded.
func (s *Store) UpdateAccessAs(ctx context.Context, c AccessChange, r section.Recorder) error {
	subject := forum.Subject{Category: c.Category, Site: c.Category == 0}
	call := script.AccessSet{Creation: r.Creation, Act: r.Act, Revert: r.Revert, Rules: key.Rules, Category: c.Category,
		About: record.EncodeActSubject(subject)}
	set := func(name string, p *forum.Permission) {
		if p != nil {
			call.Fields = append(call.Fields, script.AccessSetField{Name: name, Value: string(*p)})
		}
	}
	set(record.PostsRule, c.Posts)
	set(record.RepliesRule, c.Replies)
	s.engine.Step("access_set")
	done, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return fmt.Errorf("update access to category %d: %w", c.Category, record.ScriptError(err))
	}
	return errors.Join(s.cache.refresh(ctx), s.acts.ListAct(ctx, done.Recorded, forum.ActUpdateAccess, subject, r))
}

// ForgetAccess removes the rules of a category that was deleted.
func (s *Store) ForgetAccess(ctx context.Context, c forum.CategoryID) error {
	err := s.engine.Client.Redis.HDel(ctx, key.Rules, record.AccessRule(record.PostsRule, c),
		record.AccessRule(record.RepliesRule, c)).Err()
	if err != nil {
		return fmt.Errorf("forget access to category %d: %w", c, err)
	}
	return nil
}

// MayReply returns what a script needs to know of where the viewer may not reply and vote.
func (s *Store) MayReply(ctx context.Context, v *forum.Viewer) script.MayReply {
	var closed strings.Builder
	for c, role := range s.Current(ctx).ClosedTo(v) {
		fmt.Fprintf(&closed, " %d:%s ", c, role)
	}
	return script.MayReply{Closed: closed.String()}
}
