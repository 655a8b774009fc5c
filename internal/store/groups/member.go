package groups

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// MemberChange puts a user into a group, or takes the user out.
type MemberChange struct {
	User forum.UserID
	On   bool
	// Until is when the membership ends; 0 is never.
	Until forum.Time
	// Field is where the input names the user, such as "add.0.user".
	Field string
}

// SetMembers changes who is in a group that exists, and returns those for whom that changed. Each user who cannot be
// changed has an error, NOT_FOUND or TOO_LONG; the others are changed.
func (s *Store) SetMembers(ctx context.Context, id forum.GroupID, changes []MemberChange) ([]forum.UserID, error) {
	s.engine.Step("user_groups")
	b := s.engine.Client.Batch()
	calls, cmds := make([]script.UserGroups, len(changes)), make([]*redis.Cmd, len(changes))
	for i, c := range changes {
		calls[i] = s.call(c.User)
		calls[i].Group, calls[i].Source, calls[i].On = id, forum.SourceDirect, c.On
		calls[i].Ends, calls[i].Path = c.Until, c.Field
		cmds[i] = b.Run(ctx, calls[i])
	}
	b.Exec(ctx) // each command has its own error
	var changed []forum.UserID
	var failed []error
	for i, c := range changes {
		done, err := calls[i].Result(cmds[i].Result())
		if err != nil {
			failed = append(failed, record.ScriptError(err))
		} else if done.Changed {
			changed = append(changed, c.User)
		}
	}
	failed = append(failed, s.settle(ctx, changed))
	if err := errors.Join(failed...); err != nil {
		return changed, fmt.Errorf("members of group %d: %w", id, err)
	}
	return changed, nil
}

// call returns the call that changes nothing but forgets which memberships of a user have ended.
func (s *Store) call(user forum.UserID) script.UserGroups {
	return script.UserGroups{User: key.User(user), Dirty: key.Dirty(user.Partition()), ID: user, Now: s.engine.Now(),
		Most: forum.MaxUserGroups, Path: "user"}
}

// leave takes users out of groups, whatever has put them in.
func (s *Store) leave(ctx context.Context, of map[forum.GroupID][]forum.UserID) error {
	s.engine.Step("user_leave_groups")
	b := s.engine.Client.Batch()
	for group, users := range of {
		for _, user := range users {
			call := s.call(user)
			call.Group = group
			b.Run(ctx, call)
		}
	}
	return execIgnoringMissing(ctx, b)
}

// execIgnoringMissing executes scripts that change users, some of whom may be deleted.
func execIgnoringMissing(ctx context.Context, b *pipeline.Batch) error {
	if b.Len() == 0 {
		return nil
	}
	if err := b.Exec(ctx); err != nil && forum.CodeOf(record.ScriptError(err)) != forum.CodeNotFound {
		return err
	}
	return nil
}

// sweepUsers writes the groups of marked users into their sets.
func (s *Store) sweepUsers(ctx context.Context, _ forum.Partition, users []forum.UserID) error {
	return s.settle(ctx, users)
}

// endMemberships has a sweep end the memberships whose time has come.
func (s *Store) endMemberships(ctx context.Context, b *pipeline.Batch) func(context.Context) error {
	due := b.ZRangeByScore(ctx, key.GroupEnds, &redis.ZRangeBy{Min: "-inf",
		Max: strconv.FormatInt(int64(s.engine.Now()), 10), Count: emptyPass})
	return func(ctx context.Context) error {
		if due.Err() != nil || len(due.Val()) == 0 {
			return due.Err()
		}
		s.engine.Step("user_groups_end")
		users := record.ParseIDs[forum.UserID](strings.Join(due.Val(), " "))
		b := s.engine.Client.Batch()
		for _, user := range users {
			b.Run(ctx, s.call(user))
		}
		if err := execIgnoringMissing(ctx, b); err != nil {
			return fmt.Errorf("end memberships: %w", err)
		}
		return s.settle(ctx, users)
	}
}

// state is what the sets of groups must have of a user, and what was written last.
type state struct {
	user   forum.UserID
	want   record.UserGroups
	rev    string // the revision as it is stored
	before string
}

