package breadthtest

import (
	"math"
	"reflect"

	"github.com/99designs/gqlgen/graphql"
)

// Rand generates pseudo-random numbers; its value is its state. Source: Steele, Lea and Flood, "Fast Splittable
// Pseudorandom Number Generators".
type Rand uint64

// Next returns 64 random bits.
func (r *Rand) Next() uint64 {
	*r += 0x9e3779b97f4a7c15
	return mix(uint64(*r))
}

// Intn returns a number from 0 to n-1.
func (r *Rand) Intn(n int) int { return int(r.Next() >> 33 % uint64(n)) }

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// hashText and hash add to a hash h.
func hashText(h uint64, s string) uint64 {
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return mix(h)
}

func hash(h uint64, v reflect.Value, depth int) uint64 {
	if !v.IsValid() || depth == 0 {
		return mix(h + 1)
	}
	if v.CanInterface() {
		if k, ok := v.Interface().(Keyed); ok && !(v.Kind() == reflect.Pointer && v.IsNil()) {
			return mix(h ^ k.Key())
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return mix(h + 2)
		}
		return mix(h + 3)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return mix(h ^ mix(uint64(v.Int())))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return mix(h ^ mix(v.Uint()))
	case reflect.Float32, reflect.Float64:
		return mix(h ^ math.Float64bits(v.Float()))
	case reflect.String:
		return hashText(h, v.String())
	case reflect.Pointer, reflect.Interface:
		return hash(mix(h+4), v.Elem(), depth-1)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			h = hash(h, v.Index(i), depth-1)
		}
		return mix(h + uint64(v.Len()))
	case reflect.Struct:
		for i := range v.NumField() {
			h = hash(h, v.Field(i), depth)
		}
	}
	return mix(h + 5)
}

var words = []string{"", "a", "tea", "green tea", "\"quoted\"", "back\\slash", "line\nfeed", "tab\t", "bell\a", "für",
	"茶", "🍵", "</script>", "\u2028"}

var marshaler = reflect.TypeFor[graphql.Marshaler]()

// fill stores a random value in v.
func (w *World) fill(r *Rand, v reflect.Value, depth int) {
	if make := w.Make[v.Type()]; make != nil {
		if made := make(w, r); made != nil {
			v.Set(reflect.ValueOf(made))
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.Intn(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt([]int64{0, 1, -1, int64(r.Intn(100)), int64(r.Intn(math.MaxInt32))}[r.Intn(5)])
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Next() & 127)
	case reflect.Float32, reflect.Float64:
		v.SetFloat([]float64{0, 1.5, -0.25, 1e21, 1e-9, float64(r.Intn(1000))}[r.Intn(6)])
	case reflect.String:
		if v.Type().Implements(marshaler) { // an enum
			v.SetString([]string{"ONE", "TWO", "THREE"}[r.Intn(3)])
		} else {
			v.SetString(words[r.Intn(len(words))])
		}
	case reflect.Pointer:
		if depth > 0 && r.Intn(8) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			w.fill(r, v.Elem(), depth-1)
		}
	case reflect.Slice:
		w.fillSlice(r, v, depth)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				w.fill(r, v.Field(i), depth)
			}
		}
	case reflect.Interface:
		w.fillInterface(r, v, depth)
	case reflect.Chan:
		w.fillChannel(r, v)
	}
}

func (w *World) fillSlice(r *Rand, v reflect.Value, depth int) {
	n := []int{-1, 0, 1, 1, 2, 2, 3}[r.Intn(7)]
	if n < 0 {
		return
	}
	if depth <= 0 {
		n = 0
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		w.fill(r, v.Index(i), depth-1)
	}
}

// fillInterface stores a value of one of the known types, or nothing. It never stores a nil pointer; see
// TestNilPointerInAnInterface.
func (w *World) fillInterface(r *Rand, v reflect.Value, depth int) {
	var fit []reflect.Type
	for _, t := range w.Types {
		if t.Implements(v.Type()) {
			fit = append(fit, t)
		}
	}
	if len(fit) == 0 || r.Intn(12) == 0 || depth <= 0 {
		return
	}
	t := fit[r.Intn(len(fit))]
	held := reflect.New(t).Elem()
	if t.Kind() == reflect.Pointer && w.Make[t] == nil {
		held.Set(reflect.New(t.Elem()))
		w.fill(r, held.Elem(), depth-1)
	} else {
		w.fill(r, held, depth-1)
	}
	v.Set(held)
}

// fillChannel stores a channel with some events, which is closed after them.
func (w *World) fillChannel(r *Rand, v reflect.Value) {
	n := r.Intn(4)
	events := reflect.MakeChan(reflect.ChanOf(reflect.BothDir, v.Type().Elem()), n)
	for range n {
		e := reflect.New(v.Type().Elem()).Elem()
		w.fill(r, e, 5)
		events.Send(e)
	}
	events.Close()
	v.Set(events.Convert(v.Type()))
}

// Fill stores a random value in what p points to.
func (w *World) Fill(r *Rand, p any) { w.fill(r, reflect.ValueOf(p).Elem(), 4) }
