import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';
import type { CorsSettings } from '../settings/settings.js';
import type { HttpExchange } from './request-context.js';

/**
 * Adds the headers that let a page of a listed origin read the response (CORS protocol of the Fetch standard). Returns
 * true for a preflight of such a page, which has no other response. Must be called before the head is written.
 */
type AddCorsHeaders = (exchange: HttpExchange) => boolean;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Headers that pages may send. Cookies are never accepted from other sites, so there are no credentials. */
const REQUEST_HEADERS = [
  ...['Authorization', 'Content-Type', 'Accept', 'If-Match', 'If-None-Match', 'Idempotency-Key'],
  ...['X-Request-Id', 'X-Gatehouse-Csrf', 'Traceparent', 'Tracestate'],
  ...['Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
];

/** Headers of responses that pages may read, in addition to those of the Fetch standard. */
const RESPONSE_HEADERS = [
  ...[
    'Deprecation',
    'ETag',
    'Link',
    'Location',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    'Sunset',
    'WWW-Authenticate',
    'X-Gatehouse-Unknown-Nodes',
    'X-Request-Id',
  ],
];

type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

/** Creates the function from `server.cors`; undefined if no origin is listed. */
export function createCors({ origins, maxAgeSeconds }: CorsSettings): AddCorsHeaders | undefined {
  if (origins.length === 0) return undefined;
  const listed = new Set(origins);
  const addHeaders = cors({
    origin: [...origins],
    methods: METHODS,
    allowedHeaders: REQUEST_HEADERS,
    exposedHeaders: RESPONSE_HEADERS,
    maxAge: maxAgeSeconds,
    preflightContinue: true,
  }) as Middleware;
  return ({ req, res }) => {
    addHeaders(req, res, () => undefined);
    return isPreflight(req) && listed.has(req.headers.origin ?? '');
  };
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}
