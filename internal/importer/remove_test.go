package importer

import (
	"agora/internal/forum"
	"agora/internal/store/moderation"
)

// remove deletes a topic or comment, as its author does, or hides one that the ghost wrote.
func (x *site) remove(s forum.Subject) {
	x.t.Helper()
	by := &forum.Viewer{}
	r := x.Read(x.ctx)
	topics := r.Listing.Topics([]forum.TopicID{s.Topic})
	comments := r.Listing.Comments([]forum.CommentID{s.Comment})
	wantOK(x.t, "Exec", r.Exec())
	if found, _ := topics(); found[0] != nil {
		by.ID = found[0].AuthorID
	}
	if found, _ := comments(); found[0] != nil {
		by.ID = found[0].WriterID
	}
	switch {
	case by.ID == 0:
		_, err := x.Moderation.Moderate(x.ctx, &forum.Viewer{ID: 1, Role: forum.RoleAdmin}, s,
			moderation.Moderation{Action: forum.ActHide,
				Grounds: forum.Grounds{Reason: forum.ReasonOther}})
		wantOK(x.t, "HIDE", err)
	case s.Topic != 0:
		wantOK(x.t, "DeleteTopic", x.Posts.DeleteTopic(x.ctx, by, s.Topic))
	default:
		wantOK(x.t, "DeleteComment", x.Posts.DeleteComment(x.ctx, by, s.Comment))
	}
}
