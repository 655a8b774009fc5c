// Package live serves live connections: sockets of graphql-transport-ws (socket*.go), streams of server-sent events
// (stream.go), and the subscriptions that they share (shared_subscription*.go). Connections holds all of them; the
// GraphQL endpoint is their Host.
package live
