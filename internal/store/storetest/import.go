package storetest

import (
	"strings"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/bulk"
	"agora/internal/store/posts"
	"agora/internal/test/site"
)

// ImportResult is the result of importing the whole site "old".
type ImportResult struct {
	Rooms    bulk.Sections
	Users    []forum.UserID
	Created  []bool
	Topics   []bulk.Imported[forum.TopicID]
	Comments []bulk.Imported[forum.CommentID]
}

// Topic returns the id of the nth topic.
func (h *ImportResult) Topic(n int) forum.TopicID { return h.Topics[n].ID }

// Comment returns the id of the nth comment.
func (h *ImportResult) Comment(n int) forum.CommentID { return h.Comments[n].ID }

// ImportAll imports the site "old" as the importer does: three members, two of whom have the same name
// there; a topic of the first with comments, one of the ghost, one that was locked and pinned there, one of the
// second member.
func (x *Site) ImportAll(s *store.Store) (h ImportResult, err error) {
	im := s.Import()
	if h.Rooms, err = x.ImportSections(im); err != nil {
		return h, err
	}
	members := []bulk.ImportUser{site.Member("old:7", "zoe"), site.Member("old:8", "yan"),
		site.Member("old:9", "zoe", "zoe-9", "zoe-99")}
	if h.Users, h.Created, err = im.Users(x.Ctx, members, strings.ToLower); err != nil {
		return h, err
	}
	c, d := h.Rooms.Categories["old:c"], h.Rooms.Categories["old:d"]
	topics := []posts.NewTopic{site.ImportedTopic("old:1", h.Users[0], c), site.ImportedTopic("old:2", 0, c),
		site.ImportedTopic("old:3", h.Users[1], d), site.ImportedTopic("old:4", h.Users[1], d)}
	topics[0].Clicks, topics[2].Locked, topics[2].PinnedCategory = 40, true, site.ImportedAt+5
	if h.Topics, err = im.Topics(x.Ctx, topics); err != nil {
		return h, err
	}
	one := site.ImportedReply("old:11", h.Users[1], h.Topic(0), 0)
	one.Mentions = forum.Mentions{{Fold: "zoe", User: h.Users[0]}}
	replies := []bulk.NewReply{one, site.ImportedReply("old:12", h.Users[2], h.Topic(1), 0)}
	if h.Comments, err = im.Comments(x.Ctx, replies); err != nil {
		return h, err
	}
	again := []bulk.NewReply{site.ImportedReply("old:13", 0, h.Topic(0), h.Comment(0)),
		site.ImportedReply("old:14", h.Users[0], h.Topic(1), h.Comment(1))}
	more, err := im.Comments(x.Ctx, again)
	if err != nil {
		return h, err
	}
	h.Comments = append(h.Comments, more...)
	return h, im.Publish(x.Ctx, h.Topics, h.Comments, append(replies, again...))
}

// ImportSections imports a tab of two categories.
func (x *Site) ImportSections(im *bulk.Import) (bulk.Sections, error) {
	sections, err := im.Sections(x.Ctx)
	if err != nil {
		return sections, err
	}
	for source, name := range map[string]string{"old:c": "Old", "old:d": "Other"} {
		if sections.Categories[source] == 0 {
			if _, err := im.Category(x.Ctx, sections, source, name, strings.ToLower(name), "of old"); err != nil {
				return sections, err
			}
		}
	}
	if sections.Tabs["old:t"] == 0 {
		if _, err := im.Tab(x.Ctx, sections, "old:t", "Archive", "archive"); err != nil {
			return sections, err
		}
	}
	for _, source := range []string{"old:c", "old:d"} {
		if err := im.AddToTab(x.Ctx, sections, "old:t", source); err != nil {
			return sections, err
		}
	}
	return sections, nil
}
