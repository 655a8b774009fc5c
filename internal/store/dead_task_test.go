package store_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/test/must"
)

// giveUp lets the task that deletes the comments of a topic fail until it is given up.
func (w *threadSite) giveUp() (forum.Partition, string) {
	w.t.Helper()
	w.rdb.ZAdd(w.ctx, key.TopicComments(w.topic), z(0, "junk"))
	wantOK(w.t, "DeleteTopic", w.Posts.DeleteTopic(w.ctx, w.ann, w.topic))
	for range engine.MaxAttempts {
		w.clock.Advance(engine.MaxBackoff * time.Millisecond)
		w.runDue()
	}
	return w.topic.Partition(), record.RetractTask(w.topic)
}

func TestDeadTaskIsListedAndRetried(t *testing.T) {
	w := newThreadSite(t)
	p, name := w.giveUp()
	since := w.Engine.Now()
	w.clock.Advance(time.Minute)
	dead := must.Do(w.ListDeadTasks(t.Context()))(t)
	if len(dead) != 1 || dead[0].Name != name || dead[0].Since != since || dead[0].Attempts != engine.MaxAttempts ||
		dead[0].Subject != (forum.Subject{Topic: w.topic}) || !strings.HasSuffix(*dead[0].Failure, "not an id") ||
		*dead[0].Work != "hide or show the comments of a topic" {
		t.Fatalf("ListDeadTasks = %d tasks, first %+v; want that of the topic", len(dead), dead[0])
	}
	w.rdb.ZRem(t.Context(), key.TopicComments(w.topic), "junk")
	w.rdb.Del(t.Context(), w.keysLike("junk")...)
	before := record.Atoi(w.hash(key.Task(p, name))["n"])
	wantOK(t, "RetryDeadTask", w.RetryDeadTask(t.Context(), name))
	if f := w.hash(key.Task(p, name)); record.Atoi(f["n"]) != before+1 || f["attempts"] != "0" {
		t.Errorf("the task is %v; want token %d and no attempts", f, before+1)
	}
	for _, gone := range []string{name, "t:0", "?", ""} {
		if err := w.RetryDeadTask(t.Context(), gone); forum.CodeOf(err) != forum.CodeNotFound {
			t.Errorf("RetryDeadTask(%q) = %v; want NOT_FOUND", gone, err)
		}
	}
	if n := w.runDue(); n != 1 {
		t.Errorf("RunDueTasks after RetryDeadTask = %d; want 1", n)
	}
	w.wantClean()
}

// Of many dead tasks, of all partitions, as many as the limit are read and retried. Names of what is no task are not
// counted.
func TestManyDeadTasksAreReadInParts(t *testing.T) {
	w := newThreadSite(t)
	const each = 2
	for p := range forum.Partitions {
		for i := range each {
			name := "later:" + strconv.Itoa(p) + ":" + strconv.Itoa(i)
			w.rdb.HSet(t.Context(), key.Task(forum.Partition(p), name), "n", 1, "attempts", 20, "cursor", "")
			w.rdb.ZAdd(t.Context(), key.Dead(forum.Partition(p)), z(forum.Time(1000-p), name))
		}
	}
	w.rdb.ZAdd(t.Context(), key.Dead(0), z(0, "no task"))
	dead := must.Do(w.ListDeadTasks(t.Context()))(t)
	if len(dead) != forum.MaxDeadTasks || dead[0].Name != "no task" || dead[1].Since > dead[99].Since ||
		dead[1].Work != nil || dead[1].Failure != nil {
		t.Errorf("ListDeadTasks has %d tasks, first %+v; want %d", len(dead), dead[0], forum.MaxDeadTasks)
	}
	if n, err := w.Engine.RetryDeadTasks(t.Context(), 10); n != 9 || err != nil {
		t.Errorf("RetryDeadTasks of 10 = %d, %v; want 9", n, err)
	}
	if n, err := w.RetryDeadTasks(t.Context()); n != forum.Partitions*each-9 || err != nil {
		t.Errorf("RetryDeadTasks = %d, %v; want the other %d", n, err, forum.Partitions*each-9)
	}
	if got, err := w.Tasks(t.Context()); got != (forum.Tasks{Due: forum.Partitions * each, Dead: 1}) || err != nil {
		t.Errorf("Tasks = %+v, %v; want all due", got, err)
	}
}
