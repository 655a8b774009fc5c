package acts

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// What users moderate is a field of theirs, which their sessions read. The set of a category's moderators follows from
// it, by the act that made the change.

// ModeratorChange makes a user a moderator of a category, or ends that.
type ModeratorChange struct {
	User forum.UserID
	On   bool
	// Field is where the input names the user, such as "add.0".
	Field string
}

// ReservationLife is how long a place among the moderators of a category is reserved for a user who becomes one. By then the
// sweeper has entered the user.
const ReservationLife = forum.Time(30_000)

// SetModerators changes who moderates a category, and returns the acts of those changes that changed anything. Changes
// before one that fails are made. It returns NOT_FOUND, TOO_LONG at add if the category would have too many, and at the
// user if that one would moderate too many categories.
func (s *Store) SetModerators(ctx context.Context, by *forum.Viewer, id forum.CategoryID, changed []ModeratorChange,
	why forum.Grounds) ([]forum.ActID, error) {
	return s.SetModeratorsAs(ctx, by, id, changed, why, script.Revert{})
}

// SetModeratorsAs is SetModerators, which may revert an act.
func (s *Store) SetModeratorsAs(ctx context.Context, by *forum.Viewer, id forum.CategoryID, changed []ModeratorChange,
	why forum.Grounds, revert script.Revert) ([]forum.ActID, error) {
	if err := s.takeSeats(ctx, id, changed); err != nil {
		return nil, fmt.Errorf("moderators of category %d: %w", id, err)
	}
	s.engine.Step("user_moderates")
	b := s.engine.Client.Batch()
	calls, cmds := make([]script.UserModerates, len(changed)), make([]*redis.Cmd, len(changed))
	for i, c := range changed {
		calls[i] = script.UserModerates{User: key.User(c.User), UserID: c.User,
			Revert: revert, Category: id, On: c.On, Most: forum.MaxModerated, Path: c.Field}
		calls[i].Creation, calls[i].Act = s.Recording(c.User.Partition(), by, why)
		cmds[i] = b.Run(ctx, calls[i])
	}
	b.Exec(ctx) // each command has its own error
	var acts []*forum.Act
	var failed error
	var free []any // places that nobody takes
	for i, c := range changed {
		set, err := calls[i].Result(cmds[i].Result())
		if c.On && (forum.CodeOf(record.ScriptError(err)) != "" || err == nil && set.Act == "0") {
			free = append(free, "s"+key.Itoa(c.User))
		}
		if err != nil {
			failed = record.ScriptError(err)
			continue
		}
		made := Recorded(set.Act, forum.ActSetStaff, forum.Subject{User: c.User}, c.User, calls[i].Act)
		for _, a := range made {
			sign := "-"
			if c.On {
				sign = "+"
			}
			a.Detail = sign + key.Itoa(id) + " " + set.Rev
		}
		acts = append(acts, made...)
	}
	if len(free) > 0 { // otherwise they are void later
		s.engine.Client.Redis.ZRem(ctx, key.CategoryModerators(id), free...)
	}
	if len(acts) > 0 {
		if err := s.engine.WriteParts(ctx, s.Listing(acts...)); err != nil {
			return nil, fmt.Errorf("moderators of category %d: %w", id, err)
		}
	}
	if failed != nil {
		return nil, fmt.Errorf("moderators of category %d: %w", id, failed)
	}
	ids := make([]forum.ActID, len(acts))
	for i, a := range acts {
		ids[i] = a.ID
	}
	return ids, nil
}

// takeSeats reserves places for the users who become moderators of a category.
func (s *Store) takeSeats(ctx context.Context, id forum.CategoryID, changed []ModeratorChange) error {
	call := script.ModeratorsReserve{Category: key.Category(id), Moderators: key.CategoryModerators(id),
		Most: forum.MaxCategoryModerators, Now: s.engine.Now(), Since: s.engine.Now() - ReservationLife}
	for _, c := range changed {
		if c.On {
			call.Adding = append(call.Adding, c.User)
		} else {
			call.Removing = append(call.Removing, c.User)
		}
	}
	if len(call.Adding) == 0 {
		return nil
	}
	s.engine.Step("moderators_reserve")
	return record.ScriptError(s.engine.Client.Run(ctx, call).Err())
}

// QueueUnmoderate queues that a user no longer moderates a category that is deleted.
func (s *Store) QueueUnmoderate(ctx context.Context, b *pipeline.Batch, user forum.UserID, id forum.CategoryID) {
	b.Run(ctx, script.UserUnmoderate{User: key.User(user),
		Dirty: key.Dirty(user.Partition()), Category: id})
}

// queueModerator queues what an act of kind SET_MODERATOR means for the category.
func queueModerator(ctx context.Context, b *pipeline.Batch, a *forum.Act) {
	if a.Kind != forum.ActSetStaff || a.Category() == 0 {
		return
	}
	b.Run(ctx, script.CategoryModerator{Category: key.Category(a.Category()),
		Moderators: key.CategoryModerators(a.Category()), User: a.Member, Rev: a.ModeratorRevision(),
		On: *a.IsModerator()})
}

// CategoryModerators reads who moderates categories, beside the moderators of the site; some may be deleted.
func (r Read) CategoryModerators(ids []forum.CategoryID) func() ([][]forum.UserID, error) {
	cmds := make([]*redis.StringSliceCmd, len(ids))
	for i, id := range ids {
		cmds[i] = r.read.Batch.ZRangeByScore(r.read.Ctx, key.CategoryModerators(id), &redis.ZRangeBy{Min: "1",
			Max: strconv.FormatInt(math.MaxInt32, 10), Count: 2 * forum.MaxCategoryModerators})
	}
	return func() ([][]forum.UserID, error) {
		users := make([][]forum.UserID, len(ids))
		for i, cmd := range cmds {
			for _, member := range cmd.Val() {
				users[i] = append(users[i], forum.UserID(record.Atoi(member)))
			}
		}
		return users, r.read.Err
	}
}
