package demo

import (
	"math"
	"slices"

	"agora/internal/forum"
)

// statusSpan is the age of the oldest status in days.
const statusSpan = 12

// statusSeeds are the texts of statuses, in the language of their author.
var statusSeeds = []struct {
	tongue, text string
	tags         []string
}{
	{"", "Tea first, then the pager. ☕", nil},
	{"", "Renamed a key in production. The site is still up; my pulse is not.", []string{"Redis"}},
	{"", "Three trains, two buses, one ferry. I am home and the cat pretends not to know me.", []string{"travel"}},
	{"", "The bug was a time zone. It is always a time zone.", nil},
	{"", "Found my old notes on sorted sets. 2014 me had nicer handwriting.", []string{"Redis"}},
	{"", "Sourdough number nine: **edible**.", []string{"recipes"}},
	{"", "Reading other people's schemas on a rainy Sunday. No regrets.", []string{"GraphQL"}},
	{"", "Somebody left a piano in the stairwell, with a note: *please play before nine*.", []string{"music"}},
	{"", "Deleted 1,400 lines today. Nobody noticed, which is the point.", nil},
	{"", "Looking for two more for a long board game on Saturday. Snacks exist.", []string{"games"}},
	{"", "`go test ./...` on a train through eleven tunnels. Cached, luckily.", []string{"Go"}},
	{"", "First frost on the balcony; the mint has opinions about that.", nil},
	{"", "Wrote the release notes before the release, for once. It was shorter.", nil},
	{"", "The good pen is back. It was in the other jacket since March.", nil},
	{"zh", "楼下的面馆搬走了，今天只好自己煮。味道一般，心情还行。", nil},
	{"zh", "新茶到了，先泡一壶再写代码。", []string{"茶"}},
	{"zh", "地铁上有人在看纸书，忍不住多看了两眼书名。", nil},
	{"ja", "朝の散歩で金木犀。もうそんな季節。🍂", nil},
	{"ja", "積読が一冊減って、三冊増えた。", nil},
	{"ru", "Первый снег, а зимние ботинки ещё у сапожника.", nil},
	{"ru", "Починил тест, который падал только по пятницам. Теперь боюсь понедельника.", []string{"testing"}},
	{"ar", "قهوة ثقيلة وكتاب خفيف، هذا برنامج المساء.", nil},
	{"ar", "مشيت ساعة بلا هاتف. المدينة أجمل مما أذكر.", nil},
	{"he", "בישלתי מרק לשבוע שלם. הוא נגמר ביום שני.", nil},
}

// addStatuses adds short messages, most of them from the last days.
func (b *builder) addStatuses() {
	seeds := slices.Clone(statusSeeds)
	b.rng.Shuffle(len(seeds), func(i, j int) { seeds[i], seeds[j] = seeds[j], seeds[i] })
	for i, s := range seeds {
		left := (float64(len(seeds)-i) - b.rng.Float64()) / float64(len(seeds))
		b.data.Statuses = append(b.data.Statuses, Status{
			Author: b.speaker(s.tongue), Content: s.text, Tags: s.tags,
			CreatedAt: b.ago(statusSpan*math.Pow(left, 1.6)) - forum.Time(newest),
		})
	}
}
