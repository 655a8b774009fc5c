package catalogue

import (
	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

var partitionKeys = []Kind{
	{Name: "feed", Type: ZSet, Object: OfFeed, Export: LeftOut, Keys: []Pattern{{
		all(key.Feed(key.PartitionPrefix(partition)), key.Feed("{cat}:"), key.Feed("{mod}:")),
		"changes that a consumer has not handled, by number: the object, such as `t:519`, or with a word of " +
			"its own `t:519 TAGS:7 12` (12: the number)",
		"until all have handled it"}}},
	{Name: "consumers", Type: Hash, Object: OfFeed, Export: LeftOut, Keys: []Pattern{{
		all(key.Consumers(key.PartitionPrefix(partition)), key.Consumers("{cat}:"), key.Consumers("{mod}:")),
		"`seq`: last number of a change; `kinds`: letters of objects followed, capital for words of their own " +
			"only; a consumer's letters and name, such as `ct:search` → `" + ConsumerRow.Shape + "`, " +
			"see below",
		"while there are consumers"}}},
	{Name: "feed-aside", Type: Hash, Object: OfFeed, Export: LeftOut, Keys: []Pattern{{
		all(key.Aside(key.PartitionPrefix(partition), "<consumer>"), key.Aside("{cat}:", "<consumer>"),
			key.Aside("{mod}:", "<consumer>")),
		"set aside: object → `" + AsideRow.Shape + "`; changes are `<number>:<word>`, with commas",
		"100; empty at rest"}}},
	{Name: "fences", Type: Hash, Object: OfRemoved, Keys: []Pattern{{key.HomeFence(partition, hour),
		"what homes refuse, by Unix hour: topic → `d` if deleted, otherwise the first revision that is not outdated",
		"3 h after it began"}}},
	{Name: "sequence", Type: String, Object: OfPartition, Keys: []Pattern{{key.Sequence(partition),
		"last number given; id = number × 256 + partition",
		"ids end at 2,147,483,647"}}},
	{Name: "stats", Type: Hash, Object: OfPartition, Keys: []Pattern{{key.Stats(partition),
		"`users` active, `topics` open, `comments` live in open topics", ""}}},
	{Name: "work", Type: ZSet, Object: OfPartition, Keys: []Pattern{
		{key.Dirty(partition),
			"dirty marks `t:<id>`, `c:<id>`, `u:<id>`, `m:<id>`, `g:<id>` (groups of a user), `r:<subject>` " +
				"(reports, such as `r:t519`) by time",
			"empty at rest"},
		{key.Hidden(partition),
			"hidden and refused posts `t:<id>`, `c:<id>` by time; evidence `e:<subject>` by time of the last " +
				"copy (60 days earlier for hasty edits or deletions) or the end of the case",
			"90 days, but not evidence of an open case"},
		{key.Due(partition),
			"tasks by time from which they may be claimed",
			"empty at rest"},
		{key.Dead(partition),
			"tasks given up, by time",
			"until repaired"},
	}},
	{Name: "task", Type: Hash, Object: OfTask, Keys: []Pattern{{key.Task(partition, "<task>"),
		"see below", ""}}},
	{Name: "idempotency", Type: String, Object: OfIdem, Life: forum.IdempotencyLife + forum.ExpiryGrace,
		Keys: []Pattern{{key.Idempotency(partition, user, hashed),
			"`" + MadeRow.Shape + "`, see below",
			"25 h after the last call"}}},
	{Name: "click", Type: String, Object: OfClick, Life: forum.ClickLife, Export: LeftOut,
		Keys: []Pattern{{key.Click(topic, "<visitor>"),
			"`1`; `<visitor>`: `u<user>`, or 16 digits of the address's pseudonym",
			"600 s, by Redis's clock"}}},
	{Name: "external", Type: String, Object: OfExternal, Keys: []Pattern{{key.External("<source>"),
		"who has an account at an issuer, see below. `<source>`: hash of the claims iss and sub",
		""}}},
	{Name: "source", Type: String, Object: OfSource, Keys: []Pattern{{key.Source(partition, "", hashed),
		"what an imported record became, likewise", ""}}},
}
