package categories

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/accounts"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/internal/section"
	"agora/internal/store/script"
)

// CreateCategory creates a category at position 0. It returns TAKEN at name.
func (s *Store) CreateCategory(ctx context.Context, name, fold, description string) (forum.CategoryID, error) {
	return s.AddCategory(ctx, NewCategory{Name: name, Fold: fold, Description: description})
}

// NewCategory is a category to create, and CategoryChange a change to one.
type (
	NewCategory    = section.NewCategory
	CategoryChange = section.CategoryChange
)

// AddCategory creates a category. It returns TAKEN at name.
func (s *Store) AddCategory(ctx context.Context, in NewCategory) (forum.CategoryID, error) {
	return s.AddCategoryAs(ctx, in, s.acts.SectionRecorder(in.By))
}

// AddCategoryAs is AddCategory, as r records it.
func (s *Store) AddCategoryAs(ctx context.Context, in NewCategory, r section.Recorder) (forum.CategoryID, error) {
	done, err := section.CreateCategory(ctx, s.engine.Client, in, r)
	if err != nil {
		return 0, err
	}
	return done.ID, s.acts.ListAct(ctx, done.Recorded, forum.ActCreateCategory, forum.Subject{Category: done.ID}, r)
}

// UpdateCategory renames, describes or moves a category. It returns NOT_FOUND, TAKEN.
func (s *Store) UpdateCategory(ctx context.Context, id forum.CategoryID, c CategoryChange) error {
	return s.UpdateCategoryAs(ctx, id, c, s.acts.SectionRecorder(c.By))
}

// UpdateCategoryAs is UpdateCategory, as r records it.
func (s *Store) UpdateCategoryAs(ctx context.Context, id forum.CategoryID, c CategoryChange, r section.Recorder) error {
	act, err := section.UpdateCategory(ctx, s.engine.Client, id, c, r)
	if err != nil {
		return err
	}
	return s.acts.ListAct(ctx, act, forum.ActUpdateCategory, forum.Subject{Category: id}, r)
}

// DeleteCategory deletes a category that has no topics; by is nil for the command line. It returns
// NOT_FOUND, NOT_EMPTY. Closing its index decides: a topic that is being posted there either finds the index closed and
// is withdrawn, or was indexed before and keeps the category from being deleted.
func (s *Store) DeleteCategory(ctx context.Context, by *forum.Viewer, id forum.CategoryID) error {
	return s.DeleteCategoryAs(ctx, id, s.acts.SectionRecorder(by))
}

// DeleteCategoryAs is DeleteCategory, as r records it.
func (s *Store) DeleteCategoryAs(ctx context.Context, id forum.CategoryID, r section.Recorder) error {
	undone := strings.TrimPrefix(r.Reverted, key.SectionActPrefix)
	nonce := strings.Join([]string{key.Itoa(r.ActBy), undone, r.ActReason, engine.NewNonce(), r.ActNote}, ":")
	s.engine.Step("category_delete_begin")
	err := s.engine.Client.Run(ctx, script.CategoryDeleteBegin{
		Revert: r.Revert, Category: key.Category(id), Dirty: key.CategoryDirty, ID: id, Nonce: nonce,
		Now: s.engine.Now(),
	}).Err()
	if err != nil {
		return fmt.Errorf("delete category %d: %w", id, record.ScriptError(err))
	}
	empty, err := s.finishCategory(ctx, id, nonce)
	if err != nil {
		return fmt.Errorf("delete category %d: %w", id, err)
	}
	if !empty {
		return &forum.Error{Code: forum.CodeNotEmpty, Path: forum.Path("category"),
			Message: "The category still has topics."}
	}
	return nil
}

// sweepCategories finishes deletions of categories, or abandons those of categories that have topics. One that cannot be
// finished does not hold up others.
func (s *Store) sweepCategories(ctx context.Context, marks []string) (handled int, err error) {
	var failed []error
	for _, id := range marks {
		if err := s.SweepCategory(ctx, id); err != nil {
			failed = append(failed, fmt.Errorf("category %s: %w", id, err))
			continue
		}
		handled++
	}
	return handled, errors.Join(failed...)
}

// SweepCategory finishes the deletion of one category, or abandons it.
func (s *Store) SweepCategory(ctx context.Context, name string) error {
	id, err := forum.ParseID[forum.CategoryID](name)
	if err != nil {
		return s.engine.Client.Redis.ZRem(ctx, key.CategoryDirty, name).Err()
	}
	nonce, err := s.engine.Client.Redis.HGet(ctx, key.Internal(key.Category(id)), "deleting").Result()
	if pipeline.IsNil(err) { // abandoned or already deleted
		return s.engine.Client.Run(ctx, script.CategoryDeleteAbort{
			Category: key.Category(id), Dirty: key.CategoryDirty, ID: id,
		}).Err()
	}
	if err != nil {
		return err
	}
	_, err = s.finishCategory(ctx, id, nonce)
	return err
}

