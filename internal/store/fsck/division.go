package fsck

import (
	"context"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/division"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// divided is an index that is divided, or whose division was begun or lost.
type divided struct {
	on    target
	index key.Container
	field string // of key.Divisions
	// known is what readers know, fence what writers find.
	known, fence division.State
	readable     bool // the fence is missing or can be parsed
	owned        bool // it is the front's, or its category exists
	task         bool // a task divides it
}

// inspectDivisions compares what readers and writers of indexes know of their divisions. While a task divides an index,
// they may differ.
func (c *checker) inspectDivisions(ctx context.Context) error {
	var err error
	if c.lists, err = c.repairer.Divisions(ctx); err != nil {
		return err
	}
	on := target{kind: onLayout}
	fields, err := c.rdb.Redis.HGetAll(ctx, key.Divisions).Result()
	if err != nil {
		return err
	}
	indexes := map[key.Container]bool{}
	for field, text := range fields {
		if !division.Valid(field, text) {
			forget := fix{do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HDel(ctx, key.Divisions, field) },
				watch: []string{key.Divisions}}
			c.add(on, RuleDivision, key.Divisions, forget, "%s is %q", field, text)
		} else if field != division.DaysField {
			indexes[division.Container(field)] = true
		}
	}
	for box := range c.keys.indexes {
		if whole, _ := box.Whole(); whole == key.FrontContainer || whole.Category() != 0 {
			indexes[whole] = true
		}
	}
	for index := range indexes {
		d, err := c.readDivision(ctx, on, index)
		if err != nil {
			return err
		}
		if !d.task {
			c.judgeDivision(d)
		}
	}
	return nil
}

func (c *checker) readDivision(ctx context.Context, on target, index key.Container) (divided, error) {
	d := divided{on: on, index: index, field: division.Field(index), known: c.lists.State(index)}
	r := c.read(ctx)
	fence := r.next().Get(ctx, index.Division())
	owner := r.next().Exists(ctx, key.Category(index.Category()))
	name := record.DivideTask(d.field)
	task := r.next().HMGet(ctx, key.Task(0, name), "n", "cursor")
	if err := r.done(); err != nil {
		return d, err
	}
	var err error
	if fence.Err() == nil {
		d.fence, err = division.Parse(fence.Val())
	}
	d.readable = err == nil
	d.owned = index == key.FrontContainer || owner.Val() == 1
	d.task = task.Val()[0] != nil
	c.copied[index], _ = task.Val()[1].(string)
	return d, nil
}

// judgeDivision checks an index that no task divides now.
func (c *checker) judgeDivision(d divided) {
	run := func(do func(context.Context) error) fix { return fix{run: do} }
	again := run(func(ctx context.Context) error { return c.s.Divide(ctx, d.field) })
	announce := run(func(ctx context.Context) error { return c.repairer.AnnounceDivision(ctx, d.index, d.fence.Phase) })
	fence := run(func(ctx context.Context) error { return c.repairer.FenceDivision(ctx, d.index, d.known.Phase) })
	report := func(f fix, detail string) {
		c.add(d.on, RuleDivision, d.index.Division(), f, "%s: readers know %q, writers find %q: %s", d.field, d.known,
			d.fence, detail)
	}
	switch divided := d.fence.Phase == division.Divided; {
	case !d.owned && d.known.Phase == division.Whole: // a deleted category
	case !d.readable:
		report(fence, "the state cannot be read")
	case divided && d.known.Phase != division.Divided:
		report(announce, "readers miss the parts")
	case !divided && d.known.Phase == division.Divided:
		report(fence, "writers miss the parts")
	case d.fence.Phase == division.Copying || d.known.Phase != division.Whole && !divided:
		report(again, "no task goes on with it")
	}
}

// belongs reports whether a topic may be in a container: of the parts of an index only in that of its partition, and in
// the index itself unless it is divided.
func (c *checker) belongs(box key.Container, topic int64) bool {
	whole, part := box.Whole()
	state := c.lists.State(whole)
	if part < 0 {
		return state.Phase != division.Divided
	}
	return state.Parts > 0 && int(topic%forum.Partitions)%state.Parts == part
}

// placesOf returns where a topic in an index must be.
func (c *checker) placesOf(whole key.Container, topic *topicView) []key.Container {
	index, part := c.lists.Targets(whole, int64(topic.id))
	switch {
	case part == "" || index != "" && !c.isCopied(whole, topic):
		return []key.Container{index}
	case index == "":
		return []key.Container{part}
	}
	return []key.Container{index, part}
}

// isCopied reports whether the task that divides an index was past a topic, so that its part has it: the task copies
// the newest first.
func (c *checker) isCopied(whole key.Container, topic *topicView) bool {
	phase, last, _ := strings.Cut(c.copied[whole], " ")
	switch phase {
	case "read", "end":
		return true
	case "copy":
		return last != "" && record.Member(topic.f.Time("created"), int64(topic.id)) >= last
	}
	return c.lists.State(whole).Phase == division.Reading
}
