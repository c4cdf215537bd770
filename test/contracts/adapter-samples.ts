import fc from 'fast-check';
import type { RestCall, UpstreamReply } from '../../src/core/adapter.js';

const METHODS = ['GET', 'PATCH', 'PUT', 'POST', 'DELETE'] as const;
const PATHS = ['/', '/data', '/restconf/data/a:b=c%2Fd?depth=2', '/.well-known/host-meta', '/a/../b'];

/** Frozen calls of every kind and method, with and without a body. */
export const calls: fc.Arbitrary<RestCall> = fc
  .record(
    {
      kind: fc.constantFrom('query' as const, 'action' as const),
      method: fc.constantFrom(...METHODS),
      path: fc.oneof(
        fc.webPath().map((path) => `/${path.replace(/^\/+/, '')}`),
        fc.constantFrom(...PATHS),
      ),
      accept: fc.constantFrom('application/json', 'text/plain, */*;q=0.1', 'application/yang-data+xml'),
      contentType: fc.constantFrom('application/json', 'application/yang-data+json', 'text/plain'),
      body: fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
    },
    { requiredKeys: ['kind', 'method', 'path', 'accept'] },
  )
  .map((call) => Object.freeze(call));

const MARKUP = [' ', ...'< </ > /> <!-- --> <![CDATA[ ]]> " = &# ; : error a'.split(' ')];

/** Replies with arbitrary bytes, biased towards almost valid JSON and XML. */
export const replies: fc.Arbitrary<UpstreamReply> = fc.record({
  status: fc.integer({ min: 200, max: 599 }),
  headers: fc.constantFrom(
    {},
    { 'content-type': 'application/json' },
    { 'content-type': ['text/xml', 'text/plain'] },
  ),
  body: fc
    .oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map((text) => Buffer.from(text)),
      fc.string({ unit: fc.constantFrom(...MARKUP) }).map((text) => Buffer.from(text)),
      fc.constant(Buffer.from(`${'['.repeat(20_000)}<`)),
    )
    .map((bytes) => Buffer.from(bytes)),
});
