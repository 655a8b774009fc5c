package forum

// Handle says what is known of an object in a response. It is embedded in the types that a response may refer to before
// reading them. The zero Handle is that of an object that was read.
type Handle struct {
	Status HandleStatus
	// Alias reports that this is a second handle of the object, with other rules: a list shows
	// deleted topics to no viewer.
	Alias bool
	// Failure is the error of a failed read.
	Failure error
}

// HandleStatus is the state of a handle.
type HandleStatus uint8

// The states of a handle.
const (
	// Whole is an object that was read.
	Whole HandleStatus = iota
	// Named is an object of which nothing but the id is known yet.
	Named
	// Requested is one that the next pipeline reads.
	Requested
	// Absent is an object that does not exist or that the viewer may not see.
	Absent
	// Failed is an object that could not be read.
	Failed
)

// Unread reports whether the object was not read yet.
func (h *Handle) Unread() bool { return h.Status == Named || h.Status == Requested }

// Missing reports whether the object does not exist or the viewer may not see it.
func (h *Handle) Missing() bool { return h.Status == Absent }
