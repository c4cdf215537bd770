import type { OutboundRequest } from '../domain/adapter.js';
import type { TlsMaterial } from '../domain/http.js';
import type { AdapterSettings } from '../domain/settings.js';
import type { Upstream } from '../domain/upstream.js';
import { credentialFaults, credentialHeaders } from './adapter-auth.js';
import { openHttpClient } from './client.js';
import { headerFault } from './header-rules.js';
import type { PlacedFault } from '../domain/fault.js';
import { confine, parseBaseUrl } from './target.js';

const CONNECTIONS = 64;
const USER_AGENT = 'gatehouse';

/**
 * The one way to an adapter's orchestrator, with connections of its own. Opens none before the first call.
 * Throws when `upstreamFaults` has something to say.
 */
export function openUpstream(settings: AdapterSettings, tls: TlsMaterial): Upstream {
  const { auth, timeouts, replyBytes } = settings;
  const base = parseBaseUrl(settings.baseUrl);
  const client = openHttpClient({ tls, connectMs: timeouts.connectMs, connections: CONNECTIONS });
  const limits = { totalMs: timeouts.totalMs, firstByteMs: timeouts.firstByteMs, replyBytes };
  return {
    async send(request, signal) {
      const url = confine(base, request.path);
      const headers = headersFor(request, credentialHeaders(auth));
      return client.send({ ...request, url, headers }, limits, signal);
    },
    close: () => client.close(),
  };
}

/** What keeps `openUpstream` from working with these settings; pointers count from the adapter's settings. */
export function upstreamFaults(settings: AdapterSettings): readonly PlacedFault[] {
  return [...baseUrlFaults(settings.baseUrl), ...credentialFaults(settings.auth)];
}

function baseUrlFaults(baseUrl: string): readonly PlacedFault[] {
  try {
    parseBaseUrl(baseUrl);
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : 'is not a URL';
    const fix = 'Write it like https://nso.example:8888/restconf and keep credentials under "auth".';
    return [{ pointer: '/baseUrl', code: 'base_url', message, fix }];
  }
}

/** Nothing of the caller's own request gets in here: the plugin's headers, the credentials and our name are all there is. */
function headersFor(
  request: OutboundRequest,
  credentials: Readonly<Record<string, string>>,
): Record<string, string> {
  for (const [name, value] of Object.entries(request.headers)) {
    const fault = headerFault(name, value) ?? takenFault(name.toLowerCase(), credentials);
    if (fault !== undefined) throw new Error(`the plugin's header "${name}" ${fault}`);
  }
  return { 'user-agent': USER_AGENT, ...request.headers, ...credentials };
}

function takenFault(name: string, credentials: Readonly<Record<string, string>>): string | undefined {
  const taken = name === 'authorization' || name === 'cookie' || Object.hasOwn(credentials, name);
  return taken ? "carries credentials, which come from the adapter's settings alone" : undefined;
}
