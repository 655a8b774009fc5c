package engine_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
)

// giveUp lets the task that deletes the comments of a topic fail until it is given up.
func giveUp(w *storetest.Thread) (forum.Partition, string) {
	w.T.Helper()
	w.Redis.ZAdd(w.Ctx, key.TopicComments(w.TopicID), storetest.Entry(0, "junk"))
	storetest.WantOK(w.T, "DeleteTopic", w.Posts.DeleteTopic(w.Ctx, w.Ann, w.TopicID))
	for range engine.MaxAttempts {
		w.Clock.Advance(engine.MaxBackoff * time.Millisecond)
		w.RunDue()
	}
	return w.TopicID.Partition(), record.RetractTask(w.TopicID)
}

func TestDeadTaskIsListedAndRetried(t *testing.T) {
	w := storetest.NewThread(t)
	p, name := giveUp(w)
	since := w.Engine.Now()
	w.Clock.Advance(time.Minute)
	dead := must.Do(w.ListDeadTasks(t.Context()))(t)
	if len(dead) != 1 || dead[0].Name != name || dead[0].Since != since || dead[0].Attempts != engine.MaxAttempts ||
		dead[0].Subject != (forum.Subject{Topic: w.TopicID}) || !strings.HasSuffix(*dead[0].Failure, "not an id") ||
		*dead[0].Work != "hide or show the comments of a topic" {
		t.Fatalf("ListDeadTasks = %d tasks, first %+v; want that of the topic", len(dead), dead[0])
	}
	w.Redis.ZRem(t.Context(), key.TopicComments(w.TopicID), "junk")
	w.Redis.Del(t.Context(), w.KeysLike("junk")...)
	before := record.Atoi(w.Hash(key.Task(p, name))["n"])
	storetest.WantOK(t, "RetryDeadTask", w.RetryDeadTask(t.Context(), name))
	if f := w.Hash(key.Task(p, name)); record.Atoi(f["n"]) != before+1 || f["attempts"] != "0" {
		t.Errorf("the task is %v; want token %d and no attempts", f, before+1)
	}
	for _, gone := range []string{name, "t:0", "?", ""} {
		if err := w.RetryDeadTask(t.Context(), gone); forum.CodeOf(err) != forum.CodeNotFound {
			t.Errorf("RetryDeadTask(%q) = %v; want NOT_FOUND", gone, err)
		}
	}
	if n := w.RunDue(); n != 1 {
		t.Errorf("RunDueTasks after RetryDeadTask = %d; want 1", n)
	}
	w.WantClean()
}

// Of many dead tasks, of all partitions, as many as the limit are read and retried. Names of what is no task are not
// counted.
func TestManyDeadTasksAreReadInParts(t *testing.T) {
	w := storetest.NewThread(t)
	const each = 2
	for p := range forum.Partitions {
		for i := range each {
			name := "later:" + strconv.Itoa(p) + ":" + strconv.Itoa(i)
			w.Redis.HSet(t.Context(), key.Task(forum.Partition(p), name), "n", 1, "attempts", 20, "cursor", "")
			w.Redis.ZAdd(t.Context(), key.Dead(forum.Partition(p)), storetest.Entry(forum.Time(1000-p), name))
		}
	}
	w.Redis.ZAdd(t.Context(), key.Dead(0), storetest.Entry(0, "no task"))
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
