import type { AdapterSettings } from '../core/adapter-settings.js';
import type { LocatedFault } from '../core/fault.js';
import { credentialFaults } from './adapter-auth.js';
import { pathFault } from './path-grammar.js';
import { parseBaseUrl } from './target.js';
import { writtenBaseUrls, type WrittenBaseUrl } from './endpoint.js';

/**
 * Returns the faults that prevent `openUpstream` from working with these settings; pointers are relative to
 * the adapter's settings.
 */
export function upstreamFaults(settings: AdapterSettings): readonly LocatedFault[] {
  return [
    ...writtenBaseUrls(settings).flatMap(baseUrlFaults),
    ...credentialFaults(settings.auth),
    ...healthFaults(settings),
  ];
}

function baseUrlFaults({ pointer, text }: WrittenBaseUrl): readonly LocatedFault[] {
  try {
    parseBaseUrl(text);
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : 'is not a URL';
    const fix = 'Write it like https://nso.example:8888/restconf and keep credentials under "auth".';
    return [{ pointer, code: 'base_url', message, fix }];
  }
}

function healthFaults({ health: { path } }: AdapterSettings): readonly LocatedFault[] {
  const message = path === null ? undefined : pathFault(path);
  if (message === undefined) return [];
  return [{ pointer: '/health/path', code: 'health', message, fix: 'Write a plain path such as /restconf.' }];
}
