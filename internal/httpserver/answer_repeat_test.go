//go:build !race

package httpserver

// gqlgen's executor is large: it is not compiled with the race detector.

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"

	"agora/internal/httpserver/live"
	"agora/internal/test/must"
	"agora/internal/test/oracle"
	"agora/internal/test/testlevel"
)

// whole is an answer with its errors.
type whole struct {
	Data   json.RawMessage
	Errors []failure
}

type failure struct {
	Message string
	Path    []any
}

// Equal ids and fields with several aliases return what gqlgen's executor returns for each, including errors, and are
// rendered once.
func TestRepeatedObjectsAreWhole(t *testing.T) {
	testlevel.WithoutRace(t)
	testlevel.Generated(t, oracle.Present)
	var made Options
	s := newServer(t, func(o *Options) { made = *o })
	made.Executable, made.Live, made.Log = oracle.Schema(made.Resolver), live.New(), slog.New(slog.DiscardHandler)
	stock := &server{Handler: New(made), t: t}
	ids := longTexts(t, s, 2, "some plain words of it, and no more than *one* mark ")
	for _, fields := range []string{
		"id a:contentHtml contentHtml b:contentHtml",
		"id author{login} a:author{id} topic{title comments(first:2){nodes{id contentHtml}}} replies(first:0){totalCount}",
		`replies(after:"nonsense"){totalCount} id`,
	} {
		query := nodesOf([]string{ids[0], ids[1], ids[0], ids[0]}, fields)
		var got, want whole
		for to, from := range map[any]*server{&got: s, &want: stock} {
			must.OK(t, json.Unmarshal(from.post(query).Body.Bytes(), to))
		}
		for _, errs := range [][]failure{got.Errors, want.Errors} {
			slices.SortFunc(errs, func(a, b failure) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s returns %.300s %v; want %.300s %v", fields, got.Data, got.Errors, want.Data, want.Errors)
		}
	}
}
