import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Listener, listenOnLoopback } from './loopback.js';

/** Items of the lists, as the orchestrators write them: numbers that a double changes stay. */
export const ITEMS: readonly string[] = Array.from(
  { length: 7 },
  (_, at) => `{"id": ${at}, "octets": 1844674407370955161${at}, "rate": ${at}.50}`,
);

/** Number of items of a page. */
const SIZE = 3;

export interface PagingDouble extends Listener {
  readonly url: string;
  /** Targets of the requests since the start. */
  readonly targets: string[];
}

interface Exchange {
  readonly query: URLSearchParams;
  readonly path: string;
  readonly url: string;
  readonly res: ServerResponse;
}

/** What answers a path: JSON, or undefined if it has written the reply itself. */
type Handler = (exchange: Exchange) => string | undefined;

const from = (offset: number, size = SIZE): string => ITEMS.slice(offset, offset + size).join(', ');
const numberIn = (query: URLSearchParams, name: string, preset: number): number =>
  Number(query.get(name) ?? preset);

/** Lists as public documentation of the products describes them. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  // NetBox: absolute URLs in the body, and `http:` behind a TLS proxy.
  '/netbox/devices/': ({ query, path, url }) => {
    const offset = numberIn(query, 'offset', 0);
    const next =
      offset + SIZE < ITEMS.length ? `"${url}${path}?limit=${SIZE}&offset=${offset + SIZE}"` : 'null';
    return `{"count": ${ITEMS.length}, "next": ${next}, "previous": null, "results": [${from(offset)}]}`;
  },
  // ServiceNow: the header Link, with offsets.
  '/servicenow/table': ({ query, path, url, res }) => {
    const offset = numberIn(query, 'sysparm_offset', 0);
    const link = (rel: string, at: number) =>
      `<${url}${path}?sysparm_limit=${SIZE}&sysparm_offset=${at}>;rel="${rel}"`;
    const links = [
      link('first', 0),
      ...(offset + SIZE < ITEMS.length ? [link('next', offset + SIZE)] : []),
      link('last', 6),
    ];
    res.setHeader('link', links.join(','));
    return `{"result": [${from(offset)}]}`;
  },
  // Catalyst Center: an offset that begins with 1, and no total.
  '/catalyst/network-device': ({ query }) =>
    `{"response": [${from(numberIn(query, 'offset', 1) - 1)}], "version": "1.0"}`,
  // Meraki: the header Link with startingAfter, in several headers.
  '/meraki/devices': ({ query, path, url, res }) => {
    const offset = numberIn(query, 'startingAfter', -1) + 1;
    res.setHeader('link', [
      `<${url}${path}?perPage=${SIZE}&startingAfter=0>; rel=first`,
      ...(offset + SIZE < ITEMS.length
        ? [`<${path}?perPage=${SIZE}&startingAfter=${offset + SIZE - 1}>; rel="prefetch next"; title="a, b"`]
        : []),
    ]);
    return ` [ ${from(offset)} ] `;
  },
  // vManage: a token that stays equal, and a boolean.
  '/vmanage/statistics': (() => {
    const positions = new Map<string, number>();
    return ({ query }: Exchange) => {
      const offset = query.has('scrollId') ? (positions.get('scroll 1') ?? 0) : 0;
      positions.set('scroll 1', offset + SIZE);
      const hasMore = offset + SIZE < ITEMS.length;
      return `{"data": [${from(offset)}], "pageInfo": {"scrollId": "scroll 1", "hasMoreData": ${hasMore}}}`;
    };
  })(),
  // GitHub: the header Link with page numbers.
  '/github/issues': ({ query, path, url, res }) => {
    const page = numberIn(query, 'page', 1);
    if (page * SIZE < ITEMS.length)
      res.setHeader(
        'link',
        `<${url}${path}?page=${page + 1}>; rel="next", <${url}${path}?page=3>; rel="last"`,
      );
    return `[${from((page - 1) * SIZE)}]`;
  },
  '/numbered': ({ query }) =>
    `{"total": ${ITEMS.length}, "deep": {"a/b": [${from((numberIn(query, 'p', 1) - 1) * SIZE)}]}}`,
  '/tokens': ({ query, res }) => {
    const offset = numberIn(query, 'marker', 0);
    if (offset + SIZE < ITEMS.length) res.setHeader('X-Next-Marker', String(offset + SIZE));
    return `[${from(offset)}]`;
  },
  // Faults.
  '/endless': ({ query }) => `[{"n": ${numberIn(query, 'offset', 0)}}]`,
  '/ignores': () => `[${from(0)}]`,
  '/circle': ({ query }) =>
    `{"items": [{}], "next": "/base/circle?at=${query.get('at') === 'b' ? 'a' : 'b'}"}`,
  '/elsewhere': ({ query }) => `{"items": [1], "next": "${query.get('to') ?? ''}"}`,
  '/total-too-large': ({ query }) => `{"total": 1000, "items": [${from(numberIn(query, 'offset', 0))}]}`,
  '/total-too-small': ({ query }) => `{"total": 2, "items": [${from(numberIn(query, 'offset', 0))}]}`,
  '/breaks': ({ query, res }) => {
    if (!query.has('offset')) return `[${from(0)}]`;
    res.writeHead(500, { 'content-type': 'application/json' }).end('{"message": "the index is broken"}');
    return undefined;
  },
  // RESTCONF and NSP answer 204 where a list has no more items.
  '/no-content': ({ query, res }) => {
    const offset = numberIn(query, 'offset', 0);
    if (offset < ITEMS.length) return `{"data": [${from(offset)}], "more": null}`;
    res.writeHead(204).end();
    return undefined;
  },
  '/no-list': () => '{"results": {"a": 1}}',
};

/** Starts an orchestrator below `/base` whose lists have pages. */
export async function startPagingDouble(): Promise<PagingDouble> {
  const targets: string[] = [];
  const listener = await listenOnLoopback(
    createServer((req, res) => {
      answer(req, res);
    }),
  );
  const origin = `http://${listener.host}`;
  function answer({ url = '' }: IncomingMessage, res: ServerResponse): void {
    targets.push(url);
    const { pathname, searchParams: query } = new URL(url, origin);
    const handler = HANDLERS[pathname.replace(/^\/base/, '')];
    res.setHeader('content-type', 'application/json');
    const text = handler?.({ query, path: pathname, url: origin, res });
    if (text !== undefined) res.end(text);
    else if (!res.writableEnded) res.writeHead(404).end('{}');
  }
  return { ...listener, url: `${origin}/base`, targets };
}
