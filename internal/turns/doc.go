// Package turns shares the processors among networks, and within a network among its users.
//
// Whatever takes processor time for a caller has a [Turn]. About as many turns run at a time as there are processors;
// the others wait. The next turn goes to the network that has used the least time, and within it to the user who has;
// what has taken little goes first within narrow bounds.
// So one network delays another by moments only, however much it sends: more connections or accounts bring no larger
// share. A network that is alone has all processors.
//
// A turn that waits for something else, such as Redis or a slow client, is paused meanwhile. A turn that runs on offers
// its processor to others between its steps; if one does not for [overrun], its processor is given away all the same.
//
// A [Room] is the same for what is not time: it bounds how much all callers hold together, and whoever holds least is
// served first.
package turns
