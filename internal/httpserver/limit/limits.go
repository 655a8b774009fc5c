package limit

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/turns"
)

// Limits bound what a request may ask for. They are checked before the work that they bound: body, text and variables
// before parsing, the document before validation, the cost before execution. Zero is not a useful value of any of
// them: begin with Defaults.
type Limits struct {
	// Body is the largest request body, in bytes. Code REQUEST_TOO_LARGE.
	Body int
	// Tokens is the most lexical tokens of a document, comments included.
	// Code TOO_MANY_TOKENS.
	Tokens int
	// NameLength is the longest name or number in a document, in bytes: validation compares unknown names with all
	// known ones, letter by letter, to suggest the right one. Code NAME_TOO_LONG.
	NameLength int
	// Depth is how deep fields may be nested, with fragments expanded, without counting `edges`, `node` and `nodes`.
	// The introspection query of tools needs 15.
	// Brackets of any kind may be nested four times as deep. Code TOO_DEEP.
	Depth int
	// Fields is the most fields of all operations of a document, with fragments expanded; the fragments themselves,
	// each expanded, may have four times as many. Code TOO_MANY_FIELDS.
	Fields int
	// RootFields is the most fields at the root of a query or a subscription, and
	// MutationFields of a mutation. Code TOO_MANY_ROOT_FIELDS.
	RootFields, MutationFields int
	// Aliases is the most fields with an alias, with fragments expanded. Code TOO_MANY_ALIASES.
	Aliases int
	// Directives is the most directives, with fragments expanded. Code TOO_MANY_DIRECTIVES.
	Directives int
	// Fragments is the most fragments that a document defines or names; Spreads is the most fragment spreads and
	// inline fragments, with fragments expanded. Code TOO_MANY_FRAGMENTS.
	Fragments, Spreads int
	// Duplicates is how often one response name may be selected in one selection set, with fragments expanded and
	// equal fields merged: validation compares each with each. Code TOO_MANY_DUPLICATES.
	Duplicates int
	// ListSize is the longest list in a document, and the most entries of all lists
	// and objects of the variables. Code LIST_TOO_LONG.
	ListSize int
	// Variables is the longest JSON text of the variables, in bytes. A text of forum.MaxContent code points fits,
	// even with each written as two escapes of six bytes. Code VARIABLES_TOO_LARGE.
	Variables int
	// VariablesDepth is how deep lists and objects of the variables may be nested.
	// Code VARIABLES_TOO_DEEP.
	VariablesDepth int
	// Errors is the most errors of an answer. Code TOO_MANY_ERRORS, as the last one.
	Errors int
	// Rows is the most rows of all lists that an operation may ask for, and Values
	// the most values of fields. Code COST_LIMIT_EXCEEDED, with the unit.
	Rows, Values int
	// Answer is the maximum size of one answer, in bytes of JSON before compression. Code ANSWER_TOO_LARGE.
	Answer int
	// Work is how many bytes of texts an operation may read, unpack, compare, render and show together, each weighted
	// by what it costs: one unit allocates at most 3.3 bytes. Texts beyond that are null. Code COST_LIMIT_EXCEEDED,
	// with the unit work.
	Work int
	// Answers is the most bytes of all answers being produced or sent at a time, AnswersAddress those of one address.
	// If they are exceeded, the slowest readers are disconnected. Code UNAVAILABLE.
	Answers, AnswersAddress int
	// Live is the most sockets and streams open at a time, LiveAddress those of one address; LiveAnonymous and
	// LiveAnonymousAddress are the most of these without a signed-in user. Code UNAVAILABLE, with status 503; close
	// code 1013.
	Live, LiveAddress, LiveAnonymous, LiveAnonymousAddress int
	// LiveSubscriptions is the most running subscriptions of one viewer, or of all signed-out visitors of one
	// address; LiveValues is the most values of fields that one event of each of them asks for together. An address
	// has four times as many for all of its callers. Code LIVE_LIMIT_EXCEEDED, with the unit.
	LiveSubscriptions, LiveValues int
	// LiveBody is the largest request of a subscription, in bytes: it is held as long as the subscription runs. Code
	// REQUEST_TOO_LARGE.
	LiveBody int
	// Bodies is the most bytes of bodies and messages of sockets held at a time, BodiesAddress those of one address;
	// one of Body bytes always fits. Code UNAVAILABLE or RATE_LIMITED, close code 1013.
	Bodies, BodiesAddress int
	// Connections is the most connections open at a time, ConnectionsAddress those of one address. LimitConnections
	// enforces them. Status 503.
	Connections, ConnectionsAddress int
	// Pings is the most pings and pongs of one socket a minute. Close code 1008.
	Pings int
}

