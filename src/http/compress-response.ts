import { Readable, pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import { preferences } from '../core/header.js';
import type { RequestContext } from './request-context.js';
import type { HttpResponse } from './response.js';
import type { ResponseChunks } from './stream.js';

/** Minimum size of a compressed body, in bytes: a smaller one fits into one packet. */
const MIN_BYTES = 1_400;

/** The fastest level: JSON shrinks to a fifth, and the higher levels cost more than they save. */
const OPTIONS = { level: constants.Z_BEST_SPEED };

/** Compresses in the thread pool of Node.js. */
const compressBytes = promisify<Buffer, typeof OPTIONS, Buffer>(gzip);

/**
 * Returns the response with its body compressed by gzip, if the client accepts that and it pays. Only successful
 * responses to authenticated callers are compressed: responses with new tokens are not, so that their size reveals nothing
 * about them. A response with an entity tag is not, because its tag would have to differ (RFC 9110 section 8.8.3.3). The result is synchronous unless a complete body is compressed.
 */
export function compressResponse(
  { req, principal }: Pick<RequestContext, 'req' | 'principal'>,
  response: HttpResponse,
): HttpResponse | Promise<HttpResponse> {
  const { status, headers, bytes, chunks } = response;
  const isLarge = chunks ? chunks.batchLength > 0 : bytes.length >= MIN_BYTES;
  if (!principal || status !== 200 || !isLarge || 'etag' in headers) return response;
  const varied = { ...headers, vary: 'Accept-Encoding' };
  if (!acceptsGzip(req.headers['accept-encoding'])) return { ...response, headers: varied };
  const encoded = { ...varied, 'content-encoding': 'gzip' };
  if (chunks) return { ...response, headers: encoded, chunks: compressChunks(chunks) };
  return compressBytes(bytes, OPTIONS).then((compressed) => ({
    ...response,
    headers: { ...encoded, 'content-length': String(compressed.length) },
    bytes: compressed,
  }));
}

/** Returns true if an Accept-Encoding header (RFC 9110 section 12.5.3) accepts gzip. */
function acceptsGzip(header: string | readonly string[] | undefined): boolean {
  if (header === undefined) return false;
  const listed = preferences(String(header));
  const named = listed.find(({ value }) => value === 'gzip' || value === 'x-gzip');
  return ((named ?? listed.find(({ value }) => value === '*'))?.weight ?? 0) > 0;
}

/** Compresses chunks while they arrive. A failure of the source is a failure of the compressed chunks. */
function compressChunks({ source, batchLength }: ResponseChunks): ResponseChunks {
  const compressed = createGzip(OPTIONS);
  // The error also reaches the reader of `compressed`.
  pipeline(Readable.from(source), compressed, () => undefined);
  return { source: compressed, batchLength };
}
