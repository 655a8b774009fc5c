package acts

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/eventlog"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/script"
)

// Reports on a subject are in its slot, and make one case. What the queue shows of a case is in the slot of the queue,
// written by a guard that compares revisions, as indexes are (docs/architecture/moderation.md).

// Report adds the viewer's report on a topic, comment or user; a repetition changes nothing. It returns RATE_LIMITED,
// NOT_FOUND, also if the subject is not shown to all, SELF.
func (s *Store) Report(ctx context.Context, by *forum.Viewer, on forum.Subject, why forum.Grounds) error {
	b := s.engine.Client.Batch()
	spent := s.engine.QueueSpend(ctx, b, []engine.Rate{{What: "report", Who: key.Itoa(by.ID),
		Limit: forum.ReportsPerMinute,
		Per:   time.Minute}})
	of := b.HGet(ctx, key.Subject(on), "topic") // of a comment
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if err := spent(); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	call := script.ReportAdd{
		Evidence: Evidence(on),
		Subject:  key.Subject(on), Case: key.Case(on), Reporters: key.Reporters(on), Reports: key.Reports(on),
		About: record.EncodeActSubject(on), Reporter: by.ID,
		Reason: string(why.Reason), Note: why.Note, Now: s.engine.Now(),
	}
	if on.Comment != 0 {
		topic := forum.TopicID(record.Atoi(of.Val()))
		if topic == 0 {
			return forum.NotFound(forum.Path("subjectId"), forum.SubjectNoun)
		}
		call.Topic = key.Topic(topic)
	}
	s.engine.Step("report_add")
	added, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return fmt.Errorf("report: %w", record.ScriptError(err))
	}
	return s.writeCase(ctx, on, added.Case, nil)
}

// writeCase writes what the queue shows of a case, and acts into their lists.
func (s *Store) writeCase(ctx context.Context, on forum.Subject, is script.CaseState, acts []*forum.Act) error {
	if _, err := record.ParseCaseState(on, is.Rev, is.Entry); err != nil {
		return fmt.Errorf("reports on %s: %w", key.Subject(on), err)
	}
	return s.engine.WriteParts(ctx, append(s.Listing(acts...), s.CaseOf(on, is)...))
}

// queuedCase is a case that the queue of reports shows.
type queuedCase struct {
	s *Store
	record.CaseState
}

// Queue queues the guard of the queue.
func (c queuedCase) Queue(ctx context.Context, b *pipeline.Batch) { QueueCase(ctx, b, c.CaseState) }

// Written removes the dirty mark of the case.
func (c queuedCase) Written() {
	c.s.engine.Clean(c.Subject.Partition(), record.CaseMark(c.Subject), key.Case(c.Subject), c.Rev)
}

// CaseOf returns the part of a mutation that shows a case in the queue; none if there is no case.
func (s *Store) CaseOf(on forum.Subject, is script.CaseState) []engine.Part {
	c, err := record.ParseCaseState(on, is.Rev, is.Entry)
	if err != nil {
		return nil
	}
	return []engine.Part{queuedCase{s, c}}
}

// HeldCase returns the part of a mutation that shows a post which was just held in the queue.
func (s *Store) HeldCase(on forum.Subject, category forum.CategoryID, topic forum.TopicID, at forum.Time) engine.Part {
	return queuedCase{s, record.CaseState{Subject: on, Rev: 1, State: forum.ReportsOpen, Category: category, Topic: topic,
		At: at}}
}

// QueueCase queues the guard of the queue.
func QueueCase(ctx context.Context, b *pipeline.Batch, c record.CaseState) {
	b.Run(ctx, script.QueueSet{
		Revisions: key.QueueRevisions, Open: key.Queue("open", 0), Events: key.QueueEvents, Lists: key.QueuePrefix,
		Member: c.CaseMember(), Row: strconv.FormatInt(record.CaseRow(c.Subject, c.Topic), 10), Rev: c.Rev,
		State: c.QueueState(), Category: c.Category, Score: key.Itoa(c.At), Kept: record.StreamKept,
	})
}

// sweepCases writes cases into the queue as they are now.
func (s *Store) sweepCases(ctx context.Context, p forum.Partition, marks []string) (pending int, err error) {
	var subjects []forum.Subject
	for _, mark := range marks {
		on, err := record.ParseActSubject(mark)
		if err == nil {
			subjects = append(subjects, on)
		} else if err := s.engine.DropMark(ctx, p, "r:"+mark); err != nil {
			return 0, err
		}
	}
	b := s.engine.Client.Batch()
	cmds := make([]*redis.SliceCmd, len(subjects))
	for i, on := range subjects {
		cmds[i] = b.HMGet(ctx, key.Case(on), script.CaseStateFields...)
	}
	if err := b.Exec(ctx); err != nil {
		return 0, fmt.Errorf("read cases: %w", err)
	}
	var cases []engine.Part
	for i, on := range subjects {
		is := script.ReadCaseState(cmds[i].Val())
		c, err := record.ParseCaseState(on, is.Rev, is.Entry)
		if err != nil {
			if err := s.engine.DropMark(ctx, p, record.CaseMark(on)); err != nil {
				return 0, err
			}
			continue
		}
		cases = append(cases, queuedCase{s, c})
	}
	return 0, s.engine.WriteParts(ctx, cases)
}

// ReportQueue is the list of the cases in a state, of one category or, for 0, of all, latest first. Rows are read by
// ParseCaseRow.
func ReportQueue(state forum.ReportState, category forum.CategoryID) listing.List {
	l := listing.LatestFirst(key.Queue(record.CaseState{State: state}.QueueState(), category))
	l.Cases = true
	return l
}

// CaseLog is the log of what happens to open cases: the entry's ID is read by ParseCaseRow, and its In is the category.
var CaseLog = eventlog.Cases

// ParseCaseRow returns the subject of a row of ReportQueue, and the topic of a comment.
func ParseCaseRow(row int64) (forum.Subject, forum.TopicID) { return record.ParseCaseRow(row) }

// SubjectReports is the list of the reports on a subject, by number; the ids are the reporters.
func SubjectReports(on forum.Subject) listing.List {
	k := key.Reporters(on)
	return listing.List{Name: k, Key: k}
}

// Cases reads the reports on subjects; nil for those without any.
func (r Read) Cases(subjects []forum.Subject) func() ([]*forum.ReportCase, error) {
	cmds := make([]*redis.SliceCmd, len(subjects))
	for i, on := range subjects {
		cmds[i] = r.read.Batch.HMGet(r.read.Ctx, key.Case(on), record.CaseFields...)
	}
	return func() ([]*forum.ReportCase, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		cases := make([]*forum.ReportCase, len(subjects))
		for i, cmd := range cmds {
			cases[i] = record.ParseCase(subjects[i], record.HMGet(record.CaseFields, cmd))
		}
		return cases, nil
	}
}

// ReportRef names a report: what it is about, and who made it.
type ReportRef struct {
	On forum.Subject
	By forum.UserID
}

// Reports reads reports; nil for those that do not exist.
func (r Read) Reports(refs []ReportRef) func() ([]*forum.Report, error) {
	cmds := make([]*redis.StringCmd, len(refs))
	for i, ref := range refs {
		cmds[i] = r.read.Batch.HGet(r.read.Ctx, key.Reports(ref.On), key.Itoa(ref.By))
	}
	return func() ([]*forum.Report, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		reports := make([]*forum.Report, len(refs))
		for i, cmd := range cmds {
			if report, ok := record.ParseReport(refs[i].By, cmd.Val()); ok {
				reports[i] = report
			}
		}
		return reports, nil
	}
}
