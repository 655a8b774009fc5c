package moderation

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/categories"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/internal/section"
	"agora/internal/store/rules"
	"agora/internal/store/script"
	texts "agora/internal/text"
)

// Reverted is what Revert did.
type Reverted struct {
	// Act is the act that was reverted, By the one that reverted it; Changed is false if it was reverted before.
	Act     *forum.Act
	By      forum.ActID
	Changed bool
}

// Revert restores what an act has replaced, in the name of a moderator, by an act of the kind that does so. It returns
// NOT_FOUND, INVALID for acts of other kinds, FORBIDDEN, SELF, STALE if what it changed was changed since, and what the
// change may return otherwise; all at actId.
func (s *Store) Revert(ctx context.Context, by *forum.Viewer, id forum.ActID, why forum.Grounds) (Reverted, error) {
	a, err := s.actNow(ctx, id)
	if err == nil {
		err = a.CheckRevert(by)
	}
	if err != nil {
		return Reverted{}, err
	}
	if a.ReversedBy != 0 {
		return Reverted{Act: a, By: a.ReversedBy}, nil
	}
	done := s.revert(ctx, by, a, why)
	if done != nil && forum.CodeOf(done) != forum.CodeStale {
		return Reverted{}, done
	}
	if a, err = s.actNow(ctx, id); err != nil {
		return Reverted{}, err
	}
	if a.ReversedBy == 0 {
		return Reverted{}, done
	}
	return Reverted{Act: a, By: a.ReversedBy, Changed: done == nil}, nil // otherwise by another, at the same time
}

// actNow reads an act. It returns NOT_FOUND at actId.
func (s *Store) actNow(ctx context.Context, id forum.ActID) (*forum.Act, error) {
	acts, err := s.acts.Acts(ctx, []forum.ActID{id})
	if err != nil {
		return nil, err
	}
	if acts[0] == nil {
		return nil, forum.NotFound(forum.Path("actId"), "act")
	}
	return acts[0], nil
}

// revert makes the change that is the reverse of an act's.
func (s *Store) revert(ctx context.Context, by *forum.Viewer, a *forum.Act, why forum.Grounds) error {
	var err error
	revert := script.Revert{Reverted: key.Act(a.ID)}
	switch {
	case a.Kind == forum.ActSetStaff:
		_, err = s.acts.SetModeratorsAs(ctx, by, a.Category(), []acts.ModeratorChange{{User: a.Member,
			On:    !*a.IsModerator(),
			Field: "actId"}}, why, revert)
	case a.Kind == forum.ActHidePosts:
		err = s.restorePosts(ctx, by, a, why)
	case a.ID.OfSite():
		r := s.acts.SiteRecorder(by)
		r.ActReason, r.ActNote, r.Revert = string(why.Reason), why.Note, revert
		err = s.revertSite(ctx, a, r)
	default:
		r := s.acts.SectionRecorder(by)
		r.ActReason, r.ActNote, r.Revert = string(why.Reason), why.Note, revert
		err = s.revertSection(ctx, a, r)
	}
	var known *forum.Error
	switch {
	case !errors.As(err, &known) || len(known.Path) == 0:
	case known.Code == forum.CodeNotFound: // what it changed, or what it must refer to again, is gone
		err = record.ErrChanged()
	default:
		e := *known
		e.Path, err = forum.Path("actId"), &e
	}
	if err != nil {
		return fmt.Errorf("revert act %d: %w", a.ID, err)
	}
	return nil
}

// revertSite reverts a change of rules, of what a category permits, or of a blocklist.
func (s *Store) revertSite(ctx context.Context, a *forum.Act, r section.Recorder) error {
	before, after := a.Before(), a.After()
	if a.Kind == forum.ActUpdateAccess {
		return s.rules.UpdateAccessAs(ctx, rules.AccessChange{Category: a.Subject.Category, Sees: before.Sees(),
			Groups: before.Groups(),
			Posts:  before.Posts(), Replies: before.Replies()}, r)
	}
	if a.Kind == forum.ActUpdateRules {
		return s.rules.UpdateAs(ctx, before.RuleValues(), false, r)
	}
	add, remove := before.Words(), after.Words()
	if add == nil && remove == nil {
		return s.rules.UpdateBlocklistAs(ctx, forum.BlockDomain, before.Domains(), after.Domains(), r)
	}
	return s.rules.UpdateBlocklistAs(ctx, forum.BlockWord, add, remove, r)
}

// revertSection reverts a change of a category or tab. One that was deleted is created, in or with what still exists.
func (s *Store) revertSection(ctx context.Context, a *forum.Act, r section.Recorder) (err error) {
	before, after, category, tab := a.Before(), a.After(), a.Subject.Category, a.Subject.Tab
	if a.Kind == forum.ActCreateCategory {
		return s.categories.DeleteCategoryAs(ctx, category, r)
	}
	if a.Kind == forum.ActCreateTab {
		return s.categories.DeleteTabAs(ctx, tab, r)
	}
	name, position := before.Name(), before.Position()
	fold := ""
	if name != nil {
		fold = texts.Fold(*name)
	}
	switch a.Kind {
	case forum.ActUpdateCategory:
		return s.categories.UpdateCategoryAs(ctx, category, categories.CategoryChange{Name: name, Fold: &fold,
			// if there is a name
			Description: before.Description(), Position: position}, r)
	case forum.ActUpdateTab:
		had, has := before.Categories(), after.Categories()
		return s.categories.UpdateTabAs(ctx, tab, categories.TabChange{Name: deref(name), Fold: fold,
			Position: position,
			Add:      except(had, has), Remove: except(has, had)}, r)
	case forum.ActDeleteCategory:
		in := categories.NewCategory{Name: deref(name), Fold: fold, Description: deref(before.Description()),
			Position: deref(position)}
		if in.Tabs, err = existing(ctx, s.engine.Client, before.Tabs(), key.Tab); err == nil {
			_, err = s.categories.AddCategoryAs(ctx, in, r)
		}
		return err
	default: // DELETE_TAB
		in := categories.NewTab{Name: deref(name), Fold: fold, Position: deref(position)}
		if in.Categories, err = existing(ctx, s.engine.Client, before.Categories(), key.Category); err == nil {
			_, err = s.categories.AddTabAs(ctx, in, r)
		}
		return err
	}
}

// existing returns those of some categories or tabs that exist.
func existing[ID ~int64](ctx context.Context, rdb *pipeline.Client, ids []ID, name func(ID) string) ([]ID, error) {
	b := rdb.Batch()
	cmds := make([]*redis.IntCmd, len(ids))
	for i, id := range ids {
		cmds[i] = b.Exists(ctx, name(id))
	}
	if len(ids) == 0 {
		return nil, nil
	}
	if err := b.Exec(ctx); err != nil {
		return nil, err
	}
	var found []ID
	for i, id := range ids {
		if cmds[i].Val() == 1 {
			found = append(found, id)
		}
	}
	return found, nil
}

// except returns the ids that are in all and not in others.
func except[ID comparable](all, others []ID) []ID {
	var left []ID
	for _, id := range all {
		if !slices.Contains(others, id) {
			left = append(left, id)
		}
	}
	return left
}

func deref[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}
