package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"

	"agora/graph"
	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/httpserver"
	"agora/internal/redistest"
	"agora/internal/store"

	"github.com/redis/go-redis/v9"
)

// site is the server with users and topics to reply to.
type site struct {
	b      *testing.B
	server *redistest.Server
	redis  *redis.Client
	store  *store.Store
	addr   string
	users  []forum.UserID
	tokens []string
	topics [][]forum.TopicID // of each client
}

const mutation = `mutation($i: CreateCommentInput!) { createComment(input: $i) { comment { id } errors { code } } }`

// content is the text of all replies.
const content = "A reply of ordinary length: it agrees with the topic, adds *one* thought, and ends before anybody is bored."

func newSite(b *testing.B, server *redistest.Server) *site {
	b.Helper()
	s := &site{b: b, server: server, redis: client(b, server)}
	var err error
	if s.store, err = store.Open(background, s.redis, store.Layout{}); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(s.store.Close)
	s.addr = s.serve(s.store)
	s.fill()
	return s
}

// serve starts the server as server.go does; it ends with the benchmark.
func (s *site) serve(st *store.Store) string {
	schema, err := os.ReadFile("../../schema.graphqls")
	if err != nil {
		s.b.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	resolver := &graph.Resolver{Store: st, Hasher: auth.NewHasher(1, auth.Cheap()), SiteName: "Agora", Log: log}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.b.Fatal(err)
	}
	server := httpserver.Server(httpserver.New(httpserver.Options{Resolver: resolver, Schema: string(schema), Log: log}))
	go server.Serve(listener) // ends at Close
	s.b.Cleanup(func() { server.Close() })
	return listener.Addr().String()
}

// fill makes categories, a user with a session for each client, and the topics.
func (s *site) fill() {
	s.b.Helper()
	check := func(err error) {
		s.b.Helper()
		if err != nil {
			s.b.Fatal(err)
		}
	}
	var categories []forum.CategoryID
	for n := range 16 {
		name := fmt.Sprintf("category %d", n)
		id, err := s.store.CreateCategory(background, name, name, "")
		check(err)
		categories = append(categories, id)
	}
	s.topics = make([][]forum.TopicID, clients)
	for c := range clients {
		login := fmt.Sprintf("user%d", c)
		id, err := s.store.Register(background, store.NewUser{Login: login, LoginFold: login, Name: login, Email: login + "@example.com", EmailFold: login + "@example.com"})
		check(err)
		token, err := auth.NewToken(id)
		check(err)
		check(s.store.StartSession(background, store.NewSession{User: id, Digest: token.Digest(), Ends: s.store.Now() + 1e9}))
		s.users, s.tokens = append(s.users, id), append(s.tokens, token.String())
	}
	for c := range clients {
		for n := range topicsPerClient {
			id, err := s.store.CreateTopic(background, store.NewTopic{Author: s.users[(c+n)%clients], Kind: forum.Discussion, Title: "Topic", Content: "Text",
				Format: forum.Markdown, Category: categories[(c+n)%len(categories)]})
			check(err)
			s.topics[c] = append(s.topics[c], id)
		}
	}
	check(s.store.Settle(background))
}

// callers are the clients of the server, each with a connection of its own.
type callers struct {
	b        *testing.B
	addr     string
	conns    []net.Conn
	readers  []*bufio.Reader
	requests [][][]byte // of each client and topic
}

// connect prepares the clients. Their requests are put together beforehand and
// their answers only looked at as far as needed, so that the server is measured
// and not they.
func (s *site) connect() *callers { return s.connectTo(s.addr) }

func (s *site) connectTo(addr string) *callers {
	c := &callers{b: s.b, addr: addr, conns: make([]net.Conn, clients), readers: make([]*bufio.Reader, clients)}
	for i, token := range s.tokens {
		var requests [][]byte
		for _, id := range s.topics[i] {
			body, err := json.Marshal(map[string]any{"query": mutation, "variables": map[string]any{
				"i": map[string]any{"topicId": model.GlobalID(model.TypeTopic, strconv.FormatInt(int64(id), 10)), "content": content}}})
			if err != nil {
				s.b.Fatal(err)
			}
			requests = append(requests, fmt.Appendf(nil, "POST /graphql HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s",
				addr, token, len(body), body))
		}
		c.requests = append(c.requests, requests)
	}
	return c
}

// dial opens a client's connection.
func (c *callers) dial(client int) error {
	conn, err := net.Dial("tcp", c.addr)
	if err != nil {
		return err
	}
	c.b.Cleanup(func() { conn.Close() })
	c.conns[client], c.readers[client] = conn, bufio.NewReader(conn)
	return nil
}

// reply posts a reply of a client through GraphQL.
func (c *callers) reply(client, n int) error {
	if c.conns[client] == nil { // late, since the server drops a connection that asks nothing
		if err := c.dial(client); err != nil {
			return err
		}
	}
	if _, err := c.conns[client].Write(c.requests[client][n%topicsPerClient]); err != nil {
		return err
	}
	body, err := answer(c.readers[client])
	if err != nil {
		return err
	}
	if !bytes.Contains(body, []byte(`"comment":{"id":"`)) || !bytes.Contains(body, []byte(`"errors":[]`)) {
		return fmt.Errorf("answer: %s", body)
	}
	return nil
}

// answer reads an HTTP answer with a Content-Length.
func answer(r *bufio.Reader) ([]byte, error) {
	length := 0
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		if len(line) <= 2 {
			break
		}
		if name, value, ok := strings.Cut(string(line), ":"); ok && strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return nil, err
			}
		}
	}
	body := make([]byte, length)
	_, err := io.ReadFull(r, body)
	return body, err
}

// rest waits until the server has written all marks.
func (s *site) rest() error { return s.store.Settle(background) }

// verify counts the comments of all topics, and has the store check itself.
func (s *site) verify(want int64) {
	s.b.Helper()
	var ids []forum.TopicID
	for _, of := range s.topics {
		ids = append(ids, of...)
	}
	read := s.store.Read(background)
	topics := read.Topics(ids)
	if err := read.Exec(); err != nil {
		s.b.Fatal(err)
	}
	found, err := topics()
	if err != nil {
		s.b.Fatal(err)
	}
	got := int64(0)
	for _, t := range found {
		got += int64(t.CommentCount)
	}
	if got != want {
		s.b.Errorf("the topics have %d comments; %d replies were posted", got, want)
	}
	report, err := s.store.Check(background, store.CheckOptions{})
	if err != nil {
		s.b.Fatal(err)
	}
	if report.Found > 0 {
		s.b.Errorf("%d findings, the first %s", report.Found, report.Findings[0])
	}
}
