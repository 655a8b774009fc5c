package index

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
	texts "agora/internal/text"
)

// Name is a user or tag as a list of names shows it.
type Name struct {
	List key.Names
	ID   int64
	Rev  int64
	// Fold is the folded name, "" if it is not listed.
	Fold string
	// Scores are those in the orders of the list.
	Scores []string
}

// UserFields are the fields of a user that UserNames needs.
var UserFields = []string{"state", "fold", "rev", "applied", "rejection", "prepared"}

// UserNames returns the entries of a user in the list of users, and, if moderators had to approve the account, in that of
// applicants.
func UserNames(id forum.UserID, f record.Fields) []Name {
	n := Name{List: key.UserNames, ID: int64(id), Rev: int64(f.Int("rev")), Scores: []string{"0"}}
	if catalogue.UserListed(f["state"], f["prepared"]) {
		n.Fold = f["fold"]
	}
	if f["applied"] == "" {
		return []Name{n}
	}
	a := n
	if a.List, a.Fold = key.Applicants, ""; f["state"] == catalogue.UserApplied {
		is := forum.Application{Rejection: forum.ActID(f.Int("rejection"))}
		a.Fold = record.ApplicantPrefix(is.State()) + f["applied"] // times have 13 digits until the year 2286
	}
	return []Name{n, a}
}

// tagName returns the entry of a tag, given what tag_name returned.
func tagName(id forum.TagID, cmd *redis.Cmd) (Name, error) {
	is, err := script.TagName{}.Result(cmd.Result())
	if err != nil {
		return Name{}, err
	}
	n := Name{List: key.TagNames, ID: int64(id), Rev: is.Rev, Scores: TagScores(is.Topics, is.Newest)}
	if is.Topics > 0 {
		n.Fold = texts.Fold(is.Name)
	}
	return n, nil
}

// TagScores returns the scores of a tag with so many topics, the newest of which was posted at that time.
func TagScores(topics, newest int64) []string {
	return []string{"0", strconv.FormatInt(-topics, 10), strconv.FormatInt(-newest, 10)}
}

// Member returns the member of the entry, "" if it is not listed.
func (n Name) Member() string {
	if n.Fold == "" {
		return ""
	}
	return record.NameMember(n.Fold, n.ID)
}

// Queue queues the guard that writes the entry.
func (n Name) Queue(ctx context.Context, b *pipeline.Batch, now forum.Time) {
	call := script.NamesSet{Revisions: n.List.Revisions(), Removed: n.List.Removed(), Now: now,
		Memory: forum.RemovalLife, ID: n.ID, Rev: n.Rev, Member: n.Member(), Scores: n.Scores}
	for _, order := range n.List.OrderNames() {
		call.Orders = append(call.Orders, n.List.Order(order))
	}
	b.Run(ctx, call)
}

// Rewrite writes the entry of a tag in the list of tags again.
func Rewrite(ctx context.Context, rdb *pipeline.Client, t *Tag, now forum.Time) error {
	b := rdb.Batch()
	name := t.Queue(ctx, b, now)
	if err := b.Exec(ctx); err != nil {
		return err
	}
	n, err := name()
	if err != nil {
		return err
	}
	b = rdb.Batch()
	n.Queue(ctx, b, now)
	return b.Exec(ctx)
}

// Names returns the entries of the tags whose indexes were written.
func (e *Entries) Names() ([]Name, error) {
	names := make([]Name, len(e.tags))
	for i, t := range e.tags {
		var err error
		if names[i], err = tagName(t.ID, t.cmd); err != nil {
			return nil, err
		}
	}
	return names, nil
}
