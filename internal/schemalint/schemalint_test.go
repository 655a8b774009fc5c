package schemalint

import (
	"os"
	"slices"
	"strings"
	"testing"

	"agora/internal/test/must"
)

// texts returns a report's findings as lines.
func texts(r Report) []string {
	var all []string
	for _, f := range r.Findings {
		all = append(all, f.String())
	}
	return all
}

func lint(t *testing.T, sdl string) Report {
	t.Helper()
	r, err := Lint(sdl)
	if err != nil {
		t.Fatalf("Lint: %v: %s", err, sdl)
	}
	return r
}

func TestOurSchema(t *testing.T) {
	sdl := must.Do(os.ReadFile("../../schema.graphqls"))(t)
	r := lint(t, string(sdl))
	for _, f := range r.Findings {
		t.Errorf("schema.graphqls:%s", f)
	}
	if r.Checked < 400 {
		t.Errorf("Lint checked %d descriptions; want all of them", r.Checked)
	}
}

const undescribed = `schema { query: Query mutation: Mutation }
directive @old(
  since: String
) on FIELD_DEFINITION
scalar Moment
interface Named { name: String }
type Query implements Named {
  name: String
  hits(
    first: Int
  ): [Hit]
}
union Hit = Mutation
enum Side {
  LEFT
}
input SideInput {
  side: Side
}
type Mutation { turn(input: TurnInput!): TurnPayload }
extend type Query {
  more: Int
}
input TurnInput { to: Side = LEFT }
type TurnPayload { left: Boolean }
`

func TestEveryElementNeedsADescription(t *testing.T) {
	r := lint(t, undescribed)
	var missing []string
	for _, text := range texts(r) {
		missing = append(missing, strings.TrimSuffix(text, " has no description"))
	}
	want := []string{
		"1: schema", "2: @old", "3: @old(since:)", "5: Moment", "6: Named", "6: Named.name", "7: Query", "8: Query.name",
		"9: Query.hits", "10: Query.hits(first:)",
		"13: Hit", "14: Side", "15: Side.LEFT", "17: SideInput", "18: SideInput.side", "20: Mutation", "20: Mutation.turn",
		"20: Mutation.turn(input:)",
		"22: Query.more", "24: TurnInput", "24: TurnInput.to", "25: TurnPayload", "25: TurnPayload.left",
	}
	if !slices.Equal(missing, want) {
		t.Errorf("without a description:\n%s\nwant\n%s", strings.Join(missing, "\n"), strings.Join(want, "\n"))
	}
	if r.Checked != len(want) {
		t.Errorf("Lint checked %d descriptions; want %d", r.Checked, len(want))
	}
}

func TestDescriptionsThatRepeatNames(t *testing.T) {
	tests := []struct {
		description string
		names       []string
		want        bool
	}{
		{"The title of the topic.", []string{"Topic", "title", "String"}, true},
		{"This topic's titles", []string{"Topic", "title", "String"}, true},
		{"Returns the `Topic`’s title.", []string{"Topic", "title", "String"}, true},
		{"A string.", []string{"Topic", "title", "String"}, true},
		{"Input for createTopic.", []string{"CreateTopicInput"}, true},
		{"Represents a topic", []string{"Topic"}, true},
		{"Number of categories", []string{"Tab", "categoryCount", "Int"}, true},
		{"The count of categories", []string{"Tab", "categoryCount", "Int"}, true},
		{"Whether it is current.", []string{"Session", "isCurrent", "Boolean"}, true},
		{"The URL of the site", []string{"Site", "siteURL", "URL"}, true},
		{"The HTML of the content", []string{"Topic", "HTMLContent", "String"}, true},
		{"Not found.", []string{"ErrorCode", "NOT_FOUND"}, true},
		{"LOCKED", []string{"ErrorCode", "LOCKED"}, true},
		{"The addresses", []string{"User", "address", "String"}, true},
		{"The boxes of the user", []string{"User", "box", "String"}, true},
		{"The title of the topic, on one line.", []string{"Topic", "title", "String"}, false},
		{"The new topic; null on failure.", []string{"CreateTopicPayload", "topic", "Topic"}, false},
		{"The user's login.", []string{"Account", "login", "String"}, false},
		{"1 to 100.", []string{"Query", "first", "Int"}, false},
		{"主题的标题", []string{"Topic", "title", "String"}, false},
	}
	for _, tt := range tests {
		if got := repeats(tt.description, tt.names); got != tt.want {
			t.Errorf("repeats(%q, %q) = %v; want %v", tt.description, tt.names, got, tt.want)
		}
	}
}