// finishCategory closes the index of a category and deletes the category, or abandons the deletion if it
// has topics.
func (s *Store) finishCategory(ctx context.Context, id forum.CategoryID, nonce string) (empty bool, err error) {
	closed, err := s.CloseIndex(ctx, key.CategoryContainer(id))
	if err != nil {
		return false, err
	}
	if !closed {
		s.engine.Step("category_delete_abort")
		return false, s.engine.Client.Run(ctx, script.CategoryDeleteAbort{
			Category: key.Category(id), Dirty: key.CategoryDirty, ID: id, Nonce: nonce,
		}).Err()
	}
	if err := s.endCategoryFollowers(ctx, id); err != nil {
		return false, err
	}
	if err := s.endCategoryModerators(ctx, id); err != nil {
		return false, err
	}
	s.engine.Step("category_forget_access")
	if err := s.rules.ForgetAccess(ctx, id); err != nil {
		return false, err
	}
	by, _, _ := strings.Cut(nonce, ":")
	r := s.acts.SectionRecorder(&forum.Viewer{ID: forum.UserID(record.Atoi(by))}) // the script finds the rest in the nonce
	for {
		s.engine.Step("category_delete_finish")
		tabs, err := s.engine.Client.Redis.ZRange(ctx, key.CategoryTabs(id), 0, -1).Result()
		if err != nil {
			return false, err
		}
		call := script.CategoryDeleteFinish{
			Category: key.Category(id), Dirty: key.CategoryDirty, Names: key.CategoryNames,
			Categories: key.Categories,
			Shown:      key.CategoryTabs(id), Moderators: key.CategoryModerators(id), ID: id,
			Creation: r.Creation, Act: r.Act, Revert: r.Revert,
		}
		for _, t := range tabs {
			tab, err := forum.ParseID[forum.TabID](t)
			if err != nil {
				return false, fmt.Errorf("tab %q of category %d: %w", t, id, err)
			}
			call.Tabs = append(call.Tabs, script.CategoryDeleteFinishTab{
				Tab: key.Tab(tab), Categories: key.TabCategories(tab), ID: tab,
			})
		}
		done, err := call.Result(s.engine.Client.Run(ctx, call).Result())
		if err != nil {
			return true, err
		}
		if done.Deleted {
			return true, s.acts.ListAct(ctx, done.Recorded, forum.ActDeleteCategory, forum.Subject{Category: id}, r)
		}
	}
}

// CloseIndex closes an index if it is empty, and reports whether it is closed.
func (s *Store) CloseIndex(ctx context.Context, c key.Container) (closed bool, err error) {
	s.engine.Step("index_close")
	return s.engine.Client.Run(ctx, script.IndexClose{Closed: c.Closed(), Order: c.Order(key.OrderCreated)}).Bool()
}

// endCategoryFollowers ends all follows of a category. It is closed, so none can begin.
func (s *Store) endCategoryFollowers(ctx context.Context, id forum.CategoryID) error {
	key := key.CategoryContainer(id).Followers()
	for {
		members, err := s.engine.Client.Redis.ZRange(ctx, key, 0, accounts.CleanupPass-1).Result()
		if err != nil || len(members) == 0 {
			return err
		}
		for _, user := range members {
			s.engine.Step("category_unfollow")
			e := record.Edge{From: forum.UserID(record.Atoi(user)), Kind: record.FollowCategory, To: int64(id)}
			if err := s.follows.EndEdge(ctx, e); err != nil {
				return fmt.Errorf("followers of category %d: %w", id, err)
			}
		}
		if err := s.engine.Client.Redis.ZRem(ctx, key, record.Anys(members)...).Err(); err != nil {
			return err
		}
	}
}

// endCategoryModerators ends what users moderate in a category. It is being deleted, so none begins to.
func (s *Store) endCategoryModerators(ctx context.Context, id forum.CategoryID) error {
	members, err := s.engine.Client.Redis.ZRange(ctx, key.CategoryModerators(id), 0, -1).Result()
	if err != nil || len(members) == 0 {
		return err
	}
	s.engine.Step("category_unmoderate")
	b := s.engine.Client.Batch()
	for _, member := range members {
		s.acts.QueueUnmoderate(ctx, b, forum.UserID(record.Atoi(strings.TrimPrefix(member, "s"))), id)
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("moderators of category %d: %w", id, err)
	}
	return nil
}

// CategoriesNamed finds categories by folded name; 0 for none.
func (r Read) CategoriesNamed(folds []string) func() ([]forum.CategoryID, error) {
	return named[forum.CategoryID](r.read, key.CategoryNames, folds)
}

// TabsNamed finds tabs by folded name; 0 for none.
func (r Read) TabsNamed(folds []string) func() ([]forum.TabID, error) {
	return named[forum.TabID](r.read, key.TabNames, folds)
}

func named[ID ~int64](r *engine.Read, key string, folds []string) func() ([]ID, error) {
	cmds := make([]*redis.StringCmd, len(folds))
	for i, fold := range folds {
		cmds[i] = r.Batch.HGet(r.Ctx, key, fold)
	}
	return func() ([]ID, error) {
		if r.Err != nil {
			return nil, r.Err
		}
		ids := make([]ID, len(folds))
		for i, cmd := range cmds {
			n, _ := strconv.ParseInt(cmd.Val(), 10, 64)
			ids[i] = ID(n)
		}
		return ids, nil
	}
}
