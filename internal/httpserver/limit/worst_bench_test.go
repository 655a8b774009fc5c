package limit

import (
	"fmt"
	"strings"
	"testing"

	"agora/internal/test/gqltext"
)

// BenchmarkWorstDocuments parses and validates the slowest documents that are within all limits, or that exceed one
// found only after validation.
func BenchmarkWorstDocuments(b *testing.B) {
	schema, l := gqltext.Schema(b), Defaults()
	name := strings.Repeat("x", l.NameLength-3)
	topic := "id title content number kind state format link createdAt editedAt deletedAt lastActiveAt clickCount " +
		"commentCount contentHtml " +
		"author{id login name role createdAt topicCount} category{id name description topicCount}"
	for _, w := range []struct{ name, query string }{
		{"unknown fields of long names", "{topic(by:{id:1}){" + gqltext.Each(990, name+"%03d") + "}}"},
		{"missing fragments of long names", "{site{" + gqltext.Each(100, "..."+name+"%03d") + "}}"},
		{"unknown arguments of long names", "{topic(" + gqltext.Each(600, name+"%03d:1") + "){id}}"},
		{"unknown types of long names", "{site{" + gqltext.Series(250,
			func(i int) string { return fmt.Sprintf("...on %s%03d{a%d}", name, i, i) }) + "}}"},
		{"unknown input fields of long names", "{front(orderBy:{" + gqltext.Each(600, name+"%03d:1") + "}){id}}"},
		{"fields merged 20 times", "{" + strings.Repeat("front{topics{nodes{"+topic+"}}}", 20) + "}"},
		{"20 equal fragments", "{topic(by:{id:1}){" + gqltext.Each(20, "...f%d") + "}} " + gqltext.Series(20,
			func(i int) string { return fmt.Sprintf("fragment f%d on Topic{%s}", i, topic) })},
		{"a fragment in 60 operations", gqltext.Each(60, "query A%d{...f}") + "fragment f on Query{topic(by:{id:1}){id " +
			"title content number kind state format link createdAt editedAt}}"},
		{"variables used", "query(" + gqltext.Each(280, "$a%d:Int") + "){nodes(ids:[" + gqltext.Each(280,
			"$a%d") + "]){id}}"},
		{"wrong literals", "{nodes(ids:[" + strings.Repeat("1.5 ", 990) + "]){id}}"},
		{"a block string of 900 kB of lines", `{nodes(ids:["""` + strings.Repeat("x\n", 450_000) + `"""]){id}}`},
		{"introspection", gqltext.FullIntrospection()},
	} {
		b.Run(strings.ReplaceAll(w.name, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				l.admitDocument(schema, w.query)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(DocumentCost(w.query)), "µs/unit")
		})
	}
}
