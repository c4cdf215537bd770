import type { IncomingMessage } from 'node:http';
import { Problem } from '../core/problem.js';
import type { HeaderLines, StreamBody, StreamRequest } from '../core/stream.js';
import { callerOrigin } from './caller-origin.js';
import { bodyLength } from './drain-request.js';
import { normaliseTarget } from './target.js';
import type { RequestContext } from './request-context.js';

/** A target below the prefix of a stream operation, in its two parts. */
interface SplitTarget {
  readonly adapterId: string;
  /** Exactly as it was sent, from the slash behind the adapter's name on. */
  readonly path: string;
}

/** TRACE is not among them: its reply would repeat the adapter's credentials. */
const METHODS: ReadonlySet<string> = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/** Finds targets `<prefix>/<adapterId>...`, in origin or absolute form. */
export function targetPattern(prefix: string): RegExp {
  return new RegExp(`^(?:[Hh][Tt][Tt][Pp][Ss]?://[^/?]+)?/+${prefix.slice(1)}/+([^/?]+)([^]*)$`);
}

/**
 * What is asked of which adapter; nothing of the body is read. Throws `malformed_request`, `uri_too_long` or
 * `method_not_allowed`.
 */
export function readStreamRequest(
  { req, res, requestId, span }: RequestContext,
  prefix: string,
): { readonly adapterId: string; readonly request: StreamRequest } {
  const { adapterId, path } = splitTarget(req.url ?? '', prefix);
  const { method = '' } = req;
  if (!METHODS.has(method)) {
    const allow = [...METHODS].join(', ');
    throw new Problem('method_not_allowed', `This path answers ${allow}.`, { headers: { allow } });
  }
  const body = bodyOf(req, () => {
    res.writeContinue();
  });
  const mount = `${prefix}/${encodeURIComponent(adapterId)}`;
  const request = { requestId, method, path, mount, headers: headerLines(req), origin: originOf(req) };
  const isUpgrade = req.headers.upgrade?.toLowerCase() === 'websocket';
  return { adapterId, request: { ...request, isUpgrade, ...(body && { body }), ...(span && { span }) } };
}

function splitTarget(url: string, prefix: string): SplitTarget {
  // For what it throws: the path itself goes on as it is written, and the way out is stricter.
  normaliseTarget(url);
  const [, adapterId = '', rest = ''] = targetPattern(prefix).exec(url) ?? [];
  return { adapterId: decodeURIComponent(adapterId), path: rest.startsWith('/') ? rest : `/${rest}` };
}

function bodyOf(req: IncomingMessage, goOn: () => void): StreamBody | undefined {
  const length = bodyLength(req.headers);
  if (length === 0) return undefined;
  return {
    ...(length !== Infinity && { length }),
    take() {
      // HTTP/1.0 knows no interim replies (RFC 9110 section 10.1.1).
      if (req.headers.expect !== undefined && req.httpVersion === '1.1') goOn();
      return req;
    },
  };
}

function headerLines({ rawHeaders }: IncomingMessage): HeaderLines {
  return rawHeaders.flatMap((name, at): HeaderLines =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [],
  );
}

function originOf(req: IncomingMessage): StreamRequest['origin'] {
  const { address, scheme } = callerOrigin(req);
  return { address: address.replace(/^::ffff:(?=\d+\.)/, ''), scheme, host: req.headers.host ?? '' };
}
