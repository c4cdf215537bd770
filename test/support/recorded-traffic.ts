import type { HttpRequest, OpenHttpClient } from '../../src/core/http.js';
import { openHttpClient } from '../../src/upstream/client.js';

/** A request as it was sent, with lower-case header names. */
export interface SentRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

interface RecordedTraffic {
  readonly openHttpClient: OpenHttpClient;
  readonly sent: SentRequest[];
  /** Requests without a reply yet. */
  readonly underWay: () => number;
  /** Returns the maximum number of concurrent requests so far. */
  readonly most: () => number;
}

/** Creates real clients that record their requests, except those to the paths that `aside` selects. */
export function recordTraffic(aside: (path: string) => boolean = () => false): RecordedTraffic {
  const sent: SentRequest[] = [];
  let [underWay, most] = [0, 0];
  return {
    sent,
    underWay: () => underWay,
    most: () => most,
    openHttpClient: (options) => {
      const http = openHttpClient(options);
      return {
        ...http,
        send: async (request, ...rest) => {
          const seen = sentRequest(request);
          if (!aside(seen.path)) sent.push(seen);
          underWay += 1;
          most = Math.max(most, underWay);
          return http.send(request, ...rest).finally(() => (underWay -= 1));
        },
      };
    },
  };
}

function sentRequest({ method, url, headers, body }: HttpRequest): SentRequest {
  const { pathname, search } = new URL(url);
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    method,
    path: pathname + search,
    headers: Object.fromEntries(lower) as Record<string, string>,
    body: body?.toString() ?? '',
  };
}
