package key

// Rate is a LIST: times of the latest calls of one caller, a pseudonym (Unix ms), latest first. Expires
// ExpiryGrace after its window.
func Rate(what, who string) string { return "rate:{" + what + ":" + who + "}" }

// Failures is a STRING: when the failed sign-ins with a name, a pseudonym, are forgotten (Unix ms). Expires
// FailureWindow + ExpiryGrace after the last failure.
func Failures(name string) string { return "rate:{failures:" + name + "}" }

// Attempts is a HASH: n, since, due: failed sign-ins with a name from one address, both pseudonyms. Expires
// FailureWindow + ExpiryGrace after the last.
func Attempts(name, address string) string { return Failures(name) + ":" + address }
