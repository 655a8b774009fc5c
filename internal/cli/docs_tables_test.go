package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"agora/internal/httpserver/limit"
	"agora/internal/ratelimit"
	"agora/internal/test/must"
)

// docRows returns the cells of the rows of all tables of a page.
func docRows(t *testing.T, name string) [][]string {
	t.Helper()
	text := must.Do(os.ReadFile(filepath.Join("../../docs", name)))(t)
	var rows [][]string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(strings.ReplaceAll(line, `\|`, "/"))
		if cells, isRow := strings.CutPrefix(line, "|"); isRow {
			row := strings.Split(strings.TrimSuffix(cells, "|"), "|")
			for i := range row {
				row[i] = strings.TrimSpace(row[i])
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// environmentOf is the name of a variable in the description of a flag.
var environmentOf = regexp.MustCompile(`\(env\s+([A-Z_]+)`)

// docs/configuration.md has a row for each flag of the server, with its variable, and no others.
func TestDocumentedFlags(t *testing.T) {
	documented := map[string]string{}
	for _, row := range docRows(t, "configuration.md") {
		if name, isFlag := strings.CutPrefix(row[0], "`--"); isFlag {
			name, _, _ = strings.Cut(name, "`")
			name, _, _ = strings.Cut(name, " ")
			documented[name] = row[1]
		}
	}
	root := rootCommand(actions{}, environment(nil))
	serve, _, err := root.Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	for usage := range strings.Lines(serve.Flags().FlagUsages()) {
		name := strings.TrimPrefix(strings.Fields(usage)[0], "--")
		cell, exists := documented[name]
		delete(documented, name)
		variable := environmentOf.FindStringSubmatch(usage)
		switch {
		case !exists:
			t.Errorf("docs/configuration.md has no row for --%s", name)
		case variable == nil && cell != "", variable != nil && !strings.HasPrefix(cell, "`"+variable[1]):
			t.Errorf("docs/configuration.md has %q as the variable of --%s; want that of %s", cell, name, usage)
		}
	}
	for name := range documented {
		t.Errorf("docs/configuration.md has a row for --%s, which serve does not have", name)
	}
}

// amount is a number in a table, with its unit.
var amount = regexp.MustCompile(`(\d[\d,]*\d|\d)( KiB| MiB)?`)

// amounts returns the numbers in a cell.
func amounts(cell string) []int {
	var all []int
	for _, m := range amount.FindAllStringSubmatch(cell, -1) {
		n, _ := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
		all = append(all, n*map[string]int{"": 1, " KiB": 1 << 10, " MiB": 1 << 20}[m[2]])
	}
	return all
}

// docs/limits.md has each limit and rate that can be set, with its default.
func TestDocumentedLimits(t *testing.T) {
	want := map[string]int{}
	for line := range strings.Lines(limit.Help()) {
		words := strings.Fields(line)
		want[words[0]], _ = strconv.Atoi(words[1])
	}
	for kind, n := range ratelimit.Defaults() {
		want[string(kind)] = n
	}
	flag := regexp.MustCompile("`([a-z-]+)`")
	got := map[string]int{}
	for _, row := range docRows(t, "limits.md") {
		if len(row) < 3 {
			continue
		}
		names, numbers := flag.FindAllStringSubmatch(row[2], -1), amounts(row[1])
		if m := flag.FindStringSubmatch(row[0]); m != nil && m[0] == row[0] { // a rate: kind, default, meaning
			names = [][]string{m}
		}
		for i, m := range names {
			if _, exists := want[m[1]]; exists && i < len(numbers) {
				got[m[1]] = numbers[i]
			}
		}
	}
	var wrong []string
	for name, n := range want {
		if got[name] != n {
			wrong = append(wrong, fmt.Sprintf("%s %d, want %d", name, got[name], n))
		}
	}
	slices.Sort(wrong)
	for _, w := range wrong {
		t.Errorf("docs/limits.md has the limit %s", w)
	}
}
