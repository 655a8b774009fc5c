"use strict";

/**
 * Subscriptions by server-sent events: one POST request each, with the same headers as any other operation. Aborting
 * the request ends the subscription.
 */
const playgroundEvents = (() => {
  const ACCEPT = "text/event-stream";
  const KEEP = 20; // number of events shown

  /** Reports whether an answer is a stream of events. */
  const isStream = (response) => response.headers.get("content-type")?.startsWith(ACCEPT) ?? false;

  /** Parses one event; a comment becomes an empty event. */
  function parse(text) {
    const event = { name: "message", data: "" };
    for (const line of text.split(/\r?\n/)) {
      if (line.startsWith("event:")) {
        event.name = line.slice("event:".length).trim();
      } else if (line.startsWith("data:")) {
        event.data += line.slice("data:".length);
      }
    }
    return event;
  }

  /**
   * Passes each answer of a stream to take, and ends with the stream. Throws if the connection is lost before the
   * server has ended the stream.
   */
  async function read(response, take) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        throw new Error("The connection was lost. Run it again to receive new events.");
      }
      const events = (rest + value).split(/\r?\n\r?\n/);
      rest = events.pop();
      for (const { name, data } of events.map(parse)) {
        if (name === "complete") {
          return;
        }
        if (data.trim() !== "") {
          take(JSON.parse(data));
        }
      }
    }
  }

  /**
   * Collects answers for display: the newest first, with their number. An answer without data is an error, and is
   * shown alone.
   */
  function collector() {
    const newestFirst = [];
    let events = 0;
    return (answer) => {
      if (!answer.data) {
        return answer;
      }
      events += 1;
      newestFirst.unshift(answer);
      newestFirst.length = Math.min(newestFirst.length, KEEP);
      return { events, newestFirst };
    };
  }

  /** Runs a subscription: an observable, as GraphiQL expects from its fetcher. */
  function observe(url, params, headers) {
    return {
      subscribe(observer) {
        const stopped = new AbortController();
        const follow = async () => {
          const response = await playgroundToken.send(url, {
            method: "POST",
            signal: stopped.signal,
            headers: { "content-type": "application/json", accept: ACCEPT, ...headers },
            body: JSON.stringify(params),
          });
          if (isStream(response)) {
            const collect = collector();
            await read(response, (answer) => observer.next(collect(answer)));
          } else {
            observer.next(await response.json());
          }
        };
        follow().then(
          () => observer.complete(),
          (error) => stopped.signal.aborted || observer.error(error),
        );
        return { unsubscribe: () => stopped.abort() };
      },
    };
  }

  return { ACCEPT, collector, isStream, observe, read };
})();
