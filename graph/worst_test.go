package graph_test

import (
	"fmt"
	"hash/fnv"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/httpserver/limit"
)

// What one request of a guest may cost the server.
const (
	mostBytes = 64 << 20
	// mostHashed is how often a process hashes 64 MiB in the CPU time that a request may take: the speed of the machine
	// varies. That is about a second.
	mostHashed = 9
)

// Whatever field a guest asks for, as often as the limits allow, of objects whose texts are as long as they may be: no
// request makes the server allocate more than 64 MiB or compute for more than about a second.
func TestNoFieldCostsTooMuch(t *testing.T) {
	w := newWorst(t, scale{users: 20, topics: 60, comments: 12, sessions: 2})
	tooMany := "{site{" + w.repeated(w.field("Site", "name"), 1+limit.Defaults().Aliases) + "}}"
	if e := w.run(tooMany, true); e.code != "TOO_MANY_ALIASES" {
		t.Fatalf("more aliases than the limit: %q", e.code)
	}
	requests, cases := 0, 0
	w.eachCase(func(name string, way []step, fields []*ast.FieldDefinition) {
		cases++
		for _, wide := range []bool{false, true} {
			document := w.largest(way, fields, wide)
			if document == "" {
				t.Errorf("%s: no request for it is within the limits", name)
				continue
			}
			requests++
			w.wantCheap(name, document)
		}
	})
	t.Logf("%d requests for %d cases; a unit of the cost takes up to %.2f µs of a core, for %s", requests, cases,
		w.dearest.micros, w.dearest.name)
	w.wantLittleAtOnce(w.ways())
}

// wantCheap runs a document. CPU time counts what else the process does, so the lowest of a few tries counts.
func (w *worst) wantCheap(name, document string) {
	w.t.Helper()
	var e effort
	for range 3 {
		if e = w.run(document, false); e.bytes <= mostBytes && quick(e.cpu) {
			break
		}
	}
	const anyway = 150 // what a request costs besides, in httpserver
	micros := func() float64 { return float64(e.cpu.Microseconds()) / float64(e.cost+anyway) }
	for i := 0; i < 3 && micros() > w.dearest.micros; i++ { // the document is cached: validation is charged apart
		e.cpu = min(e.cpu, w.run(document, false).cpu)
	}
	if e.cost > 0 && micros() > w.dearest.micros {
		w.dearest.micros, w.dearest.name = micros(), name
	}
	if e.bytes > mostBytes || !quick(e.cpu) {
		w.t.Errorf("%s: %d MiB allocated, %v of CPU time, %.0f %% of a limit used, %s: %.300s … %.200s", name, e.bytes>>20,
			e.cpu, 100*e.used, e.code, document, e.answerHead)
	}
}

// quick reports whether a request took no more CPU time than it may at the machine's present speed.
func quick(took time.Duration) bool {
	if took < time.Second/2 {
		return true
	}
	hash, some, begin := fnv.New64a(), make([]byte, 1<<20), cpuTime()
	for range mostHashed * 64 {
		if _, _ = hash.Write(some); took <= cpuTime()-begin {
			return true
		}
	}
	return false
}

// isRead reports whether the fields of a type can be read by queries.
func (w *worst) isRead(def *ast.Definition) bool {
	if def.Kind != ast.Object || strings.HasPrefix(def.Name, "__") || def == w.schema.Mutation ||
		def == w.schema.Subscription {
		return false
	}
	for _, suffix := range []string{"Payload", "Event"} {
		if strings.HasSuffix(def.Name, suffix) {
			return false
		}
	}
	return !slices.Contains(def.Interfaces, "UserError")
}

// cases returns the fields of a type, each alone, but those together that only show a part of an object and no text.
func (w *worst) cases(def *ast.Definition) (all [][]*ast.FieldDefinition) {
	var plain []*ast.FieldDefinition
	for _, f := range def.Fields {
		switch {
		case strings.HasPrefix(f.Name, "__"):
		case len(f.Arguments) == 0 && w.schema.Types[f.Type.Name()].IsLeafType() && f.Type.Name() != "String":
			plain = append(plain, f)
		default:
			all = append(all, []*ast.FieldDefinition{f})
		}
	}
	if plain != nil {
		all = append(all, plain)
	}
	return all
}

// step is a field on the way to a type, and the type that it is followed on, if it returns an abstract one.
type step struct {
	of, on string
	field  *ast.FieldDefinition
}

