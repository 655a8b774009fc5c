package change

import (
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/script"
)

// classifyTopics gives those topics the audience of their category that have another one. It returns the states of all.
func (s *Store) classifyTopics(ctx context.Context, topics []record.TopicState) ([]record.TopicState, error) {
	rules := s.rules.Current(ctx)
	var which []int
	for i, t := range topics {
		if isOutdated(rules, t) {
			which = append(which, i)
		}
	}
	if which == nil {
		return topics, nil
	}
	topics = slices.Clone(topics)
	b := s.engine.Client.Batch()
	calls, cmds := make([]script.TopicClassify, len(which)), make([]*redis.Cmd, len(which))
	for n, i := range which {
		t := topics[i]
		p, a, task := t.ID.Partition(), rules.In(t.Category), record.RetractTask(t.ID)
		calls[n] = script.TopicClassify{
			CountTopic: CountingTopic(p), Topic: key.Topic(t.ID), Due: key.Due(p), Task: key.Task(p, task),
			Category: t.Category, Audience: string(a.Sees), Epoch: a.Epoch, Now: s.engine.Now(), TaskName: task,
		}
		cmds[n] = b.Run(ctx, calls[n])
	}
	s.engine.Step("topic_classify")
	b.Exec(ctx) // each command has its own error
	for n, i := range which {
		done, err := calls[n].Result(cmds[n].Result())
		if err != nil {
			return nil, fmt.Errorf("audience of topic %d: %w", topics[i].ID, err)
		}
		topics[i] = record.NewTopicState(topics[i].ID, done.Topic)
	}
	return topics, nil
}

// isOutdated reports whether the lists have a topic that has another audience than its category, or had it by earlier
// rules.
func isOutdated(rules forum.Rules, t record.TopicState) bool {
	a := rules.In(t.Category)
	return t.Listed && (t.Audience != a.Sees || t.Epoch < a.Epoch)
}

// maxOutdated is how often a change is written again because the rules of its category change.
const maxOutdated = 5

// writeOutdated writes topics again that the index of their category has refused, by the rules as they are now. tries
// is how often that was done.
func (s *Store) writeOutdated(ctx context.Context, topics []record.TopicState, tries int) (rejected bool, err error) {
	if tries >= maxOutdated {
		return false, fmt.Errorf("audience of topic %d: %w", topics[0].ID, engine.ErrBusy)
	}
	if err := s.rules.Refresh(ctx); err != nil {
		return false, err
	}
	ids := make([]forum.TopicID, len(topics))
	for i, t := range topics {
		ids[i] = t.ID
	}
	if topics, err = record.TopicStates(ctx, s.engine.Client, ids); err != nil {
		return false, err
	}
	return s.write(ctx, Set{Topics: topics}, tries+1)
}

// categoryPass is how many topics of a category a pass of its task gives its audience.
const categoryPass = 200

// classifyCategory is one pass of the task of a category whose audience was changed: it gives that to the topics after
// cursor, oldest first. Topics that come meanwhile have it already, as the index refuses others.
func (s *Store) classifyCategory(ctx context.Context, id forum.CategoryID, cursor string) (string, bool, error) {
	w := forum.Window{Count: categoryPass, Uncounted: true}
	if cursor != "" {
		_, created, err := record.ParseMember(cursor)
		if err != nil {
			return "", false, fmt.Errorf("cursor of category %d: %w", id, err)
		}
		w.After = &forum.Position{Score: float64(created), Member: cursor}
	}
	if err := s.rules.Refresh(ctx); err != nil { // they were changed just now
		return "", false, err
	}
	list := listing.CategoryTopics(id)
	list.Newest = false
	r := s.engine.Read(ctx)
	read := listing.On(r).Page(list, w)
	if err := r.Exec(); err != nil {
		return "", false, fmt.Errorf("topics of category %d: %w", id, err)
	}
	page, err := read()
	if err != nil || len(page.Rows) == 0 {
		return "", err == nil, err
	}
	ids := make([]forum.TopicID, len(page.Rows))
	for i, row := range page.Rows {
		ids[i] = forum.TopicID(row.ID)
	}
	topics, err := record.TopicStates(ctx, s.engine.Client, ids)
	if err != nil {
		return "", false, err
	}
	rules := s.rules.Current(ctx)
	topics = slices.DeleteFunc(topics, func(t record.TopicState) bool { return !isOutdated(rules, t) })
	s.engine.Step("category_pass")
	if len(topics) > 0 {
		if _, err := s.Write(ctx, Set{Topics: topics}); err != nil {
			return "", false, fmt.Errorf("topics of category %d: %w", id, err)
		}
	}
	return page.Rows[len(page.Rows)-1].Member, len(page.Rows) < categoryPass, nil
}