func TestRules(t *testing.T) {
	const query = `"""Reads, all of them.""" type Query { """Beginning.""" start: Int }` + "\n"
	tests := []struct {
		name, sdl string
		want      []string
	}{
		{"nothing to find", ``, nil},
		{"empty description", `"""  """ scalar Moment`, []string{`2: Moment has no description`}},
		{"description of dots", `"""...""" scalar Moment`, []string{`2: Moment has no description`}},
		{
			"repeated type",
			`"""A moment.""" scalar Moment`,
			[]string{`2: Moment has a description that only repeats names: "A moment."`},
		},
		{"repeated argument", `extend type Query { """Later ones.""" next("""The next query's limit.""" limit: Int): Int }`,
			[]string{`2: Query.next(limit:) has a description that only repeats names: "The next query's limit."`}},
		{"type's name", `"""Instant.""" scalar moment_utc`, []string{`2: moment_utc is not in PascalCase`}},
		{
			"field's name",
			`extend type Query { """Last ones.""" End_all: Int }`,
			[]string{`2: Query.End_all is not in camelCase`},
		},
		{
			"argument's name",
			`extend type Query { """Last ones.""" end("""How much.""" All: Int): Int }`,
			[]string{`2: Query.end(All:) is not in camelCase`},
		},
		{
			"enum value's name",
			`"""Two ends.""" enum Side { """One.""" Left }`,
			[]string{`2: Side.Left is not in SCREAMING_CASE`},
		},
		{"directive's name", `"""Marks.""" directive @Old on OBJECT`, []string{`2: @Old is not in camelCase`}},
		{
			"output called input",
			`"""Some.""" type SideInput { """One.""" left: Int }`,
			[]string{`2: SideInput ends in Input but is not an input object`},
		},
		{
			"input called payload",
			`"""Some.""" enum SidePayload { """One.""" LEFT }`,
			[]string{`2: SidePayload ends in Payload but is not an object type`},
		},
		{
			"payload without the interface",
			`"""Some.""" interface Payload { """One.""" left: Int } """Some.""" type SidePayload { """One.""" left: Int }`,
			[]string{`2: SidePayload does not implement Payload`},
		},
		{"input with another name", `"""Some.""" input Side { """One.""" left: Int }`,
			[]string{`2: Side is an input object but ends neither in Input nor in Order, nor, with @oneOf, in Ref`}},
		{"ref without @oneOf", `"""Some.""" input SideRef { """One.""" left: Int }`,
			[]string{`2: SideRef is an input object but ends neither in Input nor in Order, nor, with @oneOf, in Ref`}},
		{
			"ref and order",
			`"""Some.""" input SideRef @oneOf { """One.""" left: Int } """Some.""" input SideOrder { """One.""" left: Int }`,
			nil,
		},
	}
	for _, tt := range tests {
		if got := texts(lint(t, query+tt.sdl)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: findings %q; want %q", tt.name, got, tt.want)
		}
	}
}