// ways returns the shortest way to each type, by `nodes` if it can be.
func (w *worst) ways() map[string][]step {
	found := map[string][]step{w.schema.Query.Name: {}}
	queue := []string{w.schema.Query.Name}
	for len(queue) > 0 {
		typ := queue[0]
		queue = queue[1:]
		fields := slices.Clone(w.schema.Types[typ].Fields)
		slices.SortStableFunc(fields, func(a, b *ast.FieldDefinition) int { // lists first
			return max(0, strings.Index(b.Type.String(), "[")+1) - max(0, strings.Index(a.Type.String(), "[")+1)
		})
		for _, f := range fields {
			to := w.schema.Types[f.Type.Name()]
			for _, t := range w.schema.GetPossibleTypes(to) {
				next := step{of: typ, field: f}
				if to.IsAbstractType() {
					next.on = t.Name
				}
				if _, known := found[t.Name]; known || strings.HasPrefix(t.Name, "__") ||
					f.Name == "nodes" && typ == "Query" && w.ids[t.Name] == nil || f.Name == "node" && typ == "Query" {
					continue
				}
				found[t.Name] = append(slices.Clip(found[typ]), next)
				queue = append(queue, t.Name)
			}
		}
	}
	return found
}

// largest returns the largest document of fields that is not refused: with as many aliases as there may be, or with
// lists as long as they may be and then as many aliases as fit; "" if none is accepted.
func (w *worst) largest(way []step, fields []*ast.FieldDefinition, wide bool) string {
	accepted := func(size, aliases int) string {
		if d := w.document(way, fields, size, aliases); w.run(d, true).code == "" {
			return d
		}
		return ""
	}
	sizes, aliases := []int{100, 50, 25, 12, 6, 3, 2, 1}, []int{limit.Defaults().Aliases, 50, 25, 12, 6, 3, 1}
	if wide {
		for _, size := range sizes {
			if accepted(size, 1) == "" {
				continue
			}
			for _, n := range aliases {
				if d := accepted(size, n); d != "" {
					return d
				}
			}
		}
		return ""
	}
	for _, n := range aliases {
		for _, size := range sizes {
			if d := accepted(size, n); d != "" {
				return d
			}
		}
	}
	return ""
}

// document writes a query for fields under some aliases, of objects in lists of a size.
func (w *worst) document(way []step, fields []*ast.FieldDefinition, size, aliases int) string {
	var b strings.Builder
	end := ""
	b.WriteString("{")
	for _, s := range way {
		b.WriteString(s.field.Name + w.arguments(s.of, s.field, size, 0, s.on) + "{")
		end += "}"
		if s.on != "" {
			b.WriteString("...on " + s.on + "{")
			end += "}"
		}
	}
	of := w.schema.Query.Name
	if len(way) > 0 {
		last := way[len(way)-1]
		if of = last.on; of == "" {
			of = last.field.Type.Name()
		}
	}
	if len(way) == 0 {
		aliases = min(aliases, limit.Defaults().RootFields)
	}
	for i := range aliases {
		f := fields[i%len(fields)]
		fmt.Fprintf(&b, "a%d:%s%s%s ", i, f.Name, w.arguments(of, f, size, i, ""), w.below(f, size))
	}
	return b.String() + end + "}"
}

// below selects something of what a field returns that has to be read.
func (w *worst) below(f *ast.FieldDefinition, size int) string {
	def := w.schema.Types[f.Type.Name()]
	if def.IsLeafType() {
		return ""
	}
	if nodes := def.Fields.ForName("nodes"); nodes != nil {
		return "{nodes" + w.below(nodes, size) + "}"
	}
	var b strings.Builder
	chosen := map[string]bool{} // fields of one name may differ in type
	for _, t := range w.schema.GetPossibleTypes(def) {
		if def.IsAbstractType() && !slices.Contains([]string{"Topic", "Comment", "User"}, t.Name) {
			continue // the number of fragments is limited
		}
		leaf := "__typename"
		for _, f := range t.Fields {
			if w.schema.Types[f.Type.Name()].IsLeafType() && len(f.Arguments) == 0 && f.Name != "id" && !chosen[f.Name] {
				leaf = f.Name
				break
			}
		}
		if !def.IsAbstractType() {
			return "{" + leaf + "}"
		}
		chosen[leaf] = true
		fmt.Fprintf(&b, "...on %s{%s}", t.Name, leaf)
	}
	return "{" + b.String() + "}"
}

func (w *worst) field(typ, name string) *ast.FieldDefinition {
	return w.schema.Types[typ].Fields.ForName(name)
}

func (w *worst) repeated(f *ast.FieldDefinition, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d:%s ", i, f.Name)
	}
	return b.String()
}

