// Package limit bounds what requests may ask for and hold. Limits are the numbers, which the command line sets; its
// methods check a text, a document, variables and costs before the work that they bound. Budget, Ledger, Arrivals,
// Turns and Shares bound what all requests have at a time: values, bytes of answers, bytes of bodies, events and
// subscriptions. Connections bounds a listener.
package limit
