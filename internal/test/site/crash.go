package site

// crash is the panic value of a process that is killed.
type crash struct{}

// KillAt returns an observer of steps that kills a process just before its nth step of that name, or of any if it
// is "".
func KillAt(step string, n int) func(string) {
	return func(name string) {
		if step != "" && name != step {
			return
		}
		if n--; n == 0 {
			panic(crash{})
		}
	}
}

// Killed calls f, which may be killed, and reports whether it was.
func Killed(f func()) (died bool) {
	defer func() {
		switch r := recover(); r {
		case nil:
		case crash{}:
			died = true
		default:
			panic(r)
		}
	}()
	f()
	return false
}
