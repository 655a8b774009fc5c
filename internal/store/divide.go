package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/division"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// The index of the front, or of a category, is divided while it is in use (docs/architecture/writing.md, "Divided
// indexes"). The index's own slot has the state that decides about writes: a process that does not know of the division
// learns of it from its guard, whatever it knew before. key.Divisions has the state that decides about reads; it runs
// ahead of what is deleted by division.Settled.

// copyPass is how many topics one pass of a division copies.
const copyPass = 500

// cursors of the task of a division: "" begins it.
const (
	cursorCopy = "copy" // followed by the last member copied, if any
	cursorRead = "read"
	cursorEnd  = "end"
)

// ErrLayoutTooOld is the error for data whose layout knows nothing of what is to be done.
var ErrLayoutTooOld = fmt.Errorf("the data have layout version 1: run agora migrate")

// Index is the index of the front or of a category.
type Index struct {
	// Name is "front", or "c" and the id of the category.
	Name string
	// Topics is how many topics it holds.
	Topics int
	// Phase is "" if it is not divided, "copying", "reading" or "divided".
	Phase string
	// Copied is how many topics are in the parts, while it is being divided.
	Copied int
	// GivenUp reports whether the task that divides it was given up, after failing many times. A check with repair
	// makes it go on.
	GivenUp bool
}

// Indexes reads the indexes that can be divided and have more topics than a number, or are divided.
func (s *Store) Indexes(ctx context.Context, above int) ([]Index, error) {
	if err := s.lists.Refresh(ctx); err != nil {
		return nil, fmt.Errorf("read which indexes are divided: %w", err)
	}
	ids, err := s.rdb.Redis.ZRange(ctx, key.Categories, 0, -1).Result()
	if err != nil {
		return nil, fmt.Errorf("read all categories: %w", err)
	}
	containers := []key.Container{key.FrontContainer}
	for _, id := range ids {
		containers = append(containers, key.CategoryContainer(forum.CategoryID(record.Atoi(id))))
	}
	view, pipe := s.lists.View(ctx), s.rdb.Redis.Pipeline()
	sizes := make([][]*redis.IntCmd, len(containers))
	copied := make([][]*redis.IntCmd, len(containers))
	dead := pipe.ZRange(ctx, key.Dead(0), 0, -1)
	for i, c := range containers {
		state := view.State(c)
		if state.Phase != division.Divided {
			sizes[i] = append(sizes[i], pipe.ZCard(ctx, c.Order(key.OrderCreated)))
		}
		for _, part := range division.PartsOf(c, state.Parts) {
			copied[i] = append(copied[i], pipe.ZCard(ctx, part.Order(key.OrderCreated)))
		}
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, fmt.Errorf("read the sizes of indexes: %w", err)
	}
	var found []Index
	for i, c := range containers {
		x := Index{Name: division.Field(c), Phase: string(view.State(c).Phase), Copied: sum(copied[i])}
		x.GivenUp = slices.Contains(dead.Val(), record.DivideTask(x.Name))
		if x.Topics = sum(sizes[i]); x.Phase == string(division.Divided) {
			x.Topics = x.Copied
		}
		if x.Topics > above || x.Phase != "" {
			found = append(found, x)
		}
	}
	return found, nil
}

func sum(cmds []*redis.IntCmd) (n int) {
	for _, cmd := range cmds {
		n += int(cmd.Val())
	}
	return n
}

// Divide has a task divide the index with this name, unless that has begun. It returns ErrLayoutTooOld.
func (s *Store) Divide(ctx context.Context, name string) error {
	version, err := s.rdb.Redis.HGet(ctx, key.Layout, "version").Int()
	if err != nil {
		return fmt.Errorf("read the layout: %w", err)
	}
	if version < 2 {
		return ErrLayoutTooOld
	}
	task := record.DivideTask(name)
	is, err := record.ParseTask(task)
	if err != nil {
		return err
	}
	p := is.Partition()
	call := script.TaskArm{Task: key.Task(p, task), Due: key.Due(p), Name: task, Now: s.Now()}
	if err := s.rdb.Run(ctx, call).Err(); err != nil {
		return fmt.Errorf("divide the index %s: %w", name, err)
	}
	return nil
}

// Upgrade makes the layout of the data that of this program. Programs that support only an older one can no longer open
// them, and must not be running.
func (s *Store) Upgrade(ctx context.Context) error {
	if err := s.rdb.Redis.HSet(ctx, key.Layout, "version", record.LayoutVersion).Err(); err != nil {
		return fmt.Errorf("write the layout: %w", err)
	}
	s.layout.Version = record.LayoutVersion
	return nil
}

// Layout returns the layout of the data when they were opened, or upgraded by this process.
func (s *Store) Layout() Layout { return s.layout }

// LayoutVersion is the version of the layout of new data.
const LayoutVersion = record.LayoutVersion

// runDivision runs one pass of the task that divides an index.
func (s *Store) runDivision(ctx context.Context, c key.Container, cursor string) (next string, done bool, err error) {
	phase, member, _ := strings.Cut(cursor, " ")
	switch phase {
	case "":
		return s.beginDivision(ctx, c)
	case cursorCopy:
		s.step("division_copy")
		return s.copyToParts(ctx, c, member)
	case cursorRead:
		s.step("division_read")
		if err = s.announceDivision(ctx, c, division.Reading); err == nil {
			err = s.awaitReaders(ctx)
		}
		if err == nil { // again, now that all processes know: live events move to the parts
			err = s.announceDivision(ctx, c, division.Reading)
		}
		return cursorEnd, false, err
	case cursorEnd:
		return s.endDivision(ctx, c)
	}
	return "", false, fmt.Errorf("the cursor %q is not that of a division", cursor)
}

