import type { RestCall, UpstreamReply } from '../../core/adapter.js';

const METHODS = ['GET', 'PATCH', 'PUT', 'POST', 'DELETE'] as const;

const PATHS = [
  ...[
    '/',
    '/data',
    '/data/',
    '//',
    '/a/../b',
    '/a//b',
    '/?',
    '/a?b=c&b=d',
    '/a?b#c',
    '/.well-known/host-meta',
  ],
  ...['/restconf/data/a:b=c%2Fd?depth=2', '/%', '/%zz', '/ä', '/a b', `/${'a/'.repeat(200)}`],
];

const BODIES = ['{}', '{"a":1.0}', '[]', '"text"', '\0'].map((text) => Buffer.from(text));

/** Calls of every kind and method, with and without a body, frozen. */
export const SAMPLE_CALLS: readonly RestCall[] = METHODS.flatMap((method, row) =>
  PATHS.flatMap((path, column) => {
    const kind = method === 'GET' ? 'query' : 'action';
    const accept =
      ['application/json', 'text/plain, */*;q=0.1', 'application/yang-data+xml'][column % 3] ?? '*/*';
    const plain: RestCall = { kind, method, path, accept };
    const body = BODIES[(row + column) % BODIES.length] ?? Buffer.alloc(0);
    const typed = column % 2 === 0 ? { contentType: 'application/yang-data+json' } : {};
    return [Object.freeze(plain), Object.freeze({ ...plain, ...typed, body })];
  }),
);

const TEXTS = [
  '{"data":[{"a":1}],"errors":[{"message":"no","code":7}]}',
  '{"ietf-restconf:errors":{"error":[{"error-type":"rpc","error-tag":"invalid-value","error-message":"no"}]}}',
  '<errors xmlns="urn:a"><error><!-- b --><error-tag>c</error-tag><![CDATA[ ]]>&amp;&#x20;</error></errors>',
  '<html><head><title>502</title></head><body>no</body></html>',
  'plain text\r\nin lines',
];

const ODDITIES = [
  ...[
    '',
    ' ',
    'null',
    'true',
    '0',
    '-',
    '""',
    '"',
    '[]',
    '{}',
    '[',
    '{',
    '{"a"',
    '<',
    '<a',
    '</a>',
    '<!--',
    '&#',
  ],
  ...[
    '{"__proto__":1}',
    '{"errors":null}',
    '{"errors":{}}',
    '{"errors":[null]}',
    '{"data":"\\ud800"}',
    '1e999',
  ],
  ...['['.repeat(20_000), '<a>'.repeat(20_000), '\ufeff{}'],
];

/**
 * Returns a text truncated before each of its bytes, as connections do it, and with each of its bytes
 * corrupted.
 */
function broken(text: string): readonly Buffer[] {
  const whole = Buffer.from(text);
  return [...whole].flatMap((byte, at) => {
    const flipped = Buffer.from(whole);
    flipped[at] = byte ^ 0x80;
    return [whole.subarray(0, at), flipped];
  });
}

const STATUSES = [200, 201, 204, 301, 400, 401, 404, 409, 500, 503];
const TYPES = [
  undefined,
  'application/json',
  'application/yang-data+json',
  'text/xml',
  ['text/xml', 'text/plain'],
  '',
];

/** Replies with various bytes, mostly almost JSON and almost XML. */
export const SAMPLE_REPLIES: readonly UpstreamReply[] = [
  ...[...TEXTS, ...ODDITIES].map((text) => Buffer.from(text)),
  ...TEXTS.flatMap(broken),
  Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
].map((body, at) => {
  const type = TYPES[at % TYPES.length];
  const status = STATUSES[at % STATUSES.length] ?? 200;
  return { status, headers: type === undefined ? {} : { 'content-type': type }, body };
});
