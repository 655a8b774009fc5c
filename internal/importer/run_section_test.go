package importer

import (
	"fmt"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/test/must"
)

// discussions returns V2EX topics, one in each of these nodes.
func discussions(nodes ...obj) []byte {
	var records []obj
	for i, n := range nodes {
		records = append(records, v2exTopicOf(i+1, n, nil))
	}
	return lines(records...)
}

// wantSections checks the description of categories and tabs.
func (x *site) wantSections(want string) {
	x.t.Helper()
	var rooms []string
	for line := range strings.Lines(x.shown()) {
		if strings.HasPrefix(line, "tab ") || strings.HasPrefix(line, "category ") {
			rooms = append(rooms, line)
		}
	}
	if got := strings.Join(rooms, ""); got != undent(want) {
		x.t.Errorf("the sections are\n%swant\n%s", got, undent(want))
	}
}

func TestImportNamesSections(t *testing.T) {
	long := strings.Repeat("长", forum.MaxName)
	tests := []struct {
		name     string
		category string
		nodes    []obj
		want     string
	}{
		{"equal titles", "", []obj{node(7, "Tea", ""), node(8, "tea", ""), node(9, "ＴＥＡ", "")}, `
		category Tea "All about Tea.": v2ex:1; v2ex:1
		category tea (8) "All about tea.": v2ex:2; v2ex:2
		category ＴＥＡ (9) "All about ＴＥＡ.": v2ex:3; v2ex:3`},
		{
			"the name with the number is also taken",
			"",
			[]obj{
				node(7, "Tea", ""),
				node(8, "Tea (9)", ""),
				node(9, "Tea", ""),
				node(10, "Tea (3)", ""),
				node(11, "Tea (10)", ""),
			},
			`
		category Tea "All about Tea.": v2ex:1; v2ex:1
		category Tea (10) "All about Tea (10).": v2ex:5; v2ex:5
		category Tea (3) "All about Tea.": v2ex:3; v2ex:3
		category Tea (3) (10) "All about Tea (3).": v2ex:4; v2ex:4
		category Tea (9) "All about Tea (9).": v2ex:2; v2ex:2`,
		},
		{"long titles", "", []obj{node(7, long, ""), node(123, long, "")}, fmt.Sprintf(`
		category %s (123) "All about %s.": v2ex:2; v2ex:2
		category %s "All about %s.": v2ex:1; v2ex:1`, strings.Repeat("长", forum.MaxName-6), long, long, long)},
		{
			"tabs of names that fold alike",
			"",
			[]obj{node(7, "A", long), node(8, "B", "Drinks"), node(9, "C", "drinks"), node(10, "D", "DRINKS")},
			fmt.Sprintf(`
		category A "All about A.": v2ex:1; v2ex:1
		category B "All about B.": v2ex:2; v2ex:2
		category C "All about C.": v2ex:3; v2ex:3
		category D "All about D.": v2ex:4; v2ex:4
		tab DRINKS (3): ["D"]
		tab Drinks: ["B"]
		tab drinks (2): ["C"]
		tab %s: ["A"]`, long),
		},
		{"a tab and a category of one name", "", []obj{node(7, "Tea", "Tea")}, `
		category Tea "All about Tea.": v2ex:1; v2ex:1
		tab Tea: ["Tea"]`},
		{"the default is a node that came before", "tea", []obj{node(7, "Tea", ""), nil}, `
		category Tea "All about Tea.": v2ex:2 v2ex:1; v2ex:2 v2ex:1`},
		{"the default is a later node", "Tea", []obj{nil, node(7, "tea", "")}, `
		category Tea "": v2ex:2 v2ex:1; v2ex:2 v2ex:1`},
		{"no default is needed", "Rest", []obj{node(7, "Tea", "")}, `
		category Tea "All about Tea.": v2ex:1; v2ex:1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := newSite(t)
			if _, err := x.run(x.ctx, x.Store, Options{Format: V2EX, Category: tt.category},
				discussions(tt.nodes...)); err != nil ||
				len(x.reported) > 0 {
				t.Fatalf("Run = %v, reported %q; want no errors", err, x.reported)
			}
			x.settle()
			x.wantSections(tt.want)
			before := x.keys()
			if sum, err := x.run(x.ctx, x.Store, Options{Format: V2EX, Category: tt.category},
				discussions(tt.nodes...)); err != nil ||
				sum.Known != len(tt.nodes) ||
				sum.Categories != 0 {
				t.Errorf("Run again = %+v, %v; want all known", sum, err)
			}
			if after := x.keys(); len(after) != len(before) {
				t.Errorf("a second run leaves %d keys; want %d", len(after), len(before))
			}
		})
	}
}

// Existing categories and tabs are used for imported ones with their names.
func TestImportReusesSectionsOfTheSite(t *testing.T) {
	x := newSite(t)
	tea := must.Do(x.Categories.CreateCategory(x.ctx, "TEA", "tea", "ours"))(t)
	must.Do(x.Categories.CreateCategory(x.ctx, "Rest", "rest", "ours"))(t)
	must.Do(x.Categories.CreateTab(x.ctx, "Drinks", "drinks", []forum.CategoryID{tea}))(t)
	x.load(Summary{Records: 3, Topics: 3, Categories: 3, Tabs: 1}, Options{Format: V2EX, Category: " rest "},
		discussions(node(7, "Tea", "drinks"), node(8, "Coffee", "drinks"), nil))
	x.settle()
	x.wantSections(`
		category Coffee "All about Coffee.": v2ex:2; v2ex:2
		category Rest "ours": v2ex:3; v2ex:3
		category TEA "ours": v2ex:1; v2ex:1
		tab Drinks: ["Coffee" "TEA"]`)
}

// A full tab stays without further categories, which is reported once per run and category.
func TestImportFillsATab(t *testing.T) {
	x := newSite(t)
	var nodes []obj
	for n := range forum.MaxTabCategories + 2 {
		nodes = append(nodes, node(n+1, fmt.Sprintf("Node %02d", n+1), "full"))
	}
	nodes = append(nodes, nodes[len(nodes)-1])
	file := discussions(nodes...)
	for _, want := range []Summary{{Records: 53, Topics: 53, Categories: 52, Tabs: 1}, {Records: 53, Known: 53}} {
		sum := must.Do(x.run(x.ctx, x.Store, Options{Format: V2EX}, file))(t)
		wantSummary(t, sum, want)
		x.wantReported(`file1:51: category "Node 51" is not added to tab "full": A tab can have at most 50 categories.`,
			`file1:52: category "Node 52" is not added to tab "full": A tab can have at most 50 categories.`)
	}
	x.settle()
}

// A category that was deleted here is created again for a new topic.
func TestImportRecreatesADeletedCategoryForANewTopic(t *testing.T) {
	x := newSite(t)
	x.load(
		Summary{Records: 1, Topics: 1, Categories: 1, Tabs: 1},
		Options{Format: V2EX},
		discussions(node(7, "Tea", "drinks")),
	)
	x.remove(forum.Subject{Topic: called(x, topics, "v2ex:1")})
	wantOK(t, "DeleteCategory", x.Categories.DeleteCategory(x.ctx, nil, 1))
	x.settle()
	x.load(
		Summary{Records: 2, Topics: 1, Known: 1, Categories: 1},
		Options{Format: V2EX},
		discussions(node(7, "Tea", "drinks"), node(7, "Tea", "drinks")),
	)
	x.settle()
	x.wantSections(`
		category Tea "All about Tea.": v2ex:2; v2ex:2
		tab drinks: []`)
}
