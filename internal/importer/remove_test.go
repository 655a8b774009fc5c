package importer

import (
	"agora/internal/forum"
	"agora/internal/store"
)

// remove deletes a topic or comment, as its author does, or hides one that the ghost wrote.
func (x *site) remove(s forum.Subject) {
	x.t.Helper()
	topic, comment := forum.Topic{ID: s.Topic}, forum.Comment{ID: s.Comment}
	r := x.Read(x.ctx)
	topics, comments := r.FillTopics([]*forum.Topic{&topic}), r.FillComments([]*forum.Comment{&comment})
	wantOK(x.t, "Exec", r.Exec())
	topics()
	comments()
	by := &forum.Viewer{ID: max(topic.AuthorID, comment.WriterID)}
	switch {
	case by.ID == 0:
		_, err := x.Moderate(x.ctx, &forum.Viewer{ID: 1, Role: forum.RoleAdmin}, s, store.Moderation{Action: forum.ActHide,
			Grounds: forum.Grounds{Reason: forum.ReasonOther}})
		wantOK(x.t, "HIDE", err)
	case s.Topic != 0:
		wantOK(x.t, "DeleteTopic", x.DeleteTopic(x.ctx, by, s.Topic))
	default:
		wantOK(x.t, "DeleteComment", x.DeleteComment(x.ctx, by, s.Comment))
	}
}
