package store

import (
	"context"
	"errors"

	"agora/internal/forum"
)

// Follow has the viewer follow a target, or not, and tells whether that changed
// anything. It returns NOT_FOUND, SELF, BLOCKED at targetId.
func (s *Store) Follow(ctx context.Context, by forum.UserID, target forum.Target, want bool) (changed bool, err error) {
	return false, errors.New("not written yet")
}

// Block has the viewer block a user, or not, and tells whether that changed anything. It
// returns NOT_FOUND, SELF at userId.
func (s *Store) Block(ctx context.Context, by, user forum.UserID, want bool) (changed bool, err error) {
	return false, errors.New("not written yet")
}

// CreateList makes a list of users. It returns TOO_LONG at name when the owner has
// MaxLists, TAKEN at name.
func (s *Store) CreateList(ctx context.Context, by forum.UserID, name, fold string) (forum.ListID, error) {
	return 0, errors.New("not written yet")
}

// RenameList names a list anew. It returns NOT_FOUND at listId, TAKEN at name.
func (s *Store) RenameList(ctx context.Context, by forum.UserID, id forum.ListID, name, fold string) error {
	return errors.New("not written yet")
}

// UpdateListMembers puts users on a list and takes others off it. It returns NOT_FOUND
// at listId, or at add and the index of a user who is not there, BLOCKED at add and the
// index of one in a block with the owner, TOO_LONG at add when the list would have more
// than MaxListMembers. Nothing changes then.
func (s *Store) UpdateListMembers(ctx context.Context, by forum.UserID, id forum.ListID, add, remove []forum.UserID) error {
	return errors.New("not written yet")
}

// DeleteList deletes a list. It returns NOT_FOUND at listId.
func (s *Store) DeleteList(ctx context.Context, by forum.UserID, id forum.ListID) error {
	return errors.New("not written yet")
}

// Following is the list of the users whom a user follows, latest first; the score is
// the time of following in microseconds.
func Following(id forum.UserID) List { return List{} }

// Followers is the list of those who follow a user, as Following is.
func Followers(id forum.UserID) List { return List{} }

// FollowersOf is Followers of any target.
func FollowersOf(t forum.Target) List { return List{} }

// Blocked is the list of the users whom a user has blocked, as Following is.
func Blocked(id forum.UserID) List { return List{} }

// ListsOf is the list of a user's lists, latest made first.
func ListsOf(id forum.UserID) List { return List{} }

// ListMembers is the list of the users on a list, latest added first, as Following is.
func ListMembers(id forum.ListID) List { return List{} }

// Followed reads which targets a user follows.
func (r *Read) Followed(by forum.UserID, targets []forum.Target) func() ([]bool, error) { return nil }

// FollowedBy reads which users follow a user.
func (r *Read) FollowedBy(user forum.UserID, whom []forum.UserID) func() ([]bool, error) { return nil }

// BlockedBy reads which users a user has blocked.
func (r *Read) BlockedBy(user forum.UserID, whom []forum.UserID) func() ([]bool, error) { return nil }

// Apart reads which users are in a block with a user, whoever blocked whom.
func (r *Read) Apart(user forum.UserID, whom []forum.UserID) func() ([]bool, error) { return nil }

// FillLists is FillTopics for lists of users; whoever they belong to.
func (r *Read) FillLists(ls []*forum.UserList) func() { return nil }

// Lists reads lists of users; nil where there is none.
func (r *Read) Lists(ids []forum.ListID) func() ([]*forum.UserList, error) { return nil }
