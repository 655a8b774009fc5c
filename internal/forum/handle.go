package forum

// Part is how much of an object is read.
type Part uint8

// The parts of objects. Each includes the one before.
const (
	// Nothing is the id alone.
	Nothing Part = iota
	// Basics is what most readers need: everything but the text of a post and the counts of a user.
	Basics
	// Everything is the whole object.
	Everything
)

// Handle records how much of an object is loaded. It is embedded in the types that a response may
// refer to before reading them. The zero Handle is that of a fully loaded object.
type Handle struct {
	Status HandleStatus
	// Known is the part that was read. Nothing else but the id may be used.
	Known Part
	// Asked is the part that the next pipeline reads.
	Asked Part
	// Alias reports that this is a second handle of the object, with other rules: a list shows
	// deleted topics to no viewer.
	Alias bool
	// Failure is the error of a failed read.
	Failure error
	// TextFailure is why a topic or comment that was read has no content: the response has no room for it.
	TextFailure error
}

// HandleStatus is the state of a handle.
type HandleStatus uint8

// The states of a handle.
const (
	// Whole is an object that was not read through a handle; it has everything.
	Whole HandleStatus = iota
	// Named is an object of which the known part was read.
	Named
	// Absent is an object that does not exist or that the viewer may not see.
	Absent
	// Failed is an object that could not be read.
	Failed
)

// Missing reports whether the object does not exist or the viewer may not see it.
func (h *Handle) Missing() bool { return h.Status == Absent }

// Lacks reports whether a part is not known but can be read.
func (h *Handle) Lacks(want Part) bool { return h.Status == Named && want > h.Known }
