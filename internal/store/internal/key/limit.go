package key

// Rate is a LIST: times of the latest calls of one caller, a pseudonym.
func Rate(what, who string) string { return "rate:{" + what + ":" + who + "}" }

// Failures is a STRING: when the failed sign-ins with a name, a pseudonym, are forgotten.
func Failures(name string) string { return "rate:{failures:" + name + "}" }

// Attempts is a HASH: the failed sign-ins with a name from one address, both pseudonyms.
func Attempts(name, address string) string { return Failures(name) + ":" + address }
