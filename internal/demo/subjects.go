package demo

// subject is a category with its texts.
type subject struct {
	name, description string
	talk              *talk
	seeds             []seed
}

// seed is the content of a topic.
type seed struct {
	title, body string
	// about refers to the topic in the middle of a sentence.
	about string
	// says are replies that only fit this topic.
	says []string
	// talk is the texts of other replies; nil means the subject's.
	talk *talk
	// size is the number of comments; 0 means any.
	size   int
	html   bool
	link   string
	number int64
}

// t returns a seed.
func t(title, about, body string, says ...string) seed {
	return seed{title: title, about: about, body: body, says: says}
}

// sized sets the number of comments.
func (s seed) sized(n int) seed { s.size = n; return s }

// in sets the texts, for a topic in another language than its category's.
func (s seed) in(k *talk) seed { s.talk = k; return s }

// asHTML marks the body as HTML.
func (s seed) asHTML() seed { s.html = true; return s }

// Indexes of the categories to which tabs and articles refer.
const (
	inNone        = -1
	inProgramming = iota - 1
	inRedis
	inGo
	inGraphQL
	inDatabases
	inWordPress
	inQuestions
	inCooking
	inTravel
	inLanguages
	inCity
	inCreative
	inGames
	inArabic
)

// subjects returns the categories in the order of their indexes.
func subjects() []subject {
	return []subject{
		{"Programming", "Code, tools, reviews, careers: whatever programmers talk about over lunch.", &programmingTalk,
			programmingSeeds},
		{"Redis", "Data structures, scripts, clusters and the art of naming keys. 🟥", &redisTalk, redisSeeds},
		{"Go", "The language with the gopher: idioms, the standard library, performance.", &goTalk, goSeeds},
		{"GraphQL", "Schemas, resolvers, clients, and the questions that come back every month.", &graphqlTalk, graphqlSeeds},
		{"Databases", "Relational, document, time series: schemas, indexes, migrations, backups.", &databaseTalk,
			databaseSeeds},
		{"WordPress", "Themes, plugins, hosting and writing with WordPress.", &wordpressTalk, wordpressSeeds},
		{"Q&A", "Ask anything that has an answer. Say thanks when you get one.", &questionTalk, questionSeeds},
		{"Cooking", "What we cook, what went wrong, and what to do with the leftovers.", &cookingTalk, cookingSeeds},
		{"Travel", "Trains, trails, small towns, and how to pack less.", &travelTalk, travelSeeds},
		{"语言", "学语言、教语言、聊语言。Learning languages, in any language.", &languageTalk, languageSeeds},
		{"城市生活", "租房、通勤、吃喝、散步：住在城市里的大小事。", &cityTalk, citySeeds},
		{"Creative", "Photography, music, drawing, type: show what you made.", &creativeTalk, creativeSeeds},
		{"Games", "Board games, video games, puzzles, and rules nobody reads.", &gameTalk, gameSeeds},
		{"بالعربية", "نقاشات بالعربية: تقنية وقراءة وقهوة.", &arabicTalk, arabicSeeds},
	}
}

func (b *builder) addSubjects() {
	all := make([]int, 0, len(subjects()))
	for i, s := range subjects() {
		b.data.Categories = append(b.data.Categories, Category{Name: s.name, Description: s.description})
		all = append(all, i)
		for _, seed := range s.seeds {
			if seed.talk == nil {
				seed.talk = s.talk
			}
			b.entries = append(b.entries, entry{seed: seed, category: i})
		}
	}
	for _, a := range articleSeeds {
		b.entries = append(b.entries, entry{seed: a.seed, category: a.category})
	}
	b.data.Tabs = []Tab{
		{Name: "Tech", Categories: []int{inProgramming, inRedis, inGo, inGraphQL, inDatabases, inWordPress}},
		{Name: "Creative", Categories: []int{inCreative, inWordPress, inCooking}},
		{Name: "Play", Categories: []int{inGames, inTravel, inCooking, inCity}},
		{Name: "Q&A", Categories: []int{inQuestions, inLanguages, inProgramming}},
		{Name: "All", Categories: all},
	}
}
