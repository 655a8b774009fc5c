package store_test

import (
	"strings"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/bulk"
	"agora/internal/store/posts"
)

// importResult is the result of importing the whole site "old".
type importResult struct {
	rooms    bulk.Sections
	users    []forum.UserID
	created  []bool
	topics   []bulk.Imported[forum.TopicID]
	comments []bulk.Imported[forum.CommentID]
}

// topic and comment return the ids of the nth ones.
func (h *importResult) topic(n int) forum.TopicID     { return h.topics[n].ID }
func (h *importResult) comment(n int) forum.CommentID { return h.comments[n].ID }

// importAll imports the site "old" as the importer does: three members, two of whom have the same name
// there; a topic of the first with comments, one of the ghost, one that was locked and pinned there, one of the
// second member.
func (x *site) importAll(s *store.Store) (h importResult, err error) {
	im := s.Import()
	if h.rooms, err = x.importSections(im); err != nil {
		return h, err
	}
	members := []bulk.ImportUser{newMember("old:7", "zoe"), newMember("old:8", "yan"),
		newMember("old:9", "zoe", "zoe-9", "zoe-99")}
	if h.users, h.created, err = im.Users(x.ctx, members, strings.ToLower); err != nil {
		return h, err
	}
	c, d := h.rooms.Categories["old:c"], h.rooms.Categories["old:d"]
	topics := []posts.NewTopic{importedTopic("old:1", h.users[0], c), importedTopic("old:2", 0, c),
		importedTopic("old:3", h.users[1], d), importedTopic("old:4", h.users[1], d)}
	topics[0].Clicks, topics[2].Locked, topics[2].PinnedCategory = 40, true, importedAt+5
	if h.topics, err = im.Topics(x.ctx, topics); err != nil {
		return h, err
	}
	one := importedReply("old:11", h.users[1], h.topic(0), 0)
	one.Mentions = forum.Mentions{{Fold: "zoe", User: h.users[0]}}
	replies := []bulk.NewReply{one, importedReply("old:12", h.users[2], h.topic(1), 0)}
	if h.comments, err = im.Comments(x.ctx, replies); err != nil {
		return h, err
	}
	again := []bulk.NewReply{importedReply("old:13", 0, h.topic(0), h.comment(0)),
		importedReply("old:14", h.users[0], h.topic(1), h.comment(1))}
	more, err := im.Comments(x.ctx, again)
	if err != nil {
		return h, err
	}
	h.comments = append(h.comments, more...)
	return h, im.Publish(x.ctx, h.topics, h.comments, append(replies, again...))
}

// importSections imports a tab of two categories.
func (x *site) importSections(im *bulk.Import) (bulk.Sections, error) {
	sections, err := im.Sections(x.ctx)
	if err != nil {
		return sections, err
	}
	for source, name := range map[string]string{"old:c": "Old", "old:d": "Other"} {
		if sections.Categories[source] == 0 {
			if _, err := im.Category(x.ctx, sections, source, name, strings.ToLower(name), "of old"); err != nil {
				return sections, err
			}
		}
	}
	if sections.Tabs["old:t"] == 0 {
		if _, err := im.Tab(x.ctx, sections, "old:t", "Archive", "archive"); err != nil {
			return sections, err
		}
	}
	for _, source := range []string{"old:c", "old:d"} {
		if err := im.AddToTab(x.ctx, sections, "old:t", source); err != nil {
			return sections, err
		}
	}
	return sections, nil
}