// awaitReaders waits until no process uses a view of divisions that is older than now.
func (s *Store) awaitReaders(ctx context.Context) error {
	s.step("division_settle")
	select {
	case <-time.After(s.settle):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// announceDivision stores what readers of an index need to know, and wakes those who follow its events.
func (s *Store) announceDivision(ctx context.Context, c key.Container, phase division.Phase) error {
	return s.setDivision(ctx, division.Field(c), division.State{Phase: phase, Parts: division.Parts}.String())
}

func (s *Store) setDivision(ctx context.Context, field, state string) error {
	return s.rdb.Run(ctx, script.DivisionSet{Divisions: key.Divisions, Field: field, State: state}).Err()
}

// fenceDivision stores what writers of an index need to know; open is false if the index is closed.
func (s *Store) fenceDivision(ctx context.Context, c key.Container, phase division.Phase) (open bool, err error) {
	state := division.State{Phase: phase, Parts: division.Parts}.String()
	return s.rdb.Run(ctx, script.IndexDivide{Closed: c.Closed(), Division: c.Division(), State: state}).Bool()
}

// beginDivision has writes go to the index and its parts. A division that has ended goes on with its end, which may
// have been interrupted.
func (s *Store) beginDivision(ctx context.Context, c key.Container) (next string, done bool, err error) {
	s.step("division_begin")
	have, err := s.rdb.Redis.MGet(ctx, c.Division()).Result()
	if err != nil {
		return "", false, err
	}
	if text, _ := have[0].(string); strings.HasPrefix(text, string(division.Divided)) {
		return cursorEnd, false, nil
	}
	open, err := s.fenceDivision(ctx, c, division.Copying)
	if err != nil {
		return "", false, err
	}
	if !open {
		return cursorEnd, false, nil
	}
	s.step("division_announce")
	if err := s.announceDivision(ctx, c, division.Copying); err != nil {
		return "", false, err
	}
	return cursorCopy, false, nil
}

// copyToParts copies the next topics after a member of the index to its parts: as they are now, not as the index has
// them. The guards of the parts refuse what is older than what was written there since.
func (s *Store) copyToParts(ctx context.Context, c key.Container, after string) (next string, done bool, err error) {
	w := forum.Window{Count: copyPass, Uncounted: true}
	if _, created, err := record.ParseMember(after); err == nil {
		w.After = &forum.Position{Score: float64(created), Member: after}
	}
	r := s.Read(ctx)
	get := r.Page(indexList("", c, key.OrderCreated, false), w)
	if err := r.Exec(); err != nil {
		return "", false, fmt.Errorf("read %s: %w", c, err)
	}
	page, err := get()
	if err != nil || len(page.Rows) == 0 {
		return cursorRead, false, err
	}
	ids := make([]forum.TopicID, len(page.Rows))
	for i, row := range page.Rows {
		ids[i] = forum.TopicID(row.ID)
	}
	topics, err := s.topicStates(ctx, ids)
	if err != nil {
		return "", false, err
	}
	s.step("division_write")
	e := &entries{lists: &division.View{}, now: s.Now(), zone: s.zone, of: map[key.Container]*containerEntries{}}
	for _, t := range topics {
		if category := c.Category(); t.Open && (category == 0 || t.Category == category) {
			e.setTopic(c.Part(int64(t.ID), division.Parts), t)
		}
	}
	b := s.rdb.Batch()
	for _, ce := range e.list {
		ce.cmd = b.Run(ctx, ce.set)
	}
	if err := b.Exec(ctx); err != nil {
		return "", false, fmt.Errorf("write parts of %s: %w", c, err)
	}
	return cursorCopy + " " + page.Rows[len(page.Rows)-1].Member, false, nil
}

// endDivision has writes go to the parts only, and deletes the rest of the index. The indexes of days are divided with
// the front, from a day on that has not begun anywhere.
func (s *Store) endDivision(ctx context.Context, c key.Container) (next string, done bool, err error) {
	s.step("division_end")
	open, err := s.fenceDivision(ctx, c, division.Divided)
	if err != nil {
		return "", false, err
	}
	state := division.State{Phase: division.Divided, Parts: division.Parts}.String()
	leftovers := []string{c.Revisions(), c.Removed(), c.Events()}
	for _, order := range key.TopicOrders {
		leftovers = append(leftovers, c.Order(order))
	}
	if !open { // the category was deleted, and is empty
		state, leftovers = "", nil
		for _, part := range division.PartsOf(c, division.Parts) {
			if _, err := s.closeIndex(ctx, part); err != nil {
				return "", false, err
			}
		}
	}
	s.step("division_forget")
	if err := s.setDivision(ctx, division.Field(c), state); err != nil {
		return "", false, err
	}
	if err := s.lists.Refresh(ctx); err != nil {
		return "", false, err
	}
	if c == key.FrontContainer && s.lists.View(ctx).Days() == 0 {
		if err := s.setDivision(ctx, division.DaysField, (s.Today() + 2).String()); err != nil {
			return "", false, err
		}
	}
	if len(leftovers) > 0 {
		err = s.rdb.Redis.Unlink(ctx, leftovers...).Err()
	}
	return "", true, err
}
