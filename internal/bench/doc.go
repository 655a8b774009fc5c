// Package bench measures what GraphQL costs: replies a second through the whole
// server, as a ratio to bare go-redis that sends the same commands.
package bench
