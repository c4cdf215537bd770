import { request } from 'undici';
import { keepOutput } from './leak-scan.js';

/** Server-sent events, as a browser processes them. */
export interface EventStream {
  readonly status: number;
  readonly contentType: string;
  /** Resolves with the data of the next event of this name; rejects when the stream ends before. */
  next(name: string): Promise<unknown>;
  /** Resolves with the data of the next event whose data has the pattern; rejects when the stream ends before. */
  nextData(pattern: RegExp): Promise<unknown>;
  /** Resolves to all text, when the server has ended the stream. */
  ended(): Promise<string>;
  leave(): void;
}

/** Requests a stream with a token, or with a name and password in base64; resolves when its head has arrived. */
export async function openEventStream(
  url: string,
  token: string,
  scheme: 'Bearer' | 'Basic' = 'Bearer',
): Promise<EventStream> {
  const leaving = new AbortController();
  const { statusCode, headers, body } = await request(url, {
    headers: { authorization: `${scheme} ${token}` },
    signal: leaving.signal,
  });
  let text = '';
  let read = 0;
  let isOver = false;
  let wake = (): void => undefined;
  const reading = (async () => {
    try {
      for await (const chunk of body) {
        text += String(chunk);
        keepOutput('replies', String(chunk));
        wake();
      }
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
    } finally {
      isOver = true;
      wake();
    }
  })();
  reading.catch(() => undefined);
  /** Resolves with the data of the next event that has this head or this data. */
  async function nextOf(isWanted: (head: string, data: string) => boolean, wanted: string): Promise<unknown> {
    for (;;) {
      const end = text.indexOf('\n\n', read);
      if (end < 0) {
        if (isOver) throw new Error(`the stream ended before ${wanted}: ${text}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const lines = text.slice(read, end).split('\n');
      read = end + 2;
      const line = lines.find((one) => one.startsWith('data: ')) ?? '';
      const data = line.slice('data: '.length);
      if (isWanted(lines[0] ?? '', data)) return JSON.parse(data) as unknown;
    }
  }
  return {
    status: statusCode,
    contentType: String(headers['content-type']),
    next: (name) => nextOf((head) => head === `event: ${name}`, `an event "${name}"`),
    nextData: (pattern) => nextOf((_head, data) => pattern.test(data), String(pattern)),
    async ended() {
      await reading;
      return text;
    },
    leave() {
      leaving.abort();
    },
  };
}
