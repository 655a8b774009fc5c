package demo

import (
	"strings"

	"agora/internal/forum"
)

// maxTags is the maximum number of tags of a demo topic.
const maxTags = 5

// tagWords are the tags, and the words in a topic's title or text that imply them.
var tagWords = []struct {
	tag   string
	words []string
}{
	{"Redis", []string{"redis", "zset", "sorted set"}},
	{"Go", []string{"goroutine", "golang", " go ", "go 1.", "gopher"}},
	{"GraphQL", []string{"graphql", "resolver", "dataloader", "schema"}},
	{"databases", []string{"postgres", "sqlite", "mysql", "database", "index"}},
	{"performance", []string{"slow", "fast", "latency", "benchmark", "profil", "cache"}},
	{"testing", []string{"test", "ci ", "fuzz"}},
	{"security", []string{"password", "token", "auth", "secur"}},
	{"WordPress", []string{"wordpress", "plugin", "theme"}},
	{"beginners", []string{"how do i", "how do you", "first ", "learn", "new to"}},
	{"tools", []string{"editor", "terminal", "tool", "keyboard"}},
	{"recipes", []string{"recipe", "bread", "tea", "soup", "noodle", "rice", "coffee"}},
	{"travel", []string{"train", "trip", "hotel", "flight", "walk", "bike"}},
	{"music", []string{"music", "song", "guitar", "piano"}},
	{"games", []string{"game", "chess", "puzzle"}},
	{"茶", []string{"茶"}},
	{"中文", []string{"的", "吗"}},
	{"عربي", []string{"في", "من"}},
}

// addTags gives each topic the tags that its words call for.
func (b *builder) addTags() {
	for i := range b.data.Topics {
		topic := &b.data.Topics[i]
		said := " " + strings.ToLower(topic.Title+" "+topic.Content) + " "
		for _, t := range tagWords {
			for _, w := range t.words {
				if strings.Contains(said, w) && len(topic.Tags) < maxTags {
					topic.Tags = append(topic.Tags, t.tag)
					break
				}
			}
		}
	}
}

// votedTopics is how many of the newest topics members have voted on.
const votedTopics = 40

// addVotes adds votes on the newest topics, mostly upvotes.
func (b *builder) addVotes() {
	n := len(b.data.Topics)
	for t := n - min(n, votedTopics); t < n; t++ {
		if topic := b.data.Topics[t]; topic.Kind == forum.Article && b.now-topic.CreatedAt > forum.VotingWindow-hour {
			continue
		}
		for u := range b.data.Users {
			if u != b.data.Topics[t].Author && b.chance(0.15) {
				b.data.Votes = append(b.data.Votes, Vote{User: u, Topic: t, Against: b.chance(0.2)})
			}
		}
	}
}
