import type { RestCall, UpstreamReply } from '../../core/adapter.js';

const SAMPLE_METHODS = ['GET', 'PATCH', 'PUT', 'POST', 'DELETE'] as const;

const SAMPLE_PATHS = [
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

const SAMPLE_BODIES = ['{}', '{"a":1.0}', '[]', '"text"', '\0'].map((text) => Buffer.from(text));

/** Frozen calls of every kind and method, with and without a body. */
export const SAMPLE_CALLS: readonly RestCall[] = SAMPLE_METHODS.flatMap((method, row) =>
  SAMPLE_PATHS.flatMap((path, column) => {
    const kind = method === 'GET' ? 'query' : 'action';
    const accept =
      ['application/json', 'text/plain, */*;q=0.1', 'application/yang-data+xml'][column % 3] ?? '*/*';
    const plain: RestCall = { kind, method, path, accept };
    const body = SAMPLE_BODIES[(row + column) % SAMPLE_BODIES.length] ?? Buffer.alloc(0);
    const typed = column % 2 === 0 ? { contentType: 'application/yang-data+json' } : {};
    return [Object.freeze(plain), Object.freeze({ ...plain, ...typed, body })];
  }),
);

const ERROR_TEXTS = [
  '{"data":[{"a":1}],"errors":[{"message":"no","code":7}]}',
  '{"ietf-restconf:errors":{"error":[{"error-type":"rpc","error-tag":"invalid-value","error-message":"no"}]}}',
  '<errors xmlns="urn:a"><error><!-- b --><error-tag>c</error-tag><![CDATA[ ]]>&amp;&#x20;</error></errors>',
  '<html><head><title>502</title></head><body>no</body></html>',
  'plain text\r\nin lines',
];

const MALFORMED_TEXTS = [
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
 * Returns copies of a text, each truncated before one of its bytes, as a lost connection truncates it, or
 * with one byte corrupted.
 */
function corruptedCopiesOf(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text);
  return [...bytes].flatMap((byte, at) => {
    const flipped = Buffer.from(bytes);
    flipped[at] = byte ^ 0x80;
    return [bytes.subarray(0, at), flipped];
  });
}

const SAMPLE_STATUSES = [200, 201, 204, 301, 400, 401, 404, 409, 500, 503];
const SAMPLE_CONTENT_TYPES = [
  undefined,
  'application/json',
  'application/yang-data+json',
  'text/xml',
  ['text/xml', 'text/plain'],
  '',
];

/** Replies with valid and malformed JSON, XML and other bytes. */
export const SAMPLE_REPLIES: readonly UpstreamReply[] = [
  ...[...ERROR_TEXTS, ...MALFORMED_TEXTS].map((text) => Buffer.from(text)),
  ...ERROR_TEXTS.flatMap(corruptedCopiesOf),
  Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
].map((body, at) => {
  const type = SAMPLE_CONTENT_TYPES[at % SAMPLE_CONTENT_TYPES.length];
  const status = SAMPLE_STATUSES[at % SAMPLE_STATUSES.length] ?? 200;
  return { status, headers: type === undefined ? {} : { 'content-type': type }, body };
});
