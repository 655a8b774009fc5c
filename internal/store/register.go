package store

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// register has the subjects do their tasks and sweep their marks.
func (s *Store) register() {
	s.passes = map[record.TaskKind]pass{}
	s.sweeps = sweeps{kinds: map[string]sweepMarks{}}

	s.onTask(record.TaskRetract, func(ctx context.Context, t claimedTask, is record.Task) (string, bool, error) {
		return s.retract(ctx, is.Topic, t.cursor)
	})
	s.onTask(record.TaskFanOut, func(ctx context.Context, t claimedTask, is record.Task) (string, bool, error) {
		return s.runFanOut(ctx, is.Topic, t.cursor)
	})
	s.onTask(record.TaskAccountCleanup, func(ctx context.Context, t claimedTask, is record.Task) (string, bool, error) {
		return s.runAccountCleanup(ctx, is.User, t.cursor)
	})
	s.onTask(record.TaskWatch, func(ctx context.Context, t claimedTask, is record.Task) (string, bool, error) {
		return s.runWatch(ctx, is.Subject.Comment, t.cursor)
	})
	s.onTask(record.TaskReports, func(ctx context.Context, t claimedTask, is record.Task) (string, bool, error) {
		return s.runReports(ctx, is.Act, t.cursor)
	})
	s.onTaskOnce(record.TaskVote, func(ctx context.Context, t claimedTask, is record.Task) error {
		return s.runVote(ctx, is.Topic, is.User, t.cursor)
	})
	s.onTaskOnce(record.TaskEdge, func(ctx context.Context, t claimedTask, is record.Task) error {
		return s.runEdge(ctx, is.Edge, t.cursor)
	})
	s.onTaskOnce(record.TaskList, func(ctx context.Context, t claimedTask, is record.Task) error {
		return s.writeListed(ctx, is.User, is.List, record.ParseIDs[forum.UserID](t.cursor))
	})
	s.onTaskOnce(record.TaskHome, func(ctx context.Context, t claimedTask, is record.Task) error {
		return s.fillHome(ctx, is.User)
	})
	s.onTaskOnce(record.TaskNotify, func(ctx context.Context, t claimedTask, is record.Task) error {
		return s.runNotifyTask(ctx, t, is.Subject)
	})

	onMarkOf(s, "t", s.sweepTopics)
	onMarkOf(s, "c", s.sweepComments)
	onMarkOf(s, "m", s.sweepActs)
	s.onMark("r", s.sweepCases)
	s.onMark("u", s.sweepUsers)
	s.onMarkSet(key.CategoryDirty, s.sweepCategories)
	for _, set := range key.SharedActMarks {
		s.onMarkSet(set, func(ctx context.Context, marks []string) (int, error) { return s.sweepSharedActs(ctx, set, marks) })
	}
	s.sweeps.known = append(s.sweeps.known, s.rules.sweep)
}
