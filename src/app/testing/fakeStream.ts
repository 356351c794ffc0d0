interface FakeStream {
  /** A new connection, which is told what was said last. */
  answer: () => Response;
  say: (event: object) => void;
  /** Ends every connection. */
  end: () => void;
  /** How many read it now. */
  readers: () => number;
}

/** What a server tells by a stream, as the test says it. */
export function fakeStream(first: object): FakeStream {
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const written = (event: object) => new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`);
  let last = first;
  return {
    answer: () => {
      let connection: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>({
        start: (it) => {
          connection = it;
          open.add(it);
          it.enqueue(written(last));
        },
        cancel: () => void open.delete(connection),
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
    },
    say: (event) => {
      last = event;
      for (const it of open) it.enqueue(written(event));
    },
    end: () => {
      for (const it of open) it.close();
      open.clear();
    },
    readers: () => open.size,
  };
}
