package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/bench/dataset"
	"agora/bench/document"
	"agora/bench/subject"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/sessions"
)

const (
	// maxClients is the most clients: each has its own session.
	maxClients = 256
	// topicsPerClient is how many topics each client replies to in turn; together they cover all partitions.
	topicsPerClient = 2
	// frontTopics and frontComments are the sizes of the front page's lists.
	frontTopics, frontComments = 20, 5
	// sessionLife is how long the clients stay signed in.
	sessionLife = 24 * time.Hour
)

// content is the text of all replies and posts.
const content = "A reply of ordinary length: it agrees with the topic, adds *one* thought, and ends before anybody " +
	"is bored."

// site is a forum with the requests to send.
type site struct {
	conn  *redis.Client
	store *store.Store
	data  *dataset.Data
	// Of each client: a token, and the topics it replies to.
	tokens []string
	topics [][]forum.TopicID
	// votes is how many votes were cast: each is another one.
	votes int
}

// newSite fills the database at url.
func newSite(ctx context.Context, url string, p dataset.Plan, clients int, progress func(int)) (*site, error) {
	conn, err := subject.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	s := &site{conn: conn}
	if s.store, err = store.Open(ctx, store.Over(conn), store.Layout{}); err == nil {
		if s.data, err = dataset.Seed(ctx, s.store, p, progress); err == nil {
			err = s.signIn(ctx, clients)
		}
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *site) close() {
	if s.store != nil {
		s.store.Close()
	}
	s.conn.Close()
}

// signIn creates a session for each client, and selects topics to reply to.
func (s *site) signIn(ctx context.Context, clients int) error {
	for c := range clients {
		user := s.data.Users[c%len(s.data.Users)]
		token, err := auth.NewToken(user)
		if err != nil {
			return err
		}
		err = s.store.Sessions.StartSession(
			ctx,
			sessions.NewSession{User: user, Digest: token.Digest(),
				Ends: s.store.Engine.Now() + forum.Time(sessionLife.Milliseconds())},
		)
		if err != nil {
			return err
		}
		s.tokens = append(s.tokens, token.String())
		var topics []forum.TopicID
		for n := range topicsPerClient {
			topics = append(topics, s.replyTopic(c*topicsPerClient+n))
		}
		s.topics = append(s.topics, topics)
	}
	return nil
}

// replyTopic returns a topic to reply to: not one of the latest, which are on the front page, nor the long one.
func (s *site) replyTopic(n int) forum.TopicID {
	all := s.data.Topics[:max(len(s.data.Topics)-2*frontTopics, 1)]
	id := all[n*17%len(all)]
	if id == s.data.Long {
		id = all[(n*17+1)%len(all)]
	}
	return id
}

// requests returns the HTTP requests for a document, by client and number.
func (s *site) requests(d document.Document, clients int) func(client, n int) []byte {
	var each [][][]byte
	switch d.Name {
	case document.Reply.Name:
		for c := range clients {
			var of [][]byte
			for _, topic := range s.topics[c] {
				of = append(of, post(document.Body(d, document.ReplyVariables(topic, content)), s.tokens[c]))
			}
			each = append(each, of)
		}
	case document.Post.Name:
		for c := range clients {
			category := s.data.Categories[c%len(s.data.Categories)]
			each = append(
				each,
				[][]byte{
					post(
						document.Body(d, document.PostVariables(category, fmt.Sprint("A topic by client ", c), content)),
						s.tokens[c],
					),
				},
			)
		}
	case document.Topics.Name:
		return s.drawn(d)
	default:
		for c := range clients {
			token := ""
			if d.SignedIn {
				token = s.tokens[c]
			}
			var all [][]byte
			for _, v := range s.variables(d) {
				all = append(all, post(document.Body(d, v), token))
			}
			each = append(each, all)
		}
	}
	return func(client, n int) []byte {
		of := each[client%len(each)]
		return of[(client+n)%len(of)]
	}
}

const (
	// drawnTopics is how many topics are drawn from, draws how many draws there are before they repeat.
	drawnTopics, draws = 10_000, 1 << 16
	// zipf is the exponent: with it, the tenth part of the topics gets four fifths of the requests.
	zipf = 1.1
)

// drawn returns requests for topics that are drawn by Zipf's law, the same ones in each run.
func (s *site) drawn(d document.Document) func(client, n int) []byte {
	topics := s.data.Topics[max(len(s.data.Topics)-drawnTopics, 0):]
	random := rand.New(rand.NewPCG(1, 2))
	ranks := random.Perm(len(topics))
	law := rand.NewZipf(random, zipf, 1, uint64(len(topics)-1))
	bodies, order := make([][]byte, len(topics)), make([]uint64, draws)
	for i := range order {
		order[i] = law.Uint64()
	}
	for rank, i := range ranks {
		bodies[rank] = post(document.Body(d, document.TopicVariables(topics[i], s.data.After)), "")
	}
	return func(client, n int) []byte {
		return bodies[order[(client*draws/maxClients+n)%draws]]
	}
}

// variables returns the variables with which a reading document is sent, in turn.
func (s *site) variables(d document.Document) []map[string]any {
	switch d.Name {
	case document.Front.Name, document.FrontOwn.Name, document.FrontVoted.Name:
		return []map[string]any{document.FrontVariables(frontTopics, frontComments)}
	case document.Topic.Name, document.Topics.Name, document.TopicHTML.Name:
		return []map[string]any{document.TopicVariables(s.data.Long, s.data.After)}
	}
	return []map[string]any{nil}
}

// more returns further variables, for comparing answers only.
func (s *site) more(d document.Document) []map[string]any {
	var more []map[string]any
	switch d.Name {
	case document.Front.Name:
		for _, n := range [][2]int{{1, 1}, {50, 3}, {100, 10}} {
			more = append(more, document.FrontVariables(n[0], n[1]))
		}
	case document.Topic.Name, document.Topics.Name, document.TopicHTML.Name:
		for n := range 20 {
			more = append(more, document.TopicVariables(s.replyTopic(n), s.data.After))
		}
		more = append(more, document.TopicVariables(7, s.data.After))
	}
	return more
}
