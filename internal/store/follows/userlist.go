package follows

import (
	"context"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/internal/section"
	"agora/internal/store/listing"
	"agora/internal/store/script"
)

// CreateList creates a list of users. It returns TOO_LONG at name if the owner has MaxLists, TAKEN at name,
// UNAUTHENTICATED.
func (s *Store) CreateList(ctx context.Context, by forum.UserID, name, fold string) (forum.ListID, error) {
	p := by.Partition()
	s.engine.Step("list_create")
	id, err := s.engine.Client.Run(ctx, script.ListCreate{
		Creation: engine.Creation(p, key.ListPrefix(p)), Owner: key.User(by), Lists: key.Lists(by), Names: key.ListNames(by),
		OwnerID: by, Name: name, Fold: fold, Now: s.engine.Now(), Most: forum.MaxLists,
	}).Int64()
	if err != nil {
		return 0, fmt.Errorf("create list: %w", section.NameError(err, fold))
	}
	return forum.ListID(id), nil
}

// RenameList renames a list. It returns NOT_FOUND at listId, TAKEN at name.
func (s *Store) RenameList(ctx context.Context, by forum.UserID, id forum.ListID, name, fold string) error {
	if err := listing.OwnPartition(by, id); err != nil {
		return err
	}
	s.engine.Step("list_rename")
	err := s.engine.Client.Run(ctx, script.ListRename{
		List: key.List(id), Names: key.ListNames(by), ID: id, Viewer: by, Name: name, Fold: fold,
	}).Err()
	if err != nil {
		return fmt.Errorf("rename list %d: %w", id, section.NameError(err, fold))
	}
	return nil
}

// UpdateListMembers adds users to a list and removes others. It returns NOT_FOUND at listId, or at add and
// the index of a user who does not exist, BLOCKED at add and the index of one in a block with the owner,
// TOO_LONG at add if the list would have more than MaxListMembers. If it fails, nothing changes.
func (s *Store) UpdateListMembers(ctx context.Context, by forum.UserID, id forum.ListID, add,
	remove []forum.UserID) error {
	if err := s.findListed(ctx, by, id, add); err != nil {
		return err
	}
	users, t, err := s.ChangeMembers(ctx, by, id, add, remove)
	if err != nil || t.Token == "0" {
		return err
	}
	s.WriteListedNow(ctx, by, id, users, t)
	return nil
}

// findListed checks that the list is the owner's, and then that the users exist.
func (s *Store) findListed(ctx context.Context, by forum.UserID, id forum.ListID, users []forum.UserID) error {
	b := s.engine.Client.Batch()
	owner := b.HGet(ctx, key.List(id), "owner")
	states := make([]*redis.StringCmd, len(users))
	for i, user := range users {
		states[i] = b.HGet(ctx, key.User(user), "state")
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("users for list %d: %w", id, err)
	}
	if owner.Val() != key.Itoa(by) {
		return forum.NotFound(forum.Path("listId"), "list")
	}
	for i, state := range states {
		if state.Val() != catalogue.UserActive {
			return forum.NotFound(forum.Path("add", strconv.Itoa(i)), "user")
		}
	}
	return nil
}

// ChangeMembers changes a list on its owner's side. The rest is left to the returned task, for the returned
// users.
func (s *Store) ChangeMembers(ctx context.Context, by forum.UserID, id forum.ListID, add,
	remove []forum.UserID) ([]forum.UserID, engine.Task, error) {
	p, task := id.Partition(), record.ListTask(by, id)
	call := script.ListMembers{
		List: key.List(id), Members: key.ListMembers(id), Owner: key.User(by), Due: key.Due(p),
		Task:    key.Task(p, task),
		Blocked: key.Blocked(by), Blockers: key.Blockers(by), Viewer: by, Now: s.engine.NowMicros(),
		Lease:    s.engine.Now() + engine.FirstLease,
		TaskName: task, Most: forum.MaxListMembers, Add: add, Remove: remove,
	}
	s.engine.Step("list_members")
	changed, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return nil, engine.Task{}, fmt.Errorf("members of list %d: %w", id, record.ScriptError(err))
	}
	t := engine.Task{Partition: p, Name: task, Token: changed.Token}
	return record.ParseIDs[forum.UserID](changed.Users), t, nil
}

