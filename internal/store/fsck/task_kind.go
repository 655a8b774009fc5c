package fsck

import (
	"regexp"
	"slices"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// taskCheck is what a sound task of a kind looks like.
type taskCheck struct {
	// work reports whether there is something to do.
	work func(t *taskView) bool
	// cursor reports whether a cursor is one of the kind; nil wants an empty one.
	cursor func(t *taskView, cursor string, now forum.Time) bool
	// start is the cursor of a task that begins again; nil is "".
	start func(t *taskView) string
}

// taskChecks has a row for each of record.TaskKinds.
var taskChecks = map[record.TaskKind]taskCheck{
	record.TaskRetract: {
		work: func(t *taskView) bool { return t.is["state"] == string(forum.TopicDeleted) },
		cursor: func(t *taskView, cursor string, _ forum.Time) bool {
			return cursor == "" || t.f.IsWhole("cursor", 0)
		},
	},
	record.TaskFanOut: {
		work: func(t *taskView) bool { return t.is["state"] != "" },
		cursor: func(_ *taskView, cursor string, _ forum.Time) bool {
			return allWords(cursor, func(text string) error {
				_, err := record.ParseAudience(text)
				return err
			})
		},
		start: func(t *taskView) string {
			return record.EncodeAudiences(append(t.fanOut.Audiences(), t.fanOut.LeftAudiences()...))
		},
	},
	// The cursor of a vote says what the sets do, as long as these are there.
	record.TaskVote: {
		work: func(t *taskView) bool { return t.is["kind"] == string(forum.Article) && isAuthor(t.state) },
		cursor: func(t *taskView, cursor string, now forum.Time) bool {
			over := now >= t.is.Time("created")+forum.VotingWindow
			return voteCursor.MatchString(cursor) && (over || strings.HasSuffix(cursor, " "+string(t.vote)))
		},
		start: func(t *taskView) string {
			return key.Itoa(max(t.is.Time("voted"), 1)) + " " + string(t.vote)
		},
	},
	record.TaskEdge: {
		work: ofAuthor,
		cursor: func(_ *taskView, cursor string, _ forum.Time) bool {
			return cursor == "" || cursor == record.CursorNotify
		},
	},
	// Whom a list's task was about is not known when it begins again; their edges will show it.
	record.TaskList: {
		work: ofAuthor,
		cursor: func(_ *taskView, cursor string, _ forum.Time) bool {
			return allWords(cursor, func(id string) error {
				_, err := forum.ParseID[forum.UserID](id)
				return err
			})
		},
	},
	record.TaskHome:           {work: ofAuthor},
	record.TaskAccountCleanup: {work: func(t *taskView) bool { return t.state == record.UserDeleted }},
	record.TaskNotify:         {work: func(t *taskView) bool { return t.left != "" }},
}

// ofAuthor reports whether the task's user is or was somebody: the account may be deleted
// meanwhile.
func ofAuthor(t *taskView) bool { return isAuthor(t.state) }

// allWords reports whether parse takes each word of a text.
func allWords(text string, parse func(string) error) bool {
	return !slices.ContainsFunc(strings.Fields(text), func(word string) bool { return parse(word) != nil })
}

var voteCursor = regexp.MustCompile(`^[1-9][0-9]{0,15} (UP|DOWN|NONE)$`)

// start is the cursor of a task that begins again.
func (t *taskView) start() string {
	if start := taskChecks[t.about.Kind].start; start != nil {
		return start(t)
	}
	return ""
}

// soundCursor reports whether the task's cursor is there and one of its kind.
func (t *taskView) soundCursor(now forum.Time) bool {
	cursor, there := t.f["cursor"]
	if sound := taskChecks[t.about.Kind].cursor; sound != nil {
		return there && sound(t, cursor, now)
	}
	return there && cursor == ""
}
