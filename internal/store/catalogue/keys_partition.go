package catalogue

import (
	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

var partitionKeys = []Kind{
	{Name: "feed", Type: ZSet, Object: OfFeed, Export: LeftOut, Keys: []Pattern{{
		all(key.Feed(key.PartitionPrefix(partition)), key.Feed("{cat}:"), key.Feed("{mod}:")),
		"objects with changes that some consumer has not handled, such as `t:519`; for a word with entries of " +
			"its own `t:519 TAGS:7 12`, where 12 is the number; score number",
		"until all consumers have handled it"}}},
	{Name: "consumers", Type: Hash, Object: OfFeed, Export: LeftOut, Keys: []Pattern{{
		all(key.Consumers(key.PartitionPrefix(partition)), key.Consumers("{cat}:"), key.Consumers("{mod}:")),
		"`seq`: the last number of a change in the slot; `kinds`: the letters of the objects that anybody " +
			"follows, capital ones for words with entries of their own only; letters and name of each consumer, " +
			"such as `ct:search` → `" + ConsumerRow.Shape + "`, see below",
		"only while there are consumers"}}},
	{Name: "feed-aside", Type: Hash, Object: OfFeed, Export: LeftOut, Keys: []Pattern{{
		all(key.Aside(key.PartitionPrefix(partition), "<consumer>"), key.Aside("{cat}:", "<consumer>"),
			key.Aside("{mod}:", "<consumer>")),
		"objects whose changes a consumer could not handle: name → `" + AsideRow.Shape + "`: when it tries " +
			"again, how often it did, since when; the changes, as `<number>:<word>` with commas between; what " +
			"went wrong",
		"100; empty at rest"}}},
	{Name: "fences", Type: Hash, Object: OfRemoved, Keys: []Pattern{{key.HomeFence(partition, hour),
		"fences of an hour (Unix hours): what the partition's homes refuse: topic id → `d` if it was deleted, " +
			"otherwise the revision below which its states are out of date",
		"3 h after the beginning of the hour"}}},
	{Name: "sequence", Type: String, Object: OfPartition, Keys: []Pattern{{key.Sequence(partition),
		"last number issued, to a user, topic, comment, list of users or act; id = number × 256 + partition",
		"ids end at 2,147,483,647; then creating fails"}}},
	{Name: "stats", Type: Hash, Object: OfPartition, Keys: []Pattern{{key.Stats(partition),
		"`users` active, `topics` open, `comments` live in open topics", ""}}},
	{Name: "work", Type: ZSet, Object: OfPartition, Keys: []Pattern{
		{key.Dirty(partition),
			"dirty marks: `t:<id>`, `c:<id>`, `u:<id>`, `m:<id>`, `r:<subject>` (such as `r:t519`: its " +
				"reports), whose data in other slots may be out of date; score time of the first change since " +
				"it was clean",
			"empty at rest"},
		{key.Hidden(partition),
			"`t:<id>`, `c:<id>`: hidden posts, and held ones that were refused; score time of hiding. " +
				"`e:<subject>`: subjects with evidence; score time of the last copy (60 days earlier if its " +
				"cause is a hasty edit or deletion), or of closing the case",
			"90 days: then a worker erases it, unless it is evidence of an open case"},
		{key.Due(partition),
			"tasks by name, score time from which they may be claimed (of one in progress the end of its lease)",
			"empty at rest"},
		{key.Dead(partition),
			"tasks given up after 20 attempts without progress, score time of giving up",
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
			"`1`: further clicks of the visitor, `u<user>` or 16 digits of the pseudonym of the address, do not " +
				"count",
			"600 s, by Redis's clock"}}},
	{Name: "external", Type: String, Object: OfExternal, Keys: []Pattern{{key.External("<source>"),
		"who has an account at an issuer, as a record below; outlives the user's account, so that no other is " +
			"made. `<source>` is a hash of the claims iss and sub",
		""}}},
	{Name: "source", Type: String, Object: OfSource, Keys: []Pattern{{key.Source(partition, "", hashed),
		"what an imported record became, likewise", ""}}},
}
