import { isIPv6 } from 'node:net';
import type { ImportReport } from './import-report.js';
import { at, type SourceLocation } from './source-location.js';

/** Address that an adapter connects to, from its settings. */
export interface Address {
  /** Base URL, with the base path and the version of the API. */
  readonly url: string;
  /** Path of the URL; empty if there is no path. */
  readonly path: string;
}

const HOST = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252}[A-Za-z0-9_])?$/;
const PATH = /^[\w./~-]{0,256}$/;
const USUAL: Readonly<Record<string, number>> = { http: 80, https: 443 };

/** Returns the address in the settings of an adapter; undefined if the host is missing or invalid. */
export function addressOf(own: SourceLocation, ledger: ImportReport): Address | undefined {
  const host = at(own, 'host');
  const name = typeof host.value === 'string' ? nameOf(host.value) : undefined;
  if (name === undefined) return undefined;
  ledger.use(host);
  const protocol = ledger.word(at(own, 'protocol'), /^https?$/) ?? 'https';
  const port = ledger.whole(at(own, 'port'), [1, 65_535]) ?? USUAL[protocol];
  const path = ['base_path', 'version']
    .map((name) => ledger.word(at(own, name), PATH) ?? '')
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map((part) => `/${part}`)
    .join('');
  return { url: `${protocol}://${name}${port === USUAL[protocol] ? '' : `:${port}`}${path}`, path };
}

/** Returns a host in URL syntax; undefined if it is not a valid host. */
function nameOf(host: string): string | undefined {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  const name = isIPv6(bare) ? `[${bare}]` : host;
  return (isIPv6(bare) || HOST.test(host)) && URL.canParse(`https://${name}`) ? name : undefined;
}
