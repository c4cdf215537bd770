import type { AdapterPlugin, OutboundRequest, RestCall } from '../../src/core/adapter.js';
import { headerNamePattern } from '../../src/core/header.js';
import { Problem } from '../../src/core/problem.js';
import type { Secret } from '../../src/core/secret.js';
import { pagingOf, type PagingOptions, pagingSchema } from './paging.js';

export interface HttpRestOptions {
  /** Headers that every request carries, by name. */
  readonly headers?: Readonly<Record<string, Secret>>;
  /** Pages of lists. */
  readonly paging?: PagingOptions;
}

// Headers set by the host (credentials) or by the caller.
const RESERVED_HEADERS = ['accept', 'authorization', 'content-type', 'cookie'];

// RFC 9110 section 5.5: visible characters, with blanks only between them.
const HEADER_VALUE = /^[!-~]+(?:[ \t]+[!-~]+)*$/;

/**
 * Forwards every call unchanged, with the fixed headers of its options: sufficient for most REST interfaces.
 */
export const plugin: AdapterPlugin<HttpRestOptions> = {
  type: 'http-rest',
  apiVersion: 1,
  summary: 'Any REST interface over HTTP: path, method, media types and body are forwarded unchanged.',
  options: {
    type: 'object',
    additionalProperties: false,
    properties: {
      headers: {
        description:
          'Headers that every request carries. Credentials, host, cookie, accept, content-type and ' +
          'connection headers are refused: the host or the caller sets them.',
        type: 'object',
        maxProperties: 32,
        propertyNames: {
          maxLength: 128,
          pattern: headerNamePattern(RESERVED_HEADERS),
          'x-hint': 'must be a header name that neither the host nor the caller sets',
        },
        additionalProperties: { type: 'string', minLength: 1, maxLength: 4096, 'x-secret': true },
      },
      paging: pagingSchema,
    },
  },
  create(options) {
    const fixed = checkedHeaders(options.headers ?? {});
    return {
      translate: (call) => [forwardRequest(call, fixed)],
      fixedHeaders: () => textsOf(fixed),
      ...(options.paging && { paging: pagingOf(options.paging) }),
    };
  },
};

type FixedHeaders = ReadonlyMap<string, Secret>;

/**
 * Returns the headers by lower-case name and checks their values. The schema checks references; only here are
 * the values available.
 */
function checkedHeaders(headers: Readonly<Record<string, Secret>>): FixedHeaders {
  const fixed = new Map<string, Secret>();
  for (const [written, value] of Object.entries(headers)) {
    const name = written.toLowerCase();
    if (fixed.has(name)) throw refusal(written, 'occurs twice, in different case; keep one of the two');
    if (!HEADER_VALUE.test(value.reveal()))
      throw refusal(written, 'has a value that no header can carry; use visible ASCII without a line break');
    fixed.set(name, value);
  }
  return fixed;
}

function refusal(name: string, why: string): Problem {
  return new Problem('adapter_unavailable', `The header '${name}' of options.headers ${why}.`);
}

function forwardRequest(call: RestCall, fixed: FixedHeaders): OutboundRequest {
  const { method, path, accept, contentType = 'application/json', body } = call;
  const headers = body ? { accept, 'content-type': contentType } : { accept };
  const own = fixed.size === 0 ? headers : { ...textsOf(fixed), ...headers };
  return body ? { method, path, headers: own, body } : { method, path, headers: own };
}

function textsOf(fixed: FixedHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries([...fixed].map(([name, value]) => [name, value.reveal()]));
}
