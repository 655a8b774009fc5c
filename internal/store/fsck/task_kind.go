package fsck

import (
	"regexp"
	"slices"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// taskCheck describes a valid task of a kind.
type taskCheck struct {
	// work reports whether the task has work to do.
	work func(t *taskView) bool
	// cursor is nil for kinds that have none.
	cursor cursorCheck
	// start returns the cursor of a restarted task; nil means "".
	start func(t *taskView) string
}

// taskChecks has a row for each of record.TaskKinds.
var taskChecks = map[record.TaskKind]taskCheck{
	record.TaskRetract: {
		work:   func(t *taskView) bool { return t.is["state"] != "" },
		cursor: parsed(record.ParseRetractCursor),
	},
	record.TaskFanOut: {
		work:   func(t *taskView) bool { return t.is["state"] != "" },
		cursor: words(parsed(record.ParseAudience)),
		start: func(t *taskView) string {
			return record.EncodeAudiences(append(t.fanOut.Audiences(), t.fanOut.FormerAudiences()...))
		},
	},
	// The cursor of a vote task agrees with the sets, as long as these exist.
	record.TaskVote: {
		work: func(t *taskView) bool { return t.is["kind"] == string(forum.Article) && check.IsAuthor(t.state) },
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
	// A restarted task of a list does not know its users; their edges are checked instead.
	record.TaskList: {
		work:   ofAuthor,
		cursor: words(parsed(forum.ParseID[forum.UserID])),
	},
	record.TaskHome:           {work: ofAuthor},
	record.TaskAccountCleanup: {work: func(t *taskView) bool { return t.state == catalogue.UserDeleted }},
	record.TaskPosts: {
		work: ofAuthor,
		cursor: func(_ *taskView, cursor string, _ forum.Time) bool {
			n := record.Atoi(cursor)
			return cursor == "" || 0 < n && n <= forum.MaxHiddenPosts && key.Itoa(n) == cursor
		},
	},
	record.TaskErase: {
		work:   func(t *taskView) bool { return t.state == catalogue.UserDeleted },
		cursor: parsed(record.ParseEraseCursor),
	},
	record.TaskNotify: {work: func(t *taskView) bool { return t.left != "" }},
	record.TaskWatch: {
		work:   func(t *taskView) bool { return t.posted },
		cursor: parsed(record.ParseWatchCursor),
	},
	record.TaskReports: {
		work: func(*taskView) bool { return true },
		cursor: func(_ *taskView, cursor string, _ forum.Time) bool {
			_, _, ok := record.ParseReportCursor(cursor)
			return ok
		},
		start: func(*taskView) string { return record.ReportCursor(0, 0) },
	},
}

// ofAuthor reports whether the task's user is or was an account. It may have been deleted since.
func ofAuthor(t *taskView) bool { return check.IsAuthor(t.state) }

// cursorCheck reports whether a cursor of a task is valid.
type cursorCheck func(t *taskView, cursor string, now forum.Time) bool

// parsed accepts cursors that can be parsed.
func parsed[T any](parse func(string) (T, error)) cursorCheck {
	return func(_ *taskView, cursor string, _ forum.Time) bool {
		_, err := parse(cursor)
		return err == nil
	}
}

// words accepts cursors of which each word is valid.
func words(valid cursorCheck) cursorCheck {
	return func(t *taskView, cursor string, now forum.Time) bool {
		return !slices.ContainsFunc(strings.Fields(cursor), func(word string) bool { return !valid(t, word, now) })
	}
}

var voteCursor = regexp.MustCompile(`^[1-9][0-9]{0,15} (UP|DOWN|NONE)$`)

// start returns the cursor of a restarted task.
func (t *taskView) start() string {
	if start := taskChecks[t.about.Kind].start; start != nil {
		return start(t)
	}
	return ""
}

// soundCursor reports whether the task has a valid cursor of its kind.
func (t *taskView) soundCursor(now forum.Time) bool {
	cursor, there := t.f["cursor"]
	if sound := taskChecks[t.about.Kind].cursor; sound != nil {
		return there && sound(t, cursor, now)
	}
	return there && cursor == ""
}
