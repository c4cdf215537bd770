import { isOwnHeader } from '../core/header.js';
import type { ReplyHeaders } from '../core/http.js';
import type { Redact } from '../core/secret.js';
import type { BaseUrl } from './target.js';
import { rewriteLocation } from './stream/reply-headers.js';

/** Cookies are a session of the adapter, which belongs to no caller. `content-encoding` no longer applies to the body. */
const WITHHELD_HEADERS: ReadonlySet<string> = new Set(['content-encoding', 'set-cookie', 'set-cookie2']);

interface CallerHeadersDeps {
  readonly bases: readonly [BaseUrl, ...BaseUrl[]];
  /** Name of the query parameter that carries the adapter's credentials. */
  readonly parameter: string | undefined;
  readonly redact: Redact;
}

/** Creates the function of an upstream that returns the headers of a reply for a caller. */
export function createCallerHeaders({ bases, parameter, redact }: CallerHeadersDeps) {
  const [{ origin, path: basePath }] = bases;
  return (headers: ReplyHeaders, path?: string): ReplyHeaders => {
    const rewritten = (name: string, value: string): string =>
      path !== undefined && (name === 'location' || name === 'content-location')
        ? rewriteLocation(value, { bases, mount: '', url: origin + basePath + path, parameter })
        : value;
    const kept = Object.entries(headers).filter(
      ([name]) => !isOwnHeader(name) && !WITHHELD_HEADERS.has(name),
    );
    return Object.fromEntries(
      kept.map(([name, value]) => [
        name,
        typeof value === 'string'
          ? redact(rewritten(name, value))
          : value.map((item) => redact(rewritten(name, item))),
      ]),
    );
  };
}
