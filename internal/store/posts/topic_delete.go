package posts

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/change"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// DeleteTopic deletes a topic of the viewer permanently; deleting it again changes nothing. Its texts are erased. Its
// comments are removed from their authors' lists, and the topic from bookmarks: the first thousand of each immediately,
// the others by a task. It returns NOT_FOUND, FORBIDDEN if another user posted it.
func (s *Store) DeleteTopic(ctx context.Context, by *forum.Viewer, id forum.TopicID) error {
	return s.deleteTopic(ctx, by, id, 0)
}

// PurgeTopic deletes a topic that was hidden before a time.
func (s *Store) PurgeTopic(ctx context.Context, id forum.TopicID, hiddenBefore forum.Time) error {
	return s.deleteTopic(ctx, nil, id, hiddenBefore)
}

// deleteTopic is DeleteTopic. If by is nil, it deletes a topic that was hidden before a time instead.
func (s *Store) deleteTopic(ctx context.Context, by *forum.Viewer, id forum.TopicID, hiddenBefore forum.Time) error {
	p, name := id.Partition(), record.RetractTask(id)
	call := script.TopicDelete{
		Evidence: acts.Evidence(forum.Subject{Topic: id}), KeepDeleted: script.KeepDeleted{HastyWithin: forum.MergeEdits},
		Case: key.Case(forum.Subject{Topic: id}),
		Acts: key.SubjectActs(forum.Subject{Topic: id}), ActsPrefix: key.ActPrefix(p),
		CountTopic: change.CountingTopic(p), RaiseComments: RaisingComments(id), Rights: s.rules.Rights(ctx, by),
		Topic: key.Topic(id), Dirty: key.Dirty(p), Due: key.Due(p), Task: key.Task(p, name),
		Revisions: key.Revisions(forum.Subject{Topic: id}), Texts: key.Texts(forum.Subject{Topic: id}),
		ID: id, Now: s.engine.Now(), HiddenBefore: hiddenBefore, Lease: s.engine.Now() + engine.FirstLease,
		TaskName: name,
	}
	if by != nil {
		call.Viewer = by.ID
	}
	s.engine.Step("topic_delete")
	b := s.engine.Client.Batch()
	cmd := b.Run(ctx, call)
	r := s.Retraction(ctx, id)
	r.Find(b) // nothing is added after the deletion
	err := b.Exec(ctx)
	deleted, failed := call.Result(cmd.Result())
	if failed != nil {
		return fmt.Errorf("delete topic %d: %w", id, record.ScriptError(failed))
	}
	return s.FollowUp(ctx, record.NewTopicState(id, deleted.Topic), r, deleted.States, deleted.Token, err, change.Set{})
}

// FollowUp writes what follows once a script has deleted, hidden or restored a topic: the indexes, and the first pass
// of the task, if there is one. failed is what went wrong when the bookmarks were read.
func (s *Store) FollowUp(ctx context.Context, topic record.TopicState, r *retraction, states []string, token string,
	failed error, c change.Set) error {
	task := engine.Task{Partition: topic.ID.Partition(), Name: record.RetractTask(topic.ID), Token: token}
	broken := failed == nil && r.parse(topic, states) != nil // this pass would fail: retry it later as a task
	if token == "0" || failed != nil || broken {             // another process has the task, or a worker gets it
		r = nil
	}
	c.Topics = []record.TopicState{topic}
	if r != nil {
		c.Leaving = r
		s.engine.Step("task_pass")
	}
	rejected, err := s.changes.Write(ctx, c)
	switch {
	case err != nil:
		return fmt.Errorf("indexes of topic %d: %w", topic.ID, err)
	case rejected:
		return forum.NotFound(forum.Path("subjectId"), forum.SubjectNoun)
	case token == "0" || failed != nil:
		return nil
	}
	if err := s.finishRetraction(ctx, task, r); err != nil {
		s.engine.Log.Warn("task is left to a worker", "task", task.Name, "error", err)
	}
	return nil
}

// RaisingComments returns the arguments with which a script raises the revisions of a topic's comments.
func RaisingComments(id forum.TopicID) script.RaiseComments {
	return script.RaiseComments{Comments: key.TopicComments(id), CommentsPrefix: key.CommentPrefix(id.Partition()),
		Pass: engine.TaskPass}
}

// finishRetraction ends the task of a topic, or saves the progress of its first pass; if r is nil, it runs that pass.
// What the task follows is done even if the caller stops waiting: any process can finish the rest.
func (s *Store) finishRetraction(ctx context.Context, task engine.Task, r *retraction) error {
	if r == nil {
		return s.engine.RunTask(context.WithoutCancel(ctx), task, 1)
	}
	cursor, last := r.done()
	if last {
		s.engine.Finish(task)
		return nil
	}
	_, err := s.engine.StepTask(ctx, task, cursor, s.engine.Now(), nil)
	return err
}
