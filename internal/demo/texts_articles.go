package demo

// articleSeed is a posted link.
type articleSeed struct {
	seed
	// category is inNone for articles without a category.
	category int
}

// link returns an article.
func link(category int, k *talk, url, title, about, body string, says ...string) articleSeed {
	s := t(title, about, body, says...).in(k)
	s.link = url
	return articleSeed{s, category}
}

var articleSeeds = []articleSeed{
	link(inRedis, &redisTalk, "https://redis.io/docs/latest/develop/data-types/", "The data types of Redis on one page",
		"the data types", "The overview that I send to every new colleague. Read it with a terminal next to it.",
		"The page on streams linked from there is worth an evening of its own."),
	link(inRedis, &redisTalk, "https://redis.io/docs/latest/operate/oss_and_stack/management/persistence/",
		"Persistence in Redis: what you may lose, and when", "persistence",
		"Clear words about AOF and snapshots. I had one of the defaults wrong for years."),
	link(inRedis, &redisTalk, "https://example.com/posts/voting-with-sorted-sets",
		"Ranking posts by votes and age with one sorted set", "ranking by votes",
		"Score = time + votes × a constant, and the list sorts itself. The part on *why* that constant is good.",
		"432 seconds per vote, if 200 votes should last for a day. Neat."),
	link(inGo, &goTalk, "https://go.dev/blog/", "The Go blog: where to begin if you are new", "the Go blog",
		"A reading order for the older posts, many of which are still the best explanation there is.",
		"The one on slices should be required reading."),
	link(inGo, &goTalk, "https://go.dev/doc/effective_go", "Re-reading Effective Go after ten years", "Effective Go",
		"What aged well, what did not, and which habits I can trace back to it."),
	link(inGraphQL, &graphqlTalk, "https://graphql.org/learn/pagination/", "Pagination in GraphQL, from the source",
		"pagination", "Why connections look the way they do. Short, and settles most arguments in our team."),
	link(inGraphQL, &graphqlTalk, "https://spec.graphql.org/", "Reading the GraphQL specification for fun",
		"the specification", "It is shorter than you think. The section on execution explains half of the odd behaviours that people ask about here.", "Section 6 with a coffee. I did not expect to enjoy that."),
	link(inDatabases, &databaseTalk, "https://sqlite.org/whentouse.html", "When to use SQLite, and when not to",
		"SQLite's limits", "The project itself tells you honestly when to take something else.",
		"If only every project had such a page."),
	link(inDatabases, &databaseTalk, "https://www.postgresql.org/docs/current/using-explain.html",
		"How to read a query plan", "query plans", "The chapter of the manual that paid my rent this year."),
	link(inProgramming, &programmingTalk, "https://example.org/essays/boring-code", "In praise of boring code",
		"boring code", "An essay on code that nobody notices, because it simply goes on working.",
		"Boring code needs interesting tests."),
	link(inProgramming, &programmingTalk, "https://git-scm.com/book/en/v2",
		"The Git book has a chapter on internals. Start there", "Git's internals",
		"Blobs, trees, commits: afterwards all the commands make sense."),
	link(inWordPress, &wordpressTalk, "https://wordpress.org/documentation/",
		"WordPress documentation for people who only want to write", "the documentation",
		"The writers' part is good and well hidden. Direct link."),
	link(inCooking, &cookingTalk, "https://example.com/kitchen/bread-in-a-pot",
		"Bread in a pot, explained with drawings", "pot bread",
		"Eleven drawings, no photos, no story of anybody's childhood above the recipe. 🍞",
		"The absence of a childhood story convinced me."),
	link(inTravel, &travelTalk, "https://example.org/trains/slowest", "A map of the slowest railway lines",
		"slow railways", "Drawn by a volunteer, sorted by average speed. Number three goes past my house."),
	link(inNone, &programmingTalk, "https://unicode.org/emoji/charts/full-emoji-list.html",
		"The full list of emoji, including the sequences", "emoji sequences",
		"Test data for everybody who counts characters: 👨‍👩‍👧‍👦 🏴‍☠️ 🧑🏽‍🚒",
		"Our name field survived all but one. The one is fixed now."),
	link(inNone, &questionTalk, "https://example.com/repair/cafe-guide", "How to start a repair café in your town",
		"repair cafés", "A checklist from people who have run one for nine years, from insurance to cake.",
		"The cake is in the budget. Correct."),
	link(inNone, &creativeTalk, "https://example.org/maps/hand-drawn", "A collection of hand-drawn maps",
		"hand-drawn maps", "From the way to a bakery to a whole island. One could get lost in it for an evening.",
		"The one with the dog who 'may or may not be there'!"),
	link(inNone, &languageTalk, "https://example.com/alphabet/quiz", "Guess the script: a quiz with forty alphabets",
		"scripts", "I got 29. Georgian and Armenian still look alike to me before coffee.", "31! I guessed the last four."),
	link(inCity, &cityTalk, "https://example.com/cities/benches", "给城市的长椅做一张地图", "长椅地图",
		"有人花两年走遍全城，记录了三千多张长椅：有没有靠背，有没有树荫。看得我也想出门坐坐。🪑", "靠背和树荫，缺一不可。"),
	link(inNone, &gameTalk, "https://example.org/games/one-page", "Twelve games that fit on one page", "one-page games",
		"Print, fold, play. Number seven works in a queue.", "Number four needs two pencils and a grudge."),
}
