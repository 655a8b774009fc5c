package rules

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/internal/section"
	"agora/internal/store/script"
)

// AccessChange changes who sees a category, or may do what in it, or with 0 to topics without one; nil leaves that
// unchanged.
type AccessChange struct {
	Category       forum.CategoryID
	Sees           *forum.Audience // nil for topics without category
	Groups         []forum.GroupID // those whose members see it; none if empty
	Posts, Replies *forum.Permission
}

// UpdateAccess changes who sees a category, which exists, or may do what in it. This process follows that at once,
// others within RulesEvery. What the lists of the site have of the category follows in a task.
func (s *Store) UpdateAccess(ctx context.Context, by *forum.Viewer, c AccessChange) error {
	return s.UpdateAccessAs(ctx, c, s.acts.SiteRecorder(by))
}

// UpdateAccessAs is UpdateAccess with what is to be recorded.
func (s *Store) UpdateAccessAs(ctx context.Context, c AccessChange, r section.Recorder) error {
	subject := forum.Subject{Category: c.Category, Site: c.Category == 0}
	call := script.AccessSet{Creation: r.Creation, Act: r.Act, Revert: r.Revert, Rules: key.Rules,
		Marks: key.AccessMarks, Category: c.Category, About: record.EncodeActSubject(subject)}
	set := func(name, value, off string) {
		call.Fields = append(call.Fields, script.AccessSetField{Name: name, Value: value, Off: off})
	}
	if c.Sees != nil {
		set(record.SeesRule, string(*c.Sees), string(forum.Public))
	}
	if c.Groups != nil {
		set(record.GroupsRule, record.EncodeIDs(slices.Compact(slices.Sorted(slices.Values(c.Groups)))), "")
	}
	if c.Posts != nil {
		set(record.PostsRule, string(*c.Posts), string(forum.PermitEverybody))
	}
	if c.Replies != nil {
		set(record.RepliesRule, string(*c.Replies), string(forum.PermitEverybody))
	}
	s.engine.Step("access_set")
	done, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return fmt.Errorf("update access to category %d: %w", c.Category, record.ScriptError(err))
	}
	err = errors.Join(s.cache.refresh(ctx), s.acts.ListAct(ctx, done.Recorded, forum.ActUpdateAccess, subject, r))
	// Also if nothing changed: the call that changed it may not have come this far.
	if err == nil && (c.Sees != nil || c.Groups != nil) {
		err = s.writeCopies(ctx)
	}
	if err == nil && c.Sees != nil {
		err = s.followAccess(ctx, c.Category)
	}
	return err
}

// FollowAccess reads the rules, and has what was derived from those of a category follow.
func (s *Store) FollowAccess(ctx context.Context, id forum.CategoryID) error {
	if err := s.cache.refresh(ctx); err != nil {
		return err
	}
	return s.followAccess(ctx, id)
}

// followAccess has the index of a category refuse what was written by earlier rules, and a task give the topics that it
// has the audience of the category. The first pass is run at once. The rules were just read.
func (s *Store) followAccess(ctx context.Context, id forum.CategoryID) error {
	epoch := s.Current(ctx).In(id).Epoch
	in, p, name := key.CategoryContainer(id), record.CategoryPartition(id), record.CategoryTask(id)
	s.engine.Step("index_epoch")
	err := s.engine.Client.Run(ctx, script.IndexEpoch{Closed: in.Closed(), Order: in.Order(key.OrderCreated),
		Epoch: epoch}).Err()
	if err != nil {
		return fmt.Errorf("epoch of category %d: %w", id, err)
	}
	s.engine.Step("category_arm")
	b := s.engine.Client.Batch()
	b.Run(ctx, script.CategoryArm{Task: key.Task(p, name), Due: key.Due(p), Name: name, Now: s.engine.Now()})
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("topics of category %d: %w", id, err)
	}
	s.engine.Step("access_followed")
	err = s.engine.Client.Run(ctx, script.AccessFollowed{Rules: key.Rules, Marks: key.AccessMarks, Category: id,
		Epoch: epoch}).Err()
	if err != nil {
		return fmt.Errorf("mark of category %d: %w", id, err)
	}
	t, ok, err := s.engine.ClaimTask(ctx, p, name)
	if err == nil && ok {
		err = s.engine.RunTask(ctx, t, 1)
	}
	if err != nil { // a worker goes on
		s.engine.Log.Warn("the audience of topics follows later", "category", id, "error", err)
	}
	return nil
}

// sweepAccess does what was left of changes of the audience of categories.
func (s *Store) sweepAccess(ctx context.Context, marks []string) (handled int, err error) {
	if len(marks) == 0 {
		return 0, nil
	}
	if err := errors.Join(s.cache.refresh(ctx), s.writeCopies(ctx)); err != nil {
		return 0, err
	}
	for _, mark := range marks {
		id, malformed := forum.ParseID[forum.CategoryID](mark)
		if malformed != nil {
			err = errors.Join(err, s.engine.Client.Redis.ZRem(ctx, key.AccessMarks, mark).Err())
			continue
		}
		if failed := s.followAccess(ctx, id); failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		handled++
	}
	return handled, err
}

// ForgetAccess removes the rules of a category that was deleted.
func (s *Store) ForgetAccess(ctx context.Context, c forum.CategoryID) error {
	names := make([]string, len(record.AccessRules))
	for i, rule := range record.AccessRules {
		names[i] = record.AccessRule(rule, c)
	}
	if err := s.engine.Client.Redis.HDel(ctx, key.Rules, names...).Err(); err != nil {
		return fmt.Errorf("forget access to category %d: %w", c, err)
	}
	return nil
}

// Rights returns what a script needs to know of what the viewer sees and moderates.
func (s *Store) Rights(ctx context.Context, v *forum.Viewer) script.Rights {
	r := script.Rights{Moderator: v.Has(forum.RoleModerator), Unseen: acts.Categories(s.Current(ctx).Hidden(v))}
	if v != nil {
		r.Moderated = acts.Categories(v.Moderates)
	}
	return r
}

// MayReply returns what a script needs to know of where the viewer may not reply and vote.
func (s *Store) MayReply(ctx context.Context, v *forum.Viewer) script.MayReply {
	var closed strings.Builder
	for c, role := range s.Current(ctx).ClosedTo(v) {
		fmt.Fprintf(&closed, " %d:%s ", c, role)
	}
	return script.MayReply{Closed: closed.String()}
}