// Defaults returns the limits that apply unless the site sets others.
func Defaults() Limits {
	return Limits{
		Body: 1 << 20, Tokens: 2000, NameLength: 64, Depth: 15, Fields: 1000, RootFields: 50, MutationFields: 5,
		Aliases: 100, Directives: 100, Fragments: 100, Spreads: 500, Duplicates: 20, ListSize: 1000,
		Variables: 896 << 10, VariablesDepth: 20, Errors: 50, Rows: 20_000, Values: 120_000,
		Answer: 8 << 20, Work: 14 << 20, Answers: 40 << 20, AnswersAddress: 24 << 20,
		Live: 20_000, LiveAddress: 500, LiveAnonymous: 10_000, LiveAnonymousAddress: 200,
		LiveSubscriptions: 200, LiveValues: 20_000, LiveBody: 64 << 10, Pings: 120,
		Bodies: 32 << 20, BodiesAddress: 8 << 20, Connections: 25_000, ConnectionsAddress: 1000,
	}
}

// spareValues is how many values the operations of a network may ask for even if those of others ask for all that there
// are: those of a page.
const spareValues = 2000

// ValuesRoom returns the room for the values that all running operations ask for: each takes up to a kilobyte of memory
// until the answer is written. There is room for an operation at the limit and others a quarter as large.
func (l Limits) ValuesRoom() *turns.Room {
	return turns.NewRoom(l.Values+l.Values/4, l.Values, spareValues)
}

// ceiling is the maximum of all counts, so that sums and products do not overflow. It is above any value of a limit.
const ceiling = 1 << 30

// limitField is a limit that can be set by name.
type limitField struct {
	name, about string
	of          func(*Limits) *int
}

var limitFields = []limitField{
	{"body", "bytes of a request's body", func(l *Limits) *int { return &l.Body }},
	{"tokens", "tokens of a document", func(l *Limits) *int { return &l.Tokens }},
	{"name-length", "bytes of a name or number in a document", func(l *Limits) *int { return &l.NameLength }},
	{"depth", "nested fields; the introspection query of tools needs 15", func(l *Limits) *int { return &l.Depth }},
	{"fields", "fields of a document, with fragments expanded", func(l *Limits) *int { return &l.Fields }},
	{"root-fields", "fields at the root of a query", func(l *Limits) *int { return &l.RootFields }},
	{"mutation-fields", "fields at the root of a mutation", func(l *Limits) *int { return &l.MutationFields }},
	{"aliases", "fields with an alias, with fragments expanded", func(l *Limits) *int { return &l.Aliases }},
	{"directives", "directives of a document, with fragments expanded", func(l *Limits) *int { return &l.Directives }},
	{"fragments", "fragments that a document defines or names", func(l *Limits) *int { return &l.Fragments }},
	{"spreads", "spreads and inline fragments, with fragments expanded", func(l *Limits) *int { return &l.Spreads }},
	{
		"duplicates",
		"selections of one name in one selection set, with fragments expanded",
		func(l *Limits) *int { return &l.Duplicates },
	},
	{
		"list-size",
		"entries of a list in a document, or of all lists and objects in the variables",
		func(l *Limits) *int { return &l.ListSize },
	},
	{"variables", "bytes of the variables", func(l *Limits) *int { return &l.Variables }},
	{
		"variables-depth",
		"nested lists and objects in the variables",
		func(l *Limits) *int { return &l.VariablesDepth },
	},
	{"errors", "errors of an answer", func(l *Limits) *int { return &l.Errors }},
	{"rows", "rows of all lists that an operation asks for", func(l *Limits) *int { return &l.Rows }},
	{"values", "values of fields that an operation asks for", func(l *Limits) *int { return &l.Values }},
	{"answer", "bytes of an answer", func(l *Limits) *int { return &l.Answer }},
	{"work", "weighted bytes of the texts that an operation reads and shows", func(l *Limits) *int { return &l.Work }},
	{"answers", "bytes of all answers produced or sent at a time", func(l *Limits) *int { return &l.Answers }},
	{
		"answers-address",
		"bytes of the answers produced for or sent to one address",
		func(l *Limits) *int { return &l.AnswersAddress },
	},
	{"live", "sockets and streams open at a time", func(l *Limits) *int { return &l.Live }},
	{"live-address", "sockets and streams of one address", func(l *Limits) *int { return &l.LiveAddress }},
	{"live-anonymous", "sockets and streams without sign-in", func(l *Limits) *int { return &l.LiveAnonymous }},
	{
		"live-anonymous-address",
		"sockets and streams of one address without sign-in",
		func(l *Limits) *int { return &l.LiveAnonymousAddress },
	},
	{
		"live-subscriptions",
		"subscriptions of one viewer, or of an address without sign-in; an address has four times as many",
		func(l *Limits) *int { return &l.LiveSubscriptions },
	},
	{
		"live-values",
		"values that one event of each of these asks for together; an address has four times as many",
		func(l *Limits) *int { return &l.LiveValues },
	},
	{"live-body", "bytes of a subscription's request", func(l *Limits) *int { return &l.LiveBody }},
	{
		"bodies",
		"bytes of all bodies, and messages of sockets, held at a time",
		func(l *Limits) *int { return &l.Bodies },
	},
	{"bodies-address", "bytes of these of one address", func(l *Limits) *int { return &l.BodiesAddress }},
	{
		"connections",
		"connections open at a time, except those of trusted proxies",
		func(l *Limits) *int { return &l.Connections },
	},
	{
		"connections-address",
		"connections of one address, unless it is a trusted proxy's",
		func(l *Limits) *int { return &l.ConnectionsAddress },
	},
	{"pings", "pings and pongs of one socket a minute", func(l *Limits) *int { return &l.Pings }},
}

