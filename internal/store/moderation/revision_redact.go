package moderation

import (
	"context"
	"fmt"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Redaction takes an earlier text of a topic or comment out of sight, or brings it back.
type Redaction struct {
	Of     forum.Subject
	Number int
	Redact bool
	// Role is that of the text's editor, "" if there is no such account.
	Role forum.Role
	// Moderates are the categories that the editor moderates, Category that of the topic.
	Moderates []forum.CategoryID
	Category  forum.CategoryID
	forum.Grounds
}

// RedactRevision does what a moderator wants with an earlier text, and records it. It does not check whether the viewer
// moderates the topic or comment. It returns NOT_FOUND at number if the text is not kept, INVALID if it is the present
// one, SELF and FORBIDDEN as Moderate does, with regard to the editor.
func (s *Store) RedactRevision(ctx context.Context, by *forum.Viewer, in Redaction) (Moderated, error) {
	call := script.RevisionRedact{
		Rank: acts.Rank(by, s.engine.Now()), Revisions: key.Revisions(in.Of), Texts: key.Texts(in.Of),
		About: record.EncodeActSubject(in.Of), Number: int64(in.Number), Redact: in.Redact, Role: string(in.Role),
		Its: acts.Categories(in.Moderates), Category: in.Category,
	}
	call.Creation, call.Act = s.acts.Recording(in.Of.Partition(), by, in.Grounds)
	s.engine.Step("revision_redact")
	done, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		if strings.Contains(err.Error(), "PRESENT") {
			return Moderated{}, forum.Invalid(forum.Path("number"), "The present text can be hidden, not redacted.")
		}
		return Moderated{}, fmt.Errorf("redact revision %d of %s: %w", in.Number, key.Subject(in.Of),
			record.ScriptError(err))
	}
	result := Moderated{Changed: done.Changed, Act: forum.ActID(record.Atoi(done.Act))}
	if !done.Changed {
		return result, nil
	}
	kind := forum.ActUnredact
	if in.Redact {
		kind = forum.ActRedact
	}
	acts := acts.Recorded(done.Act, kind, in.Of, done.Editor, call.Act)
	if err := s.engine.WriteParts(ctx, s.acts.Listing(acts...)); err != nil {
		return Moderated{}, fmt.Errorf("redact revision %d of %s: %w", in.Number, key.Subject(in.Of), err)
	}
	return result, nil
}
