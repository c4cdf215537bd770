import { Problem } from '../core/problem.js';
import { pathFault } from './path-grammar.js';

/** An adapter's base URL: the only target that may receive its credentials. */
export interface BaseUrl {
  /** Scheme, host and port, serialized according to the URL standard. */
  readonly origin: string;
  /** Empty, or starting with `/` and not ending with it. */
  readonly path: string;
}

/**
 * Parses a base URL: http or https, no credentials, query or fragment. Throws a `TypeError` that describes
 * the fault.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const written = /^(https?):\/\/([^/?#\\@\s]+)(\/[^?#]*)?$/i.exec(text);
  if (!written || !URL.canParse(text))
    throw new TypeError('is not an http or https URL without credentials, query and fragment');
  const path = (written[3] ?? '').replace(/\/+$/, '');
  const fault = path === '' ? undefined : pathFault(path);
  if (fault !== undefined) throw new TypeError(`its path ${fault}`);
  return { origin: new URL(text).origin, path };
}

/**
 * Returns the absolute URL for a path and query below the base, exactly as written except for `'` in a query,
 * which URLs encode as %27. Throws `invalid_path` for anything that an orchestrator could interpret as
 * another location.
 */
export function confine(base: BaseUrl, path: string): string {
  const fault = pathFault(path);
  if (fault !== undefined) throw refused(fault);
  const [place, query] = splitOnce(path);
  const url = `${base.origin}${base.path}${place}${query.replaceAll("'", '%27')}`;
  // The grammar should leave nothing for the URL parser to change; any change is refused.
  if (!URL.canParse(url) || new URL(url).href !== url)
    throw refused('is not read by URL parsers as it is written');
  return url;
}

function splitOnce(path: string): readonly [string, string] {
  const at = path.indexOf('?');
  return at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at)];
}

function refused(fault: string): Problem {
  return new Problem('invalid_path', `the path ${fault}`, {
    errors: [{ pointer: '/params/path', message: fault }],
  });
}
