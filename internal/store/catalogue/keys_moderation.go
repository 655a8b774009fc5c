package catalogue

import (
	"slices"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

var actKeys = []Kind{
	{Name: "act", Type: Hash, Object: OfPartition, Keys: []Pattern{{key.Act(id),
		"the act", ""}}},
	{Name: "act-posts", Type: ZSet, Object: OfActPosts, Life: key.ActPostsLife, Keys: []Pattern{{key.ActPosts(id),
		"posts of HIDE_POSTS: `t<id>`, `c<id>` by place, from 1",
		"1,000; 90 days and 1 h after the act"}}},
	{Name: "moderation-log", Type: ZSet, Object: OfSite, Keys: []Pattern{{
		all(key.ModerationLog, key.ModerationLogOf("<act>")),
		"all acts, and those of a kind: members as in indexes, by time", ""}}},
	{Name: "rules", Type: Hash, Object: OfSite, Keys: []Pattern{{key.Rules,
		"as `UpdateRulesInput`; `sees:<category>`: who does, `groups:<category>`: of which groups, `epoch:<category>`: how often that changed, " +
			"`epochs`: of all; " +
			"`posts:<category>`, `replies:<category>`: who may; `blocklist`: its number of changes", ""}}},
}

var reportKeys = slices.Concat(reports("topic", forum.Subject{Topic: id}, OfTopic),
	reports("comment", forum.Subject{Comment: id}, OfComment), reports("user", forum.Subject{User: id}, OfUser), []Kind{
		{Name: "queue", Type: ZSet, Object: OfSite, Keys: []Pattern{{
			all(key.Queue("<state>", 0), key.Queue("<state>", category)),
			"cases in a state (`open`, `upheld`, `dismissed`): `t<id>`, `u<id>`, `c<id>:<topic>` by time of " +
				"the last report, or resolution", ""}}},
		{Name: "queue-revisions", Type: Hash, Object: OfSite, Keys: []Pattern{{key.QueueRevisions,
			"member → `" + QueueRow.Shape + "`, written last", ""}}},
		{Name: "queue-events", Type: Stream, Object: OfSite, Life: forum.StreamLife, Export: LeftOut,
			Keys: []Pattern{{key.QueueEvents,
				"as `{ix:front}:ev`, of open cases: `m`: subject id, of a comment + 2³¹ × topic id, of a user " +
					"+ 2⁶², `o`: category",
				"about 256"}}},
		{Name: "blocklist", Type: ZSet, Object: OfSite, Keys: []Pattern{{all(key.Words, key.Domains),
			"blocked words, folded, and ASCII domains, by time of adding",
			"1,000 each"}}},
		{Name: "posted-text", Type: String, Object: OfSite, Life: forum.DuplicateLife + forum.ExpiryGrace,
			Export: LeftOut,
			Keys: []Pattern{{key.PostedText("<hash>"),
				"`" + TakenRow.Shape + "` of the new member who posted a text first; `<hash>`: of the folded text",
				"2 h"}}},
	})

// reports are the keys of a subject that is reported.
func reports(name string, subject forum.Subject, of Object) []Kind {
	return []Kind{
		{Name: name + "-reporters", Type: ZSet, Object: of, Keys: []Pattern{{key.Reporters(subject),
			"user id by number of the report, from 1", ""}}},
		{Name: name + "-reports", Type: Hash, Object: of, Keys: []Pattern{
			{key.Case(subject), "see below", ""},
			{key.Reports(subject), "reporter → `" + ReportRow.Shape + "`", ""},
			{key.Evidence(subject),
				"copies: number → a line `" + EvidenceRow.Shape + "`, lines with title or name, link or " +
					"website, login, picture, tags (tabs between), then text or bio; 64 KiB",
				"5; 90 days after the last or the end of the case, 30 for hasty edits or deletions"},
		}},
	}
}
