package demo

import (
	"strings"

	"agora/internal/forum"
)

// maxTags is the maximum number of tags of a demo topic.
const maxTags = 5

// tag is a tag, and the words in a topic's title or text that imply it.
type tag struct {
	name     string
	words    []string
	followed bool
}

// addTags gives each topic the tags that its words call for.
func (b *builder) addTags() {
	for i := range b.data.Topics {
		topic := &b.data.Topics[i]
		said := " " + strings.ToLower(topic.Title+" "+topic.Content) + " "
		for _, t := range b.texts.tags {
			for _, w := range t.words {
				if strings.Contains(said, w) && len(topic.Tags) < maxTags {
					topic.Tags = append(topic.Tags, t.name)
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
