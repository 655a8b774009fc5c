// pause is how long to wait before the next attempt: a second or two at first, a minute at most.
export const pause = (attempts, unit = 1000) =>
  new Promise((done) => setTimeout(done, unit * Math.min(2 ** attempts, 30) * (1 + Math.random())));

// resuming makes a client of graphql-ws or graphql-sse continue after the last event that it
// handled: the variable `after` follows the `eventId`s.
export function resuming(client) {
  return {
    ...client,
    subscribe(request, sink) {
      const variables = { ...request.variables };
      return client.subscribe({ ...request, variables }, {
        next(result) {
          sink.next(result);
          for (const event of Object.values(result.data ?? {})) {
            if (event?.eventId) variables.after = event.eventId;
          }
        },
        error: (err) => sink.error(err),
        complete: () => sink.complete(),
      });
    },
  };
}