// DeleteList deletes a list. It returns NOT_FOUND at listId.
func (s *Store) DeleteList(ctx context.Context, by forum.UserID, id forum.ListID) error {
	if err := listing.OwnPartition(by, id); err != nil {
		return err
	}
	p, task := id.Partition(), record.ListTask(by, id)
	s.engine.Step("list_delete")
	call := script.ListDelete{
		List: key.List(id), Members: key.ListMembers(id), Owner: key.User(by), Due: key.Due(p),
		Task:  key.Task(p, task),
		Lists: key.Lists(by), Names: key.ListNames(by),
		ID: id, Viewer: by, Now: s.engine.NowMicros(), Lease: s.engine.Now() + engine.FirstLease, TaskName: task,
	}
	deleted, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return fmt.Errorf("delete list %d: %w", id, record.ScriptError(err))
	}
	t := engine.Task{Partition: p, Name: task, Token: deleted.Token}
	s.WriteListedNow(ctx, by, id, record.ParseIDs[forum.UserID](deleted.Users), t)
	return nil
}

// WriteListedNow does the remaining work of a change if that can be done now.
func (s *Store) WriteListedNow(ctx context.Context, owner forum.UserID, id forum.ListID, users []forum.UserID,
	t engine.Task) {
	if err := s.WriteListed(context.WithoutCancel(ctx), owner, id, users); err != nil {
		s.engine.Log.Warn("task is left to a worker", "task", t.Name, "error", err)
		return
	}
	s.engine.Finish(t)
}

// WriteListed writes, in the users' slots, whether they are on the list. Deleted users are removed from it.
func (s *Store) WriteListed(ctx context.Context, owner forum.UserID, id forum.ListID, users []forum.UserID) error {
	b := s.engine.Client.Batch()
	of := record.Get(ctx, b, key.User(owner), "state", "ltime") // before the list, as edgeNow does
	scores := make([]*redis.FloatCmd, len(users))
	for i, user := range users {
		scores[i] = b.ZScore(ctx, key.ListMembers(id), key.Itoa(user))
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("list %d: %w", id, err)
	}
	f := of()
	s.engine.Step("edge_reverse")
	b = s.engine.Client.Batch()
	cmds := make([]*redis.Cmd, len(users))
	for i, user := range users {
		is := EdgeState{Since: f["ltime"]}
		if scores[i].Err() == nil && f["state"] == catalogue.UserActive {
			is = EdgeState{set: true, Since: record.FormatMicros(scores[i].Val())}
		}
		cmds[i] = s.QueueReverse(ctx, b, record.Edge{From: owner, Kind: record.ListUser, To: int64(user), List: id}, is)
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("list %d: %w", id, err)
	}
	var deleted []forum.UserID
	for i, cmd := range cmds {
		if exists, err := cmd.Bool(); err == nil && !exists {
			deleted = append(deleted, users[i])
		}
	}
	if len(deleted) == 0 {
		return nil
	}
	// The change takes over the users that the task was about before.
	users, t, err := s.ChangeMembers(ctx, owner, id, nil, deleted)
	if forum.CodeOf(err) == forum.CodeNotFound {
		return nil
	}
	if err == nil && t.Token != "0" {
		if err = s.WriteListed(ctx, owner, id, users); err == nil {
			s.engine.Finish(t)
		}
	}
	return err
}

// ListsOf is the list of a user's lists, most recently created first.
func ListsOf(id forum.UserID) listing.List { return listing.LatestFirst(key.Lists(id)) }

// ListMembers is the list of the users on a list, most recently added first, as Following is.
func ListMembers(id forum.ListID) listing.List { return listing.LatestFirst(key.ListMembers(id)) }
