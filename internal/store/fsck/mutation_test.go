package fsck

import (
	"strings"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/test/must"
	built "agora/internal/test/site"
)

// What users and importers enter.
var (
	account, labels          = built.Account, built.Tags
	discussion, link, remark = built.Discussion, built.Link, built.Remark
	importedTopic            = built.ImportedTopic
	importedReply, newMember = built.ImportedReply, built.Member
)

// changeEmail changes the e-mail of a user created by account.
func changeEmail(s *store.Store, x *site, login string, id forum.UserID, email string) error {
	return s.Accounts.ChangeEmail(x.ctx, id, "hash of "+login, email, strings.ToLower(email))
}

// keep sets or removes a user's bookmark, and reports whether that changed anything.
func (x *site) keep(by *forum.Viewer, id forum.TopicID, want bool) bool {
	x.t.Helper()
	return must.Do(x.Follows.Bookmark(x.ctx, by.ID, id, want))(x.t)
}

// readTopic marks a topic as read.
func (x *site) readTopic(by *forum.Viewer, id forum.TopicID) {
	x.t.Helper()
	wantOK(x.t, "MarkTopicRead", x.Posts.MarkTopicRead(x.ctx, by, id))
}