func TestMutations(t *testing.T) {
	const rest = `
"""Some.""" type Query { """Beginning.""" start: Int }
"""Some.""" input TurnInput { """Some.""" left: Int }
"""Some.""" type TurnPayload { """Some.""" left: Int }
`
	const takes, gives = "1: Mutation.turn does not take exactly (input: TurnInput!)",
		"1: Mutation.turn does not return TurnPayload, nullable"
	tests := []struct {
		turn string
		want []string
	}{
		{`turn("""Some.""" input: TurnInput!): TurnPayload`, nil},
		{`turn("""Some.""" input: TurnInput): TurnPayload`, []string{takes}},
		{`turn("""Some.""" turn: TurnInput!): TurnPayload`, []string{takes}},
		{`turn("""Some.""" input: TurnInput!, """Some.""" more: Int): TurnPayload`, []string{takes}},
		{`turn: TurnPayload`, []string{takes}},
		{`turn("""Some.""" input: TurnInput!): TurnPayload!`, []string{gives}},
		{`turn: Boolean`, []string{takes, gives}},
	}
	for _, tt := range tests {
		if got := texts(lint(t, `"""Writes.""" type Mutation { """Some.""" `+tt.turn+` }`+rest)); !slices.Equal(
			got,
			tt.want,
		) {
			t.Errorf("%s: findings %q; want %q", tt.turn, got, tt.want)
		}
		changes := strings.NewReplacer("Mutation", "Changes").Replace
		sdl := `"""Writes.""" type Changes { """Some.""" ` + tt.turn + ` }` + rest + `"""All.""" schema { query: Query mutation: Changes }`
		if got := texts(lint(t, sdl)); changes(strings.Join(tt.want, "\n")) != strings.Join(got, "\n") {
			t.Errorf("%s in a type that the schema names: findings %q; want %q", tt.turn, got, tt.want)
		}
	}
}

func TestDeprecations(t *testing.T) {
	const names = ` is deprecated but names no replacement in the schema, such as ` + "`title` or `Topic.title`: "
	tests := []struct {
		name, old string
		want      []string
	}{
		{"neighbour", "\"\"\"Some.\"\"\" old: Int @deprecated(reason: \"Use `start`.\")", nil},
		{"elsewhere", "\"\"\"Some.\"\"\" old: Int @deprecated(reason: \"See `Side.LEFT`.\")", nil},
		{
			"argument's neighbour",
			"\"\"\"Some.\"\"\" now(\"\"\"Some.\"\"\" old: Int @deprecated(reason: \"Use `further`.\"), \"\"\"Some.\"\"\" " +
				"further: Int): Int",
			nil,
		},
		{"no reason", `"""Some.""" old: Int @deprecated`, []string{`1: Query.old` + names + `""`}},
		{
			"no name",
			`"""Some.""" old: Int @deprecated(reason: "Do not use start.")`,
			[]string{`1: Query.old` + names + `"Do not use start."`},
		},
		{
			"itself",
			"\"\"\"Some.\"\"\" old: Int @deprecated(reason: \"Was `old`.\")",
			[]string{`1: Query.old` + names + "\"Was `old`.\""},
		},
		{
			"unknown",
			"\"\"\"Some.\"\"\" old: Int @deprecated(reason: \"Use `end`.\")",
			[]string{`1: Query.old` + names + "\"Use `end`.\""},
		},
		{
			"argument",
			`"""Some.""" now("""Some.""" old: Int @deprecated(reason: "No.")): Int`,
			[]string{`1: Query.now(old:)` + names + `"No."`},
		},
	}
	for _, tt := range tests {
		got := texts(
			lint(
				t,
				`"""Reads.""" type Query { """Beginning.""" start: Int `+tt.old+` } """Two ends.""" enum Side { """One.""" LEFT }`,
			),
		)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: findings %q; want %q", tt.name, got, tt.want)
		}
	}
	side := lint(
		t,
		`"""Reads.""" type Query { """Beginning.""" start: Int } """Two ends.""" enum Side { """One.""" LEFT @deprecated(reason: "Both went.") }`,
	)
	if want := []string{`1: Side.LEFT` + names + `"Both went."`}; !slices.Equal(texts(side), want) {
		t.Errorf("enum value: findings %q; want %q", texts(side), want)
	}
}

func TestInvalidSchema(t *testing.T) {
	for _, sdl := range []string{"type", "type Query { a: Nowhere }", "{ query }", "type Query @deprecated { a: Int }",
		"scalar A @deprecated type Query { a: A }"} {
		if r, err := Lint(sdl); err == nil {
			t.Errorf("Lint(%q) = %v, no error; want an error", sdl, r)
		}
	}
}
