package httpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"agora/internal/httpserver/jsontext"
	"agora/internal/httpserver/limit"
	"agora/internal/test/must"
)

var jsonSeeds = []string{
	`{"a":[1,2.50,{"b":null}],"c":true,"d":false,"e":""}`, ` { "a" : [ ] , "b" : { } } `, `[[],[[]],{"":{"":0}}]`, `"x"`,
	`-0`, `1e5`, `null`, ` true`,
	`"\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\uD83D\ude00"`, `"\ud83d"`, `"\ud83dA"`, `"\ud83d\u0041"`, `"\ud83d\ud83d\ude00"`,
	`"\ude00\ud83d"`, `"😀é"`, `"\\"`, `"\\u0041"`,
	`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"a":{"b":1,"b":2}}`, `[{"a":1},{"a":2}]`,
	`{"query":"{ __typename }","variables":{"a":[1,"]}",{"b":"\""}]},"x":"\\"}`,
	`{"query":"query A { a }","operationName":"A","documentId":"x","extensions":{"persistedQuery":{"version":1,"sha256Hash":"AB"}},"more":[{"query":1}],"query2":2}`,
}

// Text reads the same values as encoding/json, except for duplicate keys.
func FuzzJSONText(f *testing.F) {
	for _, seed := range jsonSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) || !utf8.Valid(raw) {
			return
		}
		var want any
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		must.OK(t, dec.Decode(&want))
		all := jsontext.Text{Raw: raw}
		if skipped := all.Skip(); !bytes.Equal(skipped, bytes.TrimSpace(raw)) || all.Next() != 0 {
			t.Errorf("skip of %q = %q", raw, skipped)
		}
		whole := jsontext.Text{Raw: raw}
		got, ok := whole.Value()
		if twice := repeats(raw); ok == twice {
			t.Errorf("value of %q: %v; want %v", raw, ok, !twice)
		}
		if ok && (!reflect.DeepEqual(got, want) || whole.Next() != 0) {
			t.Errorf("value of %q = %#v; want %#v", raw, got, want)
		}
	})
}

// repeats reports whether an object in a JSON text has a duplicate key.
func repeats(raw []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(raw))
	var within func() bool
	within = func() bool {
		open, _ := dec.Token()
		delim, nested := open.(json.Delim)
		keys, twice := map[any]bool{}, false
		for nested && dec.More() {
			if delim == '{' {
				key, _ := dec.Token()
				twice = twice || keys[key]
				keys[key] = true
			}
			twice = within() || twice
		}
		if nested {
			_, _ = dec.Token()
		}
		return twice
	}
	return within()
}

// An accepted body is read as encoding/json reads it, and the result does not change when the next body overwrites
// its buffer.
func FuzzReadBody(f *testing.F) {
	for _, seed := range jsonSeeds {
		f.Add([]byte(seed))
	}
	for _, b := range brokenBodies {
		if len(b.body) < 1000 {
			f.Add([]byte(b.body))
		}
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		body := bytes.Clone(sent)
		p, why := readBody(body, limit.Defaults())
		if why != nil || !utf8.Valid(body) {
			return
		}
		var want map[string]any
		dec := json.NewDecoder(bytes.NewReader(sent))
		dec.UseNumber()
		if err := dec.Decode(&want); err != nil {
			t.Fatalf("%q is accepted, but %v", sent, err)
		}
		for i := range body {
			body[i] = 'x'
		}
		for name, got := range map[string]string{"query": p.query, "operationName": p.operationName,
			"documentId": p.documentID} {
			if text, _ := want[name].(string); got != text {
				t.Errorf("%s = %q; want %q", name, got, text)
			}
		}
		for name, got := range map[string]map[string]any{"variables": p.variables, "extensions": p.extensions} {
			if object, _ := want[name].(map[string]any); !reflect.DeepEqual(got, object) {
				t.Errorf("%s = %#v; want %#v", name, got, object)
			}
		}
	})
}

// Buffers of requests and answers are reused without mixing data of different requests, and cached documents do not
// change.
func TestBuffersAreNotShared(t *testing.T) {
	s := newServer(t, nil)
	ask := func(n int) {
		alias := fmt.Sprintf("a%d", n) + strings.Repeat("x", n%50)
		fields, want := "", ""
		if n%10 == 0 { // a large answer
			fields, want = " __schema { types { name description fields { name description } } }", `,"__schema":{"types":[`
		}
		body := asked(
			fmt.Sprintf("query($n: String!) { %s: __typename __type(name: $n) { name } %s }", alias, fields),
			fmt.Sprintf(`{"n": "no%d"}`, n),
		)
		got := s.do("POST", "/graphql", body, isJSON).Body.String()
		if !strings.HasPrefix(got, `{"data":{"`+alias+`":"Query","__type":null`+want) || !json.Valid([]byte(got)) {
			t.Errorf("answer to %s: %.200s; want its own", body, got)
		}
	}
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for range 3 { // the second and third time the documents are cached
				for n := range 20 {
					ask(worker*20 + n)
				}
			}
		})
	}
	wg.Wait()
}

// A body that is larger than the limit for reuse is dropped.
func TestLargeBodiesAreNotKept(t *testing.T) {
	large := bytes.NewBuffer(make([]byte, 0, maxHeldBody+1))
	putBody(large)
	for range 10 {
		if held := bodies.Get().(*bytes.Buffer); held == large {
			t.Error("a buffer above the bound is reused")
		}
	}
}