// arguments writes the arguments of a field under its i-th alias: lists of a size, and one of the ways to ask for more
// than what is returned.
func (w *worst) arguments(of string, f *ast.FieldDefinition, size, i int, on string) string {
	args := map[string]string{}
	pick := func(values ...string) string { return values[i%len(values)] }
	for _, a := range f.Arguments {
		value := ""
		switch a.Name {
		case "ids":
			ids := w.ids[on]
			if on == "" {
				ids = slices.Concat(w.ids["Topic"], w.ids["Comment"])
			}
			value = fmt.Sprintf("%q", ids[:min(size, len(ids))])
			value = strings.ReplaceAll(value, `" "`, `","`)
		case "id":
			value = fmt.Sprintf("%q", w.ids["Topic"][i%len(w.ids["Topic"])])
		case "by":
			ids := w.ids[f.Type.Name()]
			if len(ids) == 0 {
				w.t.Fatalf("%s.%s: have collect in worst_site_test.go find ids of %s", of, f.Name, f.Type.Name())
			}
			value = fmt.Sprintf("{id:%q}", ids[i%len(ids)])
		case "first": // another page for each alias
			value = fmt.Sprint(max(1, size-i))
		case "name":
			value = `"green tea"`
		case "content":
			value = `"**a** @user03"`
		case "kind":
			value = "WORD"
		case "category":
			if of != "Query" {
				value = fmt.Sprintf("{id:%q}", w.ids["Category"][i%len(w.ids["Category"])])
			}
		case "length":
			value = fmt.Sprint(20 + 9*i)
		case "context":
			value = fmt.Sprint(i % 21)
		case "orderBy":
			switch a.Type.Name() {
			case "TopicOrder":
				value = pick("{field:TOP}", "{field:CONTROVERSIAL}", "{field:HOT}", "{field:ACTIVE}")
			case "CommentOrder":
				value = pick("TOP", "OLDEST", "NEWEST")
			}
		case "kinds":
			value = pick("", "[ARTICLE]", "", "[STATUS]")
		case "walk":
			value = pick("", "", "FIXED", "", "")
		case "skip":
			value = pick("", "", "", "100")
		case "action":
			value = pick("", "BAN", "LOCK")
		case "prefix":
			value = pick(`"user"`, `"g"`)
		}
		args[a.Name] = value
	}
	if args["kinds"] != "" {
		args["walk"], args["skip"] = "", ""
	}
	return written(f, args)
}

// written returns arguments in the order of their definitions.
func written(f *ast.FieldDefinition, args map[string]string) string {
	var all []string
	for _, a := range f.Arguments {
		if args[a.Name] != "" {
			all = append(all, a.Name+": "+args[a.Name])
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// wantLittleAtOnce checks that many costly requests at once raise the memory of the process by at most 512 MiB, whether
// they come from one address or from many, and that other requests are answered meanwhile.
func (w *worst) wantLittleAtOnce(ways map[string][]step) {
	w.t.Helper()
	const most, atOnce = 512 << 20, 40
	var documents []string
	for _, of := range [][2]string{{"Topic", "comments"}, {"Topic", "contentHtml"}, {"Comment", "content"},
		{"Revision", "hunks"}} {
		documents = append(documents, w.largest(ways[of[0]], []*ast.FieldDefinition{w.field(of[0], of[1])}, false))
	}
	before := resident()
	peak := before
	for _, addresses := range []int{1, atOnce} {
		var all sync.WaitGroup
		done := make(chan struct{})
		for i := range atOnce {
			all.Go(func() {
				w.runFrom(fmt.Sprintf("192.0.2.%d:5000", i%addresses), documents[i%len(documents)], false)
			})
		}
		go func() { // ends with the requests
			defer close(done)
			all.Wait()
		}()
		small := w.document(nil, []*ast.FieldDefinition{w.field("Query", "front")}, 1, 1)
		for busy := true; busy; {
			if e := w.runFrom("198.51.100.7:5000", small, false); e.code != "" {
				w.t.Errorf("a small request: %s", e.answerHead)
			}
			peak = max(peak, resident())
			select {
			case <-done:
				busy = false
			default:
			}
		}
		w.t.Logf("%d requests from %d addresses: %d MiB more", atOnce, addresses, (peak-before)>>20)
	}
	if peak > before+most {
		w.t.Errorf("resident memory rose from %d to %d MiB; want at most %d more", before>>20, peak>>20, most>>20)
	}
}

// resident returns the resident memory of the process, without what could be returned to the system.
func resident() int {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return int(s[0].Value.Uint64() - s[1].Value.Uint64())
}
