package derive

import (
	"cmp"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// Case is the case of a subject, and what it is derived from.
type Case struct {
	Fields  record.Fields
	Reports map[string]string  // by reporter
	Numbers map[string]float64 // of the reporters
	// Held reports that the subject waits for a moderator. Subject are its fields, Category is that of the topic of a
	// comment.
	Held     bool
	Comment  bool
	Subject  record.Fields
	Category string
}

// Derive returns what fields of the case must be, "" for missing ones, and the reporters who have no sound report.
func (c Case) Derive() (want map[string]string, lost []string) {
	through, last, first := c.Fields.Int("through"), 0, 0
	want = map[string]string{"first": "", "held": c.Fields["held"], "category": c.Fields["category"],
		"topic": c.Fields["topic"]}
	if c.Held && c.Fields["held"] == "" {
		c.hold(want)
	}
	reasons := map[forum.Reason]int{}
	for reporter, number := range c.Numbers {
		id, err := forum.ParseID[forum.UserID](reporter)
		report, ok := record.ParseReport(id, c.Reports[reporter])
		if err != nil || !ok || float64(report.Number) != number {
			lost = append(lost, reporter)
			continue
		}
		last = max(last, report.Number)
		if report.Number <= through {
			continue
		}
		reasons[report.Reason]++
		if first == 0 || report.Number < first {
			first, want["first"] = report.Number, key.Itoa(report.CreatedAt)
		}
	}
	for reporter := range c.Reports {
		if _, numbered := c.Numbers[reporter]; !numbered {
			lost = append(lost, reporter)
		}
	}
	count := func(name string, n int) {
		if want[name] = ""; n > 0 {
			want[name] = strconv.Itoa(n)
		}
	}
	for _, reason := range forum.Reasons {
		count("reason:"+string(reason), reasons[reason])
	}
	last = max(last, through, c.Fields.Int("reports")) // the last ones may be lost
	count("reports", last)
	if !c.Held {
		want["held"] = ""
	}
	state, at := c.Fields["outcome"], c.Fields["resolved"]
	if c.Held || last > through {
		state, at = string(forum.ReportsOpen), key.Itoa(max(c.Fields.Time("last"), record.Fields(want).Time("held")))
	}
	want["entry"] = strings.Join([]string{cmp.Or(state, "-"), cmp.Or(want["category"], "0"), cmp.Or(at, "0"),
		cmp.Or(want["topic"], "0")}, " ")
	return want, lost
}

// hold sets what the case of a post that is held has since it was posted.
func (c Case) hold(want map[string]string) {
	want["held"], want["author"] = c.Subject["created"], c.Subject["author"]
	want["category"], want["topic"] = c.Subject["category"], "0"
	if c.Comment {
		want["category"], want["topic"] = c.Category, c.Subject["topic"]
	}
}
