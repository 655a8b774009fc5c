package catalogue

import (
	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

var partitionKeys = []Kind{
	{Name: "feed", Type: ZSet, Object: OfFeed, Export: LeftOut, Keys: []Pattern{{
		all(key.Feed(key.PartitionPrefix(partition)), key.Feed("{cat}:"), key.Feed("{mod}:")),
		"objects with changes that a consumer has not handled, such as `t:519`, or for a word with entries of its " +
			"own `t:519 TAGS:7 12` (12: the number), by number",
		"until all consumers have handled it"}}},
	{Name: "consumers", Type: Hash, Object: OfFeed, Export: LeftOut, Keys: []Pattern{{
		all(key.Consumers(key.PartitionPrefix(partition)), key.Consumers("{cat}:"), key.Consumers("{mod}:")),
		"`seq`: last number of a change in the slot; `kinds`: letters of the objects that anybody follows, " +
			"capital ones for words with entries of their own only; letters and name of a consumer, such as " +
			"`ct:search` → `" + ConsumerRow.Shape + "`, see below",
		"only while there are consumers"}}},
	{Name: "feed-aside", Type: Hash, Object: OfFeed, Export: LeftOut, Keys: []Pattern{{
		all(key.Aside(key.PartitionPrefix(partition), "<consumer>"), key.Aside("{cat}:", "<consumer>"),
			key.Aside("{mod}:", "<consumer>")),
		"objects whose changes a consumer could not handle: name → `" + AsideRow.Shape + "`: when it tries again, " +
			"tries so far, since when; changes as `<number>:<word>`, commas between; what went wrong",
		"100; empty at rest"}}},
	{Name: "fences", Type: Hash, Object: OfRemoved, Keys: []Pattern{{key.HomeFence(partition, hour),
		"what the partition's homes refuse, by Unix hour: topic id → `d` if deleted, otherwise the revision below " +
			"which its states are out of date",
		"3 h after the beginning of the hour"}}},
	{Name: "sequence", Type: String, Object: OfPartition, Keys: []Pattern{{key.Sequence(partition),
		"last number issued to a user, topic, comment, list of users or act; id = number × 256 + partition",
		"ids end at 2,147,483,647; then creating fails"}}},
	{Name: "stats", Type: Hash, Object: OfPartition, Keys: []Pattern{{key.Stats(partition),
		"`users` active, `topics` open, `comments` live in open topics", ""}}},
	{Name: "work", Type: ZSet, Object: OfPartition, Keys: []Pattern{
		{key.Dirty(partition),
			"dirty marks: `t:<id>`, `c:<id>`, `u:<id>`, `m:<id>`, `r:<subject>` (its reports, such as `r:t519`), " +
				"whose data in other slots may be out of date, by time of the first change since",
			"empty at rest"},
		{key.Hidden(partition),
			"`t:<id>`, `c:<id>`: hidden posts, and held ones that were refused, by time of hiding. `e:<subject>`: " +
				"subjects with evidence, by time of the last copy (60 days earlier if the cause is a hasty edit " +
				"or deletion), or of closing the case",
			"90 days, then erased, unless it is evidence of an open case"},
		{key.Due(partition),
			"tasks by time from which they may be claimed (in progress: the end of the lease)",
			"empty at rest"},
		{key.Dead(partition),
			"tasks given up after 20 attempts without progress, by time",
			"until repaired"},
	}},
	{Name: "task", Type: Hash, Object: OfTask, Keys: []Pattern{{key.Task(partition, "<task>"),
		"a task, see below", ""}}},
	{Name: "idempotency", Type: String, Object: OfIdem, Life: forum.IdempotencyLife + forum.ExpiryGrace,
		Keys: []Pattern{{key.Idempotency(partition, user, hashed),
			"what a call with an idempotency key did: `" + MadeRow.Shape + "`, see below",
			"25 h after the last such call (it counts for 24 h after the first)"}}},
	{Name: "click", Type: String, Object: OfClick, Life: forum.ClickLife, Export: LeftOut,
		Keys: []Pattern{{key.Click(topic, "<visitor>"),
			"`1`: further clicks of the visitor, `u<user>` or 16 digits of the address's pseudonym, do not count",
			"600 s, by Redis's clock"}}},
	{Name: "external", Type: String, Object: OfExternal, Keys: []Pattern{{key.External("<source>"),
		"who has an account at an issuer, see below; outlives the user. `<source>`: hash of the claims iss and sub",
		""}}},
	{Name: "source", Type: String, Object: OfSource, Keys: []Pattern{{key.Source(partition, "", hashed),
		"what an imported record became, likewise", ""}}},
}