// states reads the states of users.
func (s *Store) states(ctx context.Context, users []forum.UserID) ([]state, error) {
	b := s.engine.Client.Batch()
	reads, rows := make([]func() (record.Fields, error), len(users)), make([]*redis.StringCmd, len(users))
	for i, user := range users {
		rows[i] = b.HGet(ctx, key.GroupUsers, key.Itoa(user))
		reads[i] = record.TryGet(ctx, b, key.User(user), record.GroupFields...)
	}
	if err := b.Exec(ctx); pipeline.UnlessNil(err) != nil {
		return nil, err
	}
	states := make([]state, len(users))
	for i, user := range users {
		f, err := reads[i]()
		if err != nil {
			return nil, err
		}
		states[i] = state{user, record.ParseGroups(f), f["groupsRev"], rows[i].Val()}
	}
	return states, nil
}

// settle writes the groups of users into the sets of members, and removes their marks.
func (s *Store) settle(ctx context.Context, users []forum.UserID) error {
	for len(users) > 0 {
		states, err := s.states(ctx, users)
		if err != nil {
			return fmt.Errorf("read groups of users: %w", err)
		}
		if users, err = s.enter(ctx, states); err != nil {
			return fmt.Errorf("enter users into groups: %w", err)
		}
	}
	return nil
}

// enter writes states, and removes the marks of those users whose are written. It returns the others.
func (s *Store) enter(ctx context.Context, states []state) (again []forum.UserID, err error) {
	s.engine.Step("groups_enter")
	b := s.engine.Client.Batch()
	calls, cmds := make([]script.GroupsEnter, len(states)), make([]*redis.Cmd, len(states))
	for i, is := range states {
		calls[i] = is.call(s.engine.Now())
		cmds[i] = b.Run(ctx, calls[i])
	}
	if err := b.Exec(ctx); err != nil {
		return nil, err
	}
	gone, done := map[forum.GroupID][]forum.UserID{}, s.engine.Client.Batch()
	for i, is := range states {
		entered, err := calls[i].Result(cmds[i].Result())
		if err != nil {
			return nil, err
		}
		for _, group := range entered.Gone {
			id := forum.GroupID(record.Atoi(group))
			gone[id] = append(gone[id], is.user)
		}
		if !entered.Done || len(entered.Gone) > 0 {
			again = append(again, is.user)
			continue
		}
		done.Run(ctx, script.UserGroupsDone{User: key.User(is.user), Dirty: key.Dirty(is.user.Partition()), ID: is.user,
			Rev: is.rev})
	}
	if len(gone) > 0 {
		if err := s.leave(ctx, gone); err != nil {
			return nil, err
		}
	}
	if done.Len() == 0 {
		return again, nil
	}
	s.engine.Step("user_groups_done")
	return again, done.Exec(ctx)
}

// call returns the call that writes the state.
func (is state) call(now forum.Time) script.GroupsEnter {
	call := script.GroupsEnter{Users: key.GroupUsers, Left: key.GroupsLeft, Ends: key.GroupEnds, User: is.user,
		Rev: is.want.Rev, Before: is.before, Row: is.want.Row(), First: forum.EndOf(is.want.Memberships), Now: now,
		Memory: forum.RemovalLife}
	since := map[forum.GroupID]forum.Time{}
	row, _ := catalogue.GroupsRow.Parse(is.before)
	for _, id := range record.ParseIDs[forum.GroupID](row.Text("groups")) {
		since[id] = 0
	}
	for _, m := range is.want.Memberships {
		since[m.Group] = m.Since
	}
	for id, at := range since {
		call.Groups = append(call.Groups, script.GroupsEnterGroup{Group: key.Group(id), Members: key.GroupMembers(id),
			ID: id, Since: at})
	}
	return call
}

// EndAccount takes a user whose account was deleted out of all groups, as member and as manager.
func (s *Store) EndAccount(ctx context.Context, user forum.UserID, managed []forum.GroupID) error {
	for _, id := range managed {
		_, err := s.SetManagers(ctx, id, nil, []forum.UserID{user})
		if err != nil && forum.CodeOf(err) != forum.CodeNotFound {
			return err
		}
	}
	return s.settle(ctx, []forum.UserID{user})
}

// Memberships reads in which groups users are now, by group.
func (r Read) Memberships(users []forum.UserID) func() ([][]forum.Membership, error) {
	reads := make([]func() record.Fields, len(users))
	for i, user := range users {
		reads[i] = record.Get(r.read.Ctx, r.read.Batch, key.User(user), record.GroupFields...)
	}
	return func() ([][]forum.Membership, error) {
		all := make([][]forum.Membership, len(users))
		for i, read := range reads {
			all[i] = slices.DeleteFunc(record.ParseGroups(read()).Memberships,
				func(m forum.Membership) bool { return !m.InForce(r.read.Engine.Now()) })
		}
		return all, r.read.Err
	}
}
