import { Readable, pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, type BrotliOptions, constants, createGzip, gzip } from 'node:zlib';
import { preferences } from '../core/header.js';
import type { RequestContext } from './request-context.js';
import type { HttpResponse } from './response.js';
import type { ResponseChunks } from './stream.js';

/** Minimum size of a compressed body, in bytes: a smaller one fits into one packet. */
const MIN_BYTES = 1_400;

/** The fastest level of gzip: JSON shrinks to a fifth, and the higher levels cost more than they save. */
const GZIP_OPTIONS = { level: constants.Z_BEST_SPEED };

/** Quality of Brotli: 13 MB of JSON Schema shrink to a twentieth of the size with gzip, in half of its time. */
const BROTLI_QUALITY = 4;

/** A content coding, and how it compresses a complete body in the thread pool of Node.js. */
interface Coding {
  readonly name: 'br' | 'gzip';
  readonly compress: (bytes: Buffer) => Promise<Buffer>;
}

const gzipBytes = promisify<Buffer, typeof GZIP_OPTIONS, Buffer>(gzip);
const brotliBytes = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);

const GZIP: Coding = { name: 'gzip', compress: (bytes) => gzipBytes(bytes, GZIP_OPTIONS) };
const BROTLI: Coding = {
  name: 'br',
  compress: (bytes) =>
    brotliBytes(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
};

/**
 * Returns the response with its body compressed by Brotli or gzip, if the client accepts that and it pays. Only successful
 * responses to authenticated callers are compressed: responses with new tokens are not, so that their size reveals
 * nothing about them. An entity tag becomes weak, because the compressed body has other bytes (RFC 9110 section
 * 8.8.1). Chunks are compressed by gzip alone, whose memory is small. The result is synchronous unless a complete body is
 * compressed.
 */
export function compressResponse(
  { req, principal }: Pick<RequestContext, 'req' | 'principal'>,
  response: HttpResponse,
): HttpResponse | Promise<HttpResponse> {
  const { status, headers, body, chunks } = response;
  const isLarge = chunks ? chunks.batchLength > 0 : body.length >= MIN_BYTES;
  if (!principal || status !== 200 || !isLarge) return response;
  const varied = { ...headers, vary: 'Accept-Encoding' };
  const coding = acceptedCoding(req.headers['accept-encoding'], chunks ? [GZIP] : [BROTLI, GZIP]);
  if (!coding) return { ...response, headers: varied };
  const encoded = { ...varied, ...weakTag(headers['etag']), 'content-encoding': coding.name };
  if (chunks) return { ...response, headers: encoded, chunks: compressChunks(chunks) };
  return coding.compress(body).then((compressed) => ({
    ...response,
    headers: { ...encoded, 'content-length': String(compressed.length) },
    body: compressed,
  }));
}

/** Returns the header with the tag as a weak one; no header without a tag. */
function weakTag(etag: HttpResponse['headers'][string] | undefined): { readonly etag?: string } {
  if (typeof etag !== 'string') return {};
  return { etag: etag.startsWith('W/') ? etag : `W/${etag}` };
}

/**
 * Returns the coding that an Accept-Encoding header (RFC 9110 section 12.5.3) prefers, the first of equal ones;
 * undefined if it accepts none of them.
 */
function acceptedCoding(
  header: string | readonly string[] | undefined,
  codings: readonly Coding[],
): Coding | undefined {
  if (header === undefined) return undefined;
  const listed = preferences(String(header));
  const weightOf = ({ name }: Coding): number => {
    const named = listed.find(({ value }) => value === name || value === `x-${name}`);
    return (named ?? listed.find(({ value }) => value === '*'))?.weight ?? 0;
  };
  const [best] = codings.filter((coding) => weightOf(coding) > 0).sort((a, b) => weightOf(b) - weightOf(a));
  return best;
}

/** Compresses chunks while they arrive. A failure of the source is a failure of the compressed chunks. */
function compressChunks({ source, batchLength }: ResponseChunks): ResponseChunks {
  const compressed = createGzip(GZIP_OPTIONS);
  // The error also reaches the reader of `compressed`.
  pipeline(Readable.from(source), compressed, () => undefined);
  return { source: compressed, batchLength };
}
