import { LOG_LEVELS } from '../../core/log.js';
import { FILE, type ImportReport } from './import-report.js';
import { at, type SourceLocation } from './source-location.js';
import { isIPv6 } from 'node:net';

/** Keys of an adapter file. */
export type Keys = Readonly<Record<string, unknown>>;

/** Facts about the machine that runs the conversion. */
export interface Machine {
  /** Returns true if a file or folder exists. */
  readonly isThere: (path: string) => boolean;
}

/** Returns the call policies of an adapter: concurrency, time-outs and retries. */
export function policiesOf(own: SourceLocation, ledger: ImportReport): Keys {
  return {
    ...timesOf(at(own, 'request'), ledger),
    ...queueOf(at(own, 'throttle'), ledger),
    ...healthOf(at(own, 'healthcheck'), ledger),
  };
}

const LONGEST_MS = 2_147_483_647;

function timesOf(request: SourceLocation, ledger: ImportReport): Keys {
  const retries = ledger.whole(at(request, 'number_retries'), [0, 9]);
  const patience = ledger.whole(at(request, 'attempt_timeout'), [1, LONGEST_MS]);
  const attempts = (retries ?? 1) + 1;
  return {
    ...(retries !== undefined && { retry: { attempts } }),
    ...(patience !== undefined && {
      timeouts: {
        firstByteMs: patience,
        totalMs: Math.min(LONGEST_MS, Math.max(30_000, patience * attempts)),
      },
    }),
  };
}

function queueOf(throttle: SourceLocation, ledger: ImportReport): Keys {
  if (!ledger.flag(at(throttle, 'throttle_enabled'))) return {};
  const concurrent = ledger.whole(at(throttle, 'concurrent_max'), [1, 10_000]);
  const waiting = ledger.whole(at(throttle, 'max_in_queue'), [0, 100_000]);
  if (concurrent === undefined && waiting === undefined) return {};
  return {
    queue: { ...(concurrent !== undefined && { concurrent }), ...(waiting !== undefined && { waiting }) },
  };
}

function healthOf(healthcheck: SourceLocation, ledger: ImportReport): Keys {
  const type = ledger.word(at(healthcheck, 'type'), /^(?:startup|intermittent|none)$/);
  const path = ledger.word(at(healthcheck, 'URI_Path'), /^\/[\w./~-]{0,256}$/);
  const every = ledger.whole(at(healthcheck, 'frequency'), [1_000, 86_400_000]);
  const health = {
    ...(type !== undefined && { type }),
    ...(path !== undefined && { path }),
    ...(every !== undefined && { intervalSeconds: Math.round(every / 1_000) }),
  };
  return Object.keys(health).length === 0 ? {} : { health };
}

interface TlsInput {
  readonly id: string;
  readonly ssl: SourceLocation;
  readonly ledger: ImportReport;
  readonly machine: Machine;
}

/**
 * Returns the TLS settings of an adapter. Certificate files that do not exist on this machine become tasks.
 */
export function tlsOf({ id, ssl, ledger, machine }: TlsInput): Keys {
  if (!ledger.flag(at(ssl, 'enabled'))) return {};
  const insecure = ledger.flag(at(ssl, 'accept_invalid_cert'));
  if (insecure)
    ledger.tasks.push(
      `adapters/${id}.yaml: /tls/insecure accepts any certificate, as on the platform. Set tls.caFile instead.`,
    );
  const named = { caFile: 'ca_file', certFile: 'cert_file', keyFile: 'key_file' };
  const files = Object.entries(named).flatMap(([key, name]) => {
    const path = ledger.word(at(ssl, name), FILE);
    return path === undefined ? [] : [{ key, path }];
  });
  const there = files.filter(({ path }) => machine.isThere(path));
  const isPair = (key: string): boolean =>
    key === 'caFile' || there.filter((one) => one.key !== 'caFile').length === 2;
  const taken = there.filter(({ key }) => isPair(key));
  for (const { key, path } of files.filter((one) => !taken.includes(one)))
    ledger.tasks.push(`adapters/${id}.yaml: bring the file ${path} here, and set tls.${key}.`);
  const tls = Object.fromEntries(taken.map(({ key, path }) => [key, path]));
  return insecure || taken.length > 0 ? { tls: { ...tls, ...(insecure && { insecure }) } } : {};
}

/** Returns the proxy between gatehouse and an orchestrator. */
export function proxyOf(proxy: SourceLocation, ledger: ImportReport): Keys {
  if (!ledger.flag(at(proxy, 'enabled')) || at(proxy, 'protocol').value === 'https') return {};
  const host = ledger.word(at(proxy, 'host'), /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/);
  const port = ledger.whole(at(proxy, 'port'), [1, 65_535]);
  if (host === undefined) return {};
  ledger.use(at(proxy, 'protocol'));
  return { proxy: `http://${host}:${port ?? 80}` };
}

const LEVEL = new RegExp(`^(?:${LOG_LEVELS.join('|')})$`);

/** Returns the log level: that of the file, otherwise that of the console. */
export function levelOf(logger: SourceLocation, ledger: ImportReport): string | undefined {
  const levels = ['console_level', 'log_level'].map((name) => ledger.word(at(logger, name), LEVEL));
  return levels[1] ?? levels[0];
}

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
