package store

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/division"
	"agora/internal/store/internal/index"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// copyPass is how many topics one pass of a division copies.
const copyPass = 500

// Index is the index of the front or of a category.
type Index = division.Index

// Indexes reads the indexes that can be divided and have more topics than a number, or are divided.
func (s *Store) Indexes(ctx context.Context, above int) ([]Index, error) {
	return s.lists.Indexes(ctx, above)
}

// Divide has a task divide the index with this name, unless that has begun.
func (s *Store) Divide(ctx context.Context, name string) error {
	task := record.DivideTask(name)
	if _, err := record.ParseTask(task); err != nil {
		return err
	}
	call := script.TaskArm{Task: key.Task(0, task), Due: key.Due(0), Name: task, Now: s.Now()}
	if err := s.rdb.Run(ctx, call).Err(); err != nil {
		return fmt.Errorf("divide the index %s: %w", name, err)
	}
	return nil
}

// Layout returns the layout of the data when they were opened.
func (s *Store) Layout() Layout { return s.layout }

// divider returns what divides indexes.
func (s *Store) divider() *division.Divider {
	return &division.Divider{Client: s.rdb, Cache: s.lists, Settle: s.settle, Today: s.Today, Step: s.step,
		Log: s.log, Copy: s.copyToParts}
}

// copyToParts copies the next topics after a member of the index to its parts: as they are now, not as the index has
// them. The guards of the parts refuse what is older than what was written there since. It returns the last member, ""
// if there are no more.
func (s *Store) copyToParts(ctx context.Context, c key.Container, after string) (last string, err error) {
	w := forum.Window{Count: copyPass, Uncounted: true}
	if _, created, err := record.ParseMember(after); err == nil {
		w.After = &forum.Position{Score: float64(created), Member: after}
	}
	r := s.Read(ctx)
	get := r.Page(indexList("", c, key.OrderCreated, false), w)
	if err := r.Exec(); err != nil {
		return "", fmt.Errorf("read %s: %w", c, err)
	}
	page, err := get()
	if err != nil || len(page.Rows) == 0 {
		return "", err
	}
	ids := make([]forum.TopicID, len(page.Rows))
	for i, row := range page.Rows {
		ids[i] = forum.TopicID(row.ID)
	}
	topics, err := s.topicStates(ctx, ids)
	if err != nil {
		return "", err
	}
	s.step("division_write")
	e := index.New(&division.View{}, s.Now(), s.zone)
	for _, t := range topics {
		if category := c.Category(); t.Listed && (category == 0 || t.Category == category) {
			e.SetPart(c.Part(int64(t.ID), division.Parts), t)
		}
	}
	b := s.rdb.Batch()
	e.Queue(ctx, b)
	if err := b.Exec(ctx); err != nil {
		return "", fmt.Errorf("write parts of %s: %w", c, err)
	}
	return page.Rows[len(page.Rows)-1].Member, nil
}
