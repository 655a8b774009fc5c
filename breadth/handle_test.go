package breadth_test

import (
	"reflect"
	"strings"

	"agora/breadth/internal/fixture"
)

// load treats the result of a resolver as our executor does: it loads the handles, and removes the missing ones.
func load(v reflect.Value, field string) {
	loose := strings.HasSuffix(field, "oles")
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if h, ok := v.Interface().(*fixture.Handle); ok {
			if h.Load(); h.Missing() {
				v.SetZero()
				return
			}
		}
		load(v.Elem(), "")
	case reflect.Interface:
		if v.Elem().Kind() == reflect.Pointer {
			load(v.Elem().Elem(), "")
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				load(v.Field(i), v.Type().Field(i).Name)
			}
		}
	case reflect.Slice:
		_, handles := v.Interface().([]*fixture.Handle)
		present := reflect.MakeSlice(v.Type(), 0, v.Len())
		for i := range v.Len() {
			e := v.Index(i)
			there := !handles || !e.IsNil()
			load(e, field)
			if handles && there && e.IsNil() && !loose {
				continue
			}
			present = reflect.Append(present, e)
		}
		if !v.IsNil() {
			v.Set(present)
		}
	}
}