// Names returns the names that Set accepts.
func Names() []string {
	names := make([]string, len(limitFields))
	for i, f := range limitFields {
		names[i] = f.name
	}
	return names
}

// Help returns the name, default and meaning of each limit, one per line.
func Help() string {
	var b strings.Builder
	defaults := Defaults()
	for _, f := range limitFields {
		fmt.Fprintf(&b, "%-23s %8d  %s\n", f.name, *f.of(&defaults), f.about)
	}
	return b.String()
}

// Set changes one limit, passed as "name=number".
func (l *Limits) Set(assignment string) error {
	name, text, ok := strings.Cut(assignment, "=")
	if !ok {
		return fmt.Errorf("limit %.100q is not of the form name=number, such as rows=%d", assignment, Defaults().Rows)
	}
	for _, f := range limitFields {
		if f.name != name {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n >= ceiling {
			return fmt.Errorf("limit %s: %.100q is not a whole number from 1 to %d", name, text, ceiling-1)
		}
		*f.of(l) = n
		return nil
	}
	return fmt.Errorf("there is no limit %.100q; the limits are %s", name, strings.Join(Names(), ", "))
}

// Exceeded refuses a request that exceeds a limit, with the limit and the value. If counting stops at the limit, the
// value is one more.
func Exceeded(code, what string, limit, value int) *gqlerror.Error {
	return &gqlerror.Error{
		Message:    fmt.Sprintf("%s: at most %d allowed.", what, limit),
		Extensions: map[string]any{"code": code, "limit": limit, "value": value},
	}
}

// maxMessage is the longest message of an error, in bytes: validation messages repeat what the client sent.
const maxMessage = 1000

// CapErrors returns at most max errors; if there are more, the last one says how many were left out. Messages are cut
// to maxMessage.
func CapErrors(list gqlerror.List, max int) gqlerror.List {
	total := len(list)
	capped := make(gqlerror.List, 0, min(total, max))
	for _, err := range list {
		if total > max && len(capped) == max-1 {
			break
		}
		if len(err.Message) > maxMessage {
			short := *err
			short.Message = cut(err.Message, maxMessage)
			err = &short
		}
		capped = append(capped, err)
	}
	if left := total - len(capped); left > 0 {
		capped = append(
			capped,
			Exceeded("TOO_MANY_ERRORS", fmt.Sprintf("Too many errors, %d of them are left out", left), max, total),
		)
	}
	return capped
}

// cut shortens a text to at most n bytes, without splitting a character.
func cut(s string, n int) string {
	n -= len("…")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
