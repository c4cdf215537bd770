import type { OutboundRequest } from '../core/adapter.js';
import type { HttpRequest } from '../core/http.js';
import { Problem } from '../core/problem.js';
import type { AdapterAuthSettings } from '../settings/adapter.js';
import { credentialNames } from './adapter-auth.js';
import type { Endpoints } from './endpoint.js';
import { headerFault } from './header-rules.js';
import type { Credentials } from './login/session.js';
import type { UpstreamCall } from './send.js';
import { confine } from './target.js';

const USER_AGENT = 'gatehouse';

/**
 * Validates a plugin's request and returns its URL below the first base URL. Throws `invalid_path` for a path
 * that could leave the base URL, and `plugin_failed` for headers that a plugin must not set; the text never
 * contains a value.
 */
export type ValidateRequest = (request: OutboundRequest) => string;

/** Creates the validator for an adapter with these credentials. */
export function createRequestValidator([first]: Endpoints, auth: AdapterAuthSettings): ValidateRequest {
  const credentialHeaders = credentialNames(auth);
  return ({ path, headers, cookie = '' }) => {
    const url = confine(first.base, path);
    checkParameters(path, auth);
    for (const [name, value] of Object.entries(headers)) {
      const fault =
        headerFault(name, value) ??
        (credentialHeaders.has(name.toLowerCase()) ? CREDENTIAL_HEADER_FAULT : undefined);
      if (fault !== undefined) throw new Problem('plugin_failed', `the plugin's header "${name}" ${fault}`);
    }
    const fault = headerFault('cookie', cookie);
    if (fault !== undefined) throw new Problem('plugin_failed', `the plugin's cookie ${fault}`);
    return url;
  };
}

/** Throws `invalid_path` for a path with the parameter that carries the adapter's credentials. */
export function checkParameters(path: string, auth: AdapterAuthSettings): void {
  if (auth.type === 'query' && hasParameter(path, auth.name)) throw reservedParameter(auth.name);
}

const CREDENTIAL_HEADER_FAULT = "carries credentials, which come from the adapter's settings alone";

/**
 * Builds the request to one base URL. It contains only the plugin's headers, the credentials and the user
 * agent, and nothing from the caller's own request.
 */
export function buildRequest({ request, url, endpoint, credentials }: UpstreamCall): HttpRequest {
  const { method, path, body } = request;
  const { headers, parameter } = credentials;
  const target = endpoint.isFirst ? url : confine(endpoint.base, path);
  return {
    method,
    url: parameter === undefined ? target : withParameter(target, parameter),
    headers: { 'user-agent': USER_AGENT, ...request.headers, ...withCookie(headers, request.cookie) },
    ...(body && { body }),
  };
}

/** Returns the credentials with the cookies of a request after their own. */
function withCookie(headers: Credentials['headers'], cookie: string | undefined): Credentials['headers'] {
  if (cookie === undefined) return headers;
  const { cookie: own } = headers;
  return { ...headers, cookie: own === undefined ? cookie : `${own}; ${cookie}` };
}

/** Appends the parameter `name=value` to a URL. */
export function withParameter(url: string, parameter: string): string {
  if (!url.includes('?')) return `${url}?${parameter}`;
  return `${url}${/[?&]$/.test(url) ? '' : '&'}${parameter}`;
}

/**
 * Returns true if a path contains a parameter, in any encoding and case, because orchestrators differ in
 * which names they consider equal.
 */
function hasParameter(path: string, name: string): boolean {
  const at = path.indexOf('?');
  if (at < 0) return false;
  const names = path.slice(at + 1).split(/[&;]/);
  const wanted = name.toLowerCase();
  return names.some((pair) => decodedName(pair.split('=', 1)[0] ?? '').toLowerCase() === wanted);
}

function decodedName(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ')).trim();
  } catch {
    return text;
  }
}

function reservedParameter(name: string): Problem {
  const message = `must not have the parameter "${name}", which carries the adapter's credentials`;
  return new Problem('invalid_path', `the path ${message}`, {
    errors: [{ pointer: '/params/path', message }],
  });
}
