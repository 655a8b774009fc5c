package acts

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/notify"
	"agora/internal/store/script"
)

// Resolved is the result of resolving reports.
type Resolved struct {
	// Changed reports whether this call has resolved any.
	Changed bool
	// Act is the entry of the moderation log that resolved them, now or before; 0 if none did.
	Act forum.ActID
}

// ResolveReports resolves the reports on a subject up to the number through, and has their reporters told. Later ones
// stay open. It returns NOT_FOUND if no one has reported it, or the viewer moderates nothing there, SELF for what the
// viewer wrote, FORBIDDEN if the author's role is not below the viewer's.
func (s *Store) ResolveReports(ctx context.Context, by *forum.Viewer, rules forum.Rules, on forum.Subject, through int,
	outcome forum.ReportOutcome, why forum.Grounds) (Resolved, error) {
	if err := s.mayResolve(ctx, by, rules, on); err != nil {
		return Resolved{}, fmt.Errorf("resolve reports: %w", err)
	}
	kind, p := forum.ActUphold, on.Partition()
	if outcome == forum.OutcomeDismissed {
		kind = forum.ActDismiss
	}
	call := script.CaseResolve{
		Case: key.Case(on), Reporters: key.Reporters(on), Reports: key.Reports(on), Due: key.Due(p),
		HiddenItems: key.Hidden(p), About: record.EncodeActSubject(on),
		Upto: int64(through), Outcome: string(outcome), Kind: string(kind),
		Tasks: key.Task(p, record.ReportTask("")), TaskName: record.ReportTask(""),
	}
	call.Creation, call.Act = s.Recording(p, by, why)
	s.engine.Step("case_resolve")
	done, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return Resolved{}, fmt.Errorf("resolve reports: %w", record.ScriptError(err))
	}
	acts := Recorded(done.Act, kind, on, done.Member, call.Act)
	if err := s.writeCase(ctx, on, done.Case, acts); err != nil {
		return Resolved{}, fmt.Errorf("resolve reports: %w", err)
	}
	if len(acts) == 0 {
		return Resolved{Act: forum.ActID(record.Atoi(done.Before))}, nil
	}
	return Resolved{Changed: true, Act: acts[0].ID}, nil
}

// mayResolve checks that the viewer moderates where the subject is now, and outranks its author.
func (s *Store) mayResolve(ctx context.Context, by *forum.Viewer, rules forum.Rules, on forum.Subject) error {
	missing := forum.NotFound(forum.Path("subjectId"), "report")
	if on.Partition() == 0 && on == (forum.Subject{}) {
		return missing
	}
	r := s.engine.Read(ctx)
	cases := On(r).Cases([]forum.Subject{on})
	if err := r.Exec(); err != nil {
		return err
	}
	found, err := cases()
	if err != nil || found[0] == nil {
		return cmp.Or(err, error(missing))
	}
	c, topic := found[0], on.Topic
	if on.Comment != 0 {
		topic = c.Topic
	}
	b := s.engine.Client.Batch()
	ranks := b.HMGet(ctx, key.User(c.Author), RankFields...)
	category := b.HGet(ctx, key.Topic(topic), "category")
	if err := b.Exec(ctx); err != nil {
		return err
	}
	at := forum.CategoryID(record.Atoi(category.Val()))
	author := record.HMGet(RankFields, ranks)
	peer := slices.Contains(record.ParseIDs[forum.CategoryID](author["moderates"]), at)
	switch {
	case !rules.Moderates(by, at):
		return missing
	case by.Is(c.Author):
		return forum.Self(forum.Path("subjectId"), "You cannot resolve reports on what you wrote, or on yourself.")
	case !by.Outranks(record.RoleAt(author, s.engine.Now()), peer):
		return forum.Forbidden(forum.Path("subjectId"), "", "You cannot resolve reports on moderators of your rank.")
	}
	return nil
}

// runReports tells reporters what became of their reports, which an act resolved. The cursor has the number of the last
// report that was told of, and that of the last one to tell of.
func (s *Store) runReports(ctx context.Context, id forum.ActID, cursor string) (next string, done bool, err error) {
	from, to, ok := record.ParseReportCursor(cursor)
	acts, err := s.Acts(ctx, []forum.ActID{id})
	if err != nil || !ok || acts[0] == nil {
		return "", true, err
	}
	limit := &redis.ZRangeBy{Min: "(" + strconv.FormatInt(from, 10), Max: strconv.FormatInt(to, 10),
		Count: engine.TaskPass}
	found, err := s.engine.Client.Redis.ZRangeByScoreWithScores(ctx, key.Reporters(acts[0].Subject), limit).Result()
	if err != nil {
		return "", false, fmt.Errorf("reporters of %s: %w", key.Subject(acts[0].Subject), err)
	}
	s.engine.Step("report_told")
	b := s.engine.Client.Batch()
	for _, z := range found {
		s.tellReporter(ctx, b, acts[0], forum.UserID(record.Atoi(z.Member.(string))))
		from = int64(z.Score)
	}
	if b.Len() > 0 {
		if err := b.Exec(ctx); err != nil {
			return "", false, fmt.Errorf("tell reporters: %w", err)
		}
	}
	return record.ReportCursor(from, to), len(found) < engine.TaskPass, nil
}

// tellReporter queues the notification of a reporter.
func (s *Store) tellReporter(ctx context.Context, b *pipeline.Batch, a *forum.Act, to forum.UserID) {
	if to != a.By {
		notify.Note{To: to, Reason: forum.NotifyReport, Actor: a.By, Subject: forum.Subject{Act: a.ID},
			Created: a.CreatedAt}.Queue(ctx, b, s.engine.Limits.Notifications, s.engine.Now())
	}
}
