package demo

var databaseTalk = talk{
	tongue: &english, most: 28,
	points: []string{
		"`EXPLAIN (ANALYZE, BUFFERS)` before any opinion. Ours showed {nn}0,000 rows where the planner had expected {n}.",
		"Composite index: equality columns first, the range last. That one rule has fixed {n} tickets for me this year.",
		"We partition by month and drop whole partitions. Deleting rows took {n} hours, dropping takes {ms} ms.",
		"Backups are a rumour until restored. We restore every {n} weeks into a scratch machine.",
		"Migrations in three steps: add, write both, remove. Boring, and nobody is paged.",
		"UUIDs as primary keys are fine if they are ordered by time. Random ones cost us {pct}% of the insert rate.",
		"SQLite in WAL mode carries our whole intranet: {nn} users, {mem}, zero administration.",
		"Connection pools: smaller than you think. {nn} connections on 16 cores beat {nn}0.",
		"Store money as integers and the currency next to it.",
		"A foreign key is documentation that the database enforces. I add them even in prototypes.",
		"Never ORDER BY without a tie-breaker when you page. We had topics that were on two pages and topics on none.",
		"Read replicas lag. Ours by {ms} ms usually and by {n} minutes on the day it mattered.",
		"Soft deletes make every query lie a little. We move rows to an archive table instead.",
		"Full-text search in {tool} got us through the first {n} years. The search cluster came much later.",
		"`jsonb` for what you do not query, columns for what you do.",
		"An index that nobody uses still costs every write. We dropped {nn} of them, and inserts got {pct}% faster.",
		"Lock timeouts before `ALTER TABLE`, always. Otherwise your harmless change queues up behind a report, and everyone behind you.",
		"Denormalise counters, but have a job that recounts at night and complains about differences.",
		"We keep the schema in one SQL file, generated after each migration. Reviews got much better.",
		"Time series: compress early. {mem} went down to a tenth, and queries became faster, too.",
	},
	questions: []string{
		"What does the plan look like, {parent}?", "How many rows, and how many of them are hot?", "Which isolation level are you on?", "When did you last restore a backup of that?",
		"Is the index larger than memory?", "Could that be a constraint instead of code?", "Does it have to be the primary, or would a replica do?",
	},
	snippets: []string{
		"```sql\nSELECT id, title\n  FROM topics\n WHERE (last_active, id) < ($1, $2)\n ORDER BY last_active DESC, id DESC\n LIMIT 30;\n```",
		"```sql\nSET lock_timeout = '2s';\nALTER TABLE users ADD COLUMN locale text;\n```",
		"| question | index |\n|---|---|\n| by author, newest first | `(author_id, created_at)` |\n| by tag | a join table, both ways |\n| by anything | a search engine |",
		"```sh\nsqlite3 app.db \"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;\"\n```",
	},
}

var databaseSeeds = []seed{
	t("SQLite in production: who does it?", "SQLite in production", "One server, 200 users, 3 GB. I am about to replace a managed PostgreSQL with a file. Talk me out of it or cheer me on.", "Doing it since 2021. Copying the database for a bug report is a joy.", "One writer at a time. If that is fine, everything is fine."),
	t("The migration that locked everything for nine minutes", "locking migrations", "Adding a column with a default used to rewrite the table; on our version it still did. Nine minutes of 503. What is in your pre-flight list?", "Timeout on the lock, a copy of production to rehearse, somebody awake."),
	t("UUIDv4, UUIDv7, ULID or plain integers?", "choosing keys", "Needs: made by several writers, in URLs, roughly sorted by time. I lean towards v7, but the creation time is visible in it. Does that ever matter?", "It does if the URL is the secret. It should not be the secret."),
	t("How do you explain isolation levels to juniors?", "isolation levels", "I use two people who book the last seat on a plane, and a third who counts seats. Everything else, *phantoms* included, can be acted out with chairs. 🪑", "I act it out too! With chocolate. Attention is guaranteed."),
	t("数据库选型：MySQL 还是 PostgreSQL，2025 年版", "数据库选型", "新项目，五张核心表，将来要做地理位置查询。公司传统是 MySQL，我想用 PostgreSQL。怎么说服运维？", "让运维先跑一遍备份恢复，他们满意了就都满意了。", "地理位置查询一条理由就够了。").in(&zhTechTalk),
	t("Counting is hard: approximate totals in the UI", "approximate counts", "`SELECT count(*)` takes four seconds. We now show 'about 12,000' from the statistics, and no user has complained. One thanked us.\n\n```sql\nSELECT reltuples::bigint AS about\n  FROM pg_class\n WHERE oid = 'orders'::regclass;\n```"),
	t("Event sourcing, three years in", "event sourcing", "Loved: replaying a bug. Hated: renaming anything. Would do it again for the ledger, never again for user profiles.", "That last sentence should be printed on T-shirts."),
	t("Which column order do you use?", "column order", "Fixed-width first saves padding; related columns together helps people. On 80 million rows the former saved us 4 GB."),
	t("Резервные копии: как вы проверяете восстановление?", "проверка копий", "Копии делаем каждую ночь, восстанавливали один раз, в прошлом году. Понимаю, что этого мало. Есть ли у кого-нибудь полностью автоматическая проверка?", "Раз в неделю поднимаем копию в контейнере и гоняем десять запросов с известными ответами.").in(&russianTalk),
	t("ORM, query builder or SQL?", "ORMs", "Fifteen years, and I have used all three. Now: SQL in files, types generated from it. Reviewers see what the database sees.", "ORM for the CRUD screens, SQL for the five queries that matter."),
	t("Time zones in the schema", "time zones in tables", "`timestamptz` stores no time zone, as its name does not say. For appointments in the future we keep local time *and* the zone name. Anything else broke when a country changed its rules.", "Upvoted from a country that changed its rules with two weeks' notice."),
	t("Your most useful view", "views", "Ours: `stale_orders`, seven lines, open on a screen in the office. It made more difference than the data warehouse."),
	t("Do you encrypt columns?", "column encryption", "Disk encryption protects against thieves with screwdrivers. For the passport numbers we want more. Keys in a vault, one per customer, so that deleting the key deletes the data?", "That is called crypto-shredding, and auditors love it."),
}
