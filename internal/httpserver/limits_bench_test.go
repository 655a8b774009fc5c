//go:build unix

package httpserver

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// BenchmarkAttacks tells how many times the time of a valid request of 1 KiB it
// takes to refuse each attack.
func BenchmarkAttacks(b *testing.B) {
	s := newDemo(b)
	start, tries := time.Now(), 100
	for i := range tries {
		s.do("POST", "/graphql", valid(i), isJSON)
	}
	usual := float64(time.Since(start).Nanoseconds()) / float64(tries)
	for _, a := range attacks() {
		b.Run(strings.ReplaceAll(a.name, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.do("POST", "/graphql", a.body, isJSON)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/usual, "times")
		})
	}
}

// BenchmarkWorstDocuments parses and validates what is within all limits, or found
// to be over one only after validation, and takes longest.
func BenchmarkWorstDocuments(b *testing.B) {
	schema, l := forumSchema(b), DefaultLimits()
	name := strings.Repeat("x", l.NameLength-3)
	topic := "id title content number kind state format link createdAt editedAt deletedAt lastActiveAt clickCount commentCount contentHtml " +
		"author{id login name role createdAt topicCount} category{id name description topicCount}"
	for _, w := range []struct{ name, query string }{
		{"unknown fields of long names", "{topic(by:{id:1}){" + each(990, name+"%03d") + "}}"},
		{"missing fragments of long names", "{site{" + each(100, "..."+name+"%03d") + "}}"},
		{"unknown arguments of long names", "{topic(" + each(600, name+"%03d:1") + "){id}}"},
		{"unknown types of long names", "{site{" + series(250, func(i int) string { return fmt.Sprintf("...on %s%03d{a%d}", name, i, i) }) + "}}"},
		{"unknown input fields of long names", "{front(orderBy:{" + each(600, name+"%03d:1") + "}){id}}"},
		{"fields merged 20 times", "{" + strings.Repeat("front{topics{nodes{"+topic+"}}}", 20) + "}"},
		{"20 equal fragments", "{topic(by:{id:1}){" + each(20, "...f%d") + "}} " + series(20, func(i int) string { return fmt.Sprintf("fragment f%d on Topic{%s}", i, topic) })},
		{"a fragment in 60 operations", each(60, "query A%d{...f}") + "fragment f on Query{topic(by:{id:1}){id title content number kind state format link createdAt editedAt}}"},
		{"variables used", "query(" + each(280, "$a%d:Int") + "){nodes(ids:[" + each(280, "$a%d") + "]){id}}"},
		{"wrong literals", "{nodes(ids:[" + strings.Repeat("1.5 ", 990) + "]){id}}"},
		{"a block string of 900 kB of lines", `{nodes(ids:["""` + strings.Repeat("x\n", 450_000) + `"""]){id}}`},
		{"introspection", fullIntrospection()},
	} {
		b.Run(strings.ReplaceAll(w.name, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				l.admitDocument(schema, w.query)
			}
		})
	}
}
