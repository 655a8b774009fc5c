package record

import (
	"testing"

	"agora/internal/forum"
)

func TestNamesOfTasks(t *testing.T) {
	const topic, comment, user, list = forum.TopicID(519), forum.CommentID(775), forum.UserID(1031), forum.ListID(1287)
	block := Edge{From: user, Kind: BlockUser, To: 5}
	tests := map[string]Task{
		RetractTask(topic):                          {Kind: TaskRetract, Topic: topic},
		FanOutTask(topic):                           {Kind: TaskFanOut, Topic: topic},
		VoteTask(topic, user):                       {Kind: TaskVote, Topic: topic, User: user},
		block.Task():                                {Kind: TaskEdge, User: user, Edge: block},
		ListTask(user, list):                        {Kind: TaskList, User: user, List: list},
		HomeTask(user):                              {Kind: TaskHome, User: user},
		AccountCleanupTask(user):                    {Kind: TaskAccountCleanup, User: user},
		NotifyTask(forum.Subject{Comment: comment}): {Kind: TaskNotify, Subject: forum.Subject{Comment: comment}},
		WatchTask(comment):                          {Kind: TaskWatch, Subject: forum.Subject{Comment: comment}},
		PostsTask(user):                             {Kind: TaskPosts, User: user},
		EraseTask(user):                             {Kind: TaskErase, User: user},
		CategoryTask(519):                           {Kind: TaskCategory, Category: 519},
		ReportTask("1543"):                          {Kind: TaskReports, Act: 1543},
	}
	seen := map[TaskKind]bool{}
	for name, want := range tests {
		got, err := ParseTask(name)
		if err != nil || got != want {
			t.Errorf("ParseTask(%q) = %+v, %v; want %+v", name, got, err, want)
		}
		if got.Partition() != 7 {
			t.Errorf("%q is in partition %d; want 7", name, got.Partition())
		}
		seen[want.Kind] = true
	}
	for _, kind := range TaskKinds() {
		if !seen[kind] {
			t.Errorf("no test covers tasks of kind %q", kind)
		}
	}
}

func TestParseTaskRefusesOtherNames(t *testing.T) {
	for _, name := range []string{"", "t", "t:", "t:0", "q:5", "v:5", "e:5", "e:5:z7", "l:5:6", "n:f5", "n:5", "h:x",
		"t:05", "d:front", "w:c5", "w:"} {
		if task, err := ParseTask(name); err == nil {
			t.Errorf("ParseTask(%q) = %+v; want an error", name, task)
		}
	}
}
