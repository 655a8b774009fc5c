package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"agora/bench/document"
	"agora/bench/subject"
)

// options are what to measure.
type options struct {
	// Rounds is how often everything is measured, Duration how long each time.
	Rounds   int
	Duration time.Duration
	// Clients are the numbers of clients.
	Clients []int
	// Scale is the size of the forum: 1 is 2,000 users, 20,000 topics and 200,000 comments.
	Scale float64
	// Only and Subjects are the documents and subjects; all if empty.
	Only, Subjects []string
	// Growth also compares forums of 2,000 and 200,000 topics, times Scale.
	Growth bool
	// Durable makes Redis write to disk before it acknowledges.
	Durable bool
	// Check verifies all data at the end.
	Check bool
	// Profile is a directory for profiles of the server; "" is none.
	Profile string
	// JSON is a file for the figures; "" is none.
	JSON string

	// Before is this program, built from an older commit; "" for none. Its server is measured as the subject before.
	Before string

	// Command runs a subject: a program and its arguments, without --subject and --redis.
	Command []string
	// Out receives the report, Progress the progress; nil shows none.
	Out, Progress io.Writer
}

const (
	// bareRedis is the row of go-redis alone, without a server.
	bareRedis = "go-redis"
	// before is the row of the server of an older commit.
	before = "before"
)

// subjectNames are the subjects in the order of the tables.
var subjectNames = []string{
	subject.Limit,
	subject.Tuned,
	subject.Kept,
	subject.Bare,
	bareRedis,
	before,
	subject.Agora,
	subject.Cached,
	subject.Gqlgen,
	subject.Usual,
}

// documentNames are the documents in the order of the tables.
func documentNames() []string {
	var names []string
	for _, d := range document.All() {
		names = append(names, d.Name)
	}
	return names
}

// check completes the options, or returns what is wrong with them.
func (o *options) check() error {
	if o.Rounds < 1 || o.Duration <= 0 || o.Scale <= 0 || len(o.Clients) == 0 || slices.Min(o.Clients) < 1 ||
		slices.Max(o.Clients) > maxClients {
		return fmt.Errorf("rounds, duration and scale must be above 0, and clients 1 to %d", maxClients)
	}
	for _, c := range []struct {
		what  string
		names *[]string
		known []string
	}{{"document", &o.Only, documentNames()}, {"subject", &o.Subjects, subjectNames}} {
		if len(*c.names) == 0 {
			*c.names = c.known
		}
		for _, name := range *c.names {
			if !slices.Contains(c.known, name) {
				return fmt.Errorf("unknown %s %q; want one of %s", c.what, name, strings.Join(c.known, ", "))
			}
		}
	}
	return nil
}

// documents returns the documents to measure.
func (o *options) documents() []document.Document {
	return slices.DeleteFunc(document.All(), func(d document.Document) bool { return !slices.Contains(o.Only, d.Name) })
}

// subjects returns the subjects to measure with a document, first the one that the others are compared with. For
// documents that read next to nothing, the tuned handler is the limit.
func (o *options) subjects(d document.Document) []string {
	of := []string{subject.Limit, before, subject.Agora, subject.Gqlgen, subject.Usual}
	switch d.Name {
	case document.FrontOwn.Name, document.FrontVoted.Name:
		of = []string{subject.Cached, subject.Agora}
	case document.Topics.Name:
		of = []string{subject.Limit, subject.Tuned, before, subject.Agora, subject.Cached}
	case document.Front.Name, document.Topic.Name, document.TopicHTML.Name:
		of = slices.Insert(slices.Insert(of, 3, subject.Cached), 1, subject.Tuned)
		if d.Name == document.Front.Name {
			of = slices.Insert(of, 2, subject.Kept)
		}
	case document.Typename.Name:
		of[0] = subject.Bare
	case document.Reply.Name:
		of = slices.Insert(of, 1, bareRedis)
	}
	return slices.DeleteFunc(of, func(name string) bool {
		return name == before && o.Before == "" || !slices.Contains(o.Subjects, name)
	})
}
