package listing

import (
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// read queues the reads of objects.
func read[ID ~int64, T any](r *engine.Read, by *record.Reader[ID, T], ids []ID) func() ([]*T, []error) {
	take := by.Read(r.Ctx, r.Batch, ids, On(r).objects())
	return func() ([]*T, []error) { return take(r.Err) }
}

// Topics reads topics, each whole by one HGETALL; nil for one that does not exist. The errors are those of the topics
// that could not be read, nil if all could. The topics may be shared with others: nobody changes them.
func (r Read) Topics(ids []forum.TopicID) func() ([]*forum.Topic, []error) {
	return read(r.read, record.TopicReader, ids)
}

// Comments is Topics for comments. The author of a tombstone is the ghost.
func (r Read) Comments(ids []forum.CommentID) func() ([]*forum.Comment, []error) {
	return read(r.read, record.CommentReader, ids)
}

// Users is Topics for users; nil for one that is not active.
func (r Read) Users(ids []forum.UserID) func() ([]*forum.User, []error) {
	return read(r.read, record.UserReader, ids)
}

// Categories is Topics for categories.
func (r Read) Categories(ids []forum.CategoryID) func() ([]*forum.Category, []error) {
	return read(r.read, record.CategoryReader, ids)
}

// Tabs is Topics for tabs.
func (r Read) Tabs(ids []forum.TabID) func() ([]*forum.Tab, []error) {
	return read(r.read, record.TabReader, ids)
}

// Tags is Topics for tags.
func (r Read) Tags(ids []forum.TagID) func() ([]*forum.Tag, []error) {
	return read(r.read, record.TagReader, ids)
}

// Lists is Topics for lists of users, whoever owns them.
func (r Read) Lists(ids []forum.ListID) func() ([]*forum.UserList, []error) {
	return read(r.read, record.ListReader, ids)
}

// LongText is the text of a topic or comment that is not in its hash.
type LongText struct {
	// Revision is the number of the revision whose text it is; 0 if there is none.
	Revision int
	Content  string
}

// LongTexts reads the texts of topics and comments that are not in their hashes.
func (r Read) LongTexts(of []forum.Subject) func() ([]LongText, error) {
	cmds := make([]*redis.StringCmd, len(of))
	for i, s := range of {
		cmds[i] = r.read.Batch.Get(r.read.Ctx, key.Text(key.Subject(s)))
	}
	return func() ([]LongText, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		texts := make([]LongText, len(of))
		for i, cmd := range cmds {
			number, content, _ := strings.Cut(cmd.Val(), "\n")
			texts[i] = LongText{int(record.Atoi(number)), content}
		}
		return texts, nil
	}
}
