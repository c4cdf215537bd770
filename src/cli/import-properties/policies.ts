import { isIPv6 } from 'node:net';
import { LOG_LEVELS } from '../../core/log.js';
import { FILE_PATH, type ImportReport } from './import-report.js';
import { at, type SourceLocation } from './source-location.js';

export type Keys = Readonly<Record<string, unknown>>;

/** Facts about the machine that runs the conversion. */
export interface Machine {
  /** Returns true if a file or folder exists. */
  readonly isThere: (path: string) => boolean;
}

/** Returns the call policies of an adapter: concurrency, time-outs and retries. */
export function policiesOf(own: SourceLocation, report: ImportReport): Keys {
  return {
    ...timeoutsOf(at(own, 'request'), report),
    ...queueOf(at(own, 'throttle'), report),
    ...healthOf(at(own, 'healthcheck'), report),
  };
}

const MAX_TIMEOUT_MS = 2_147_483_647;

function timeoutsOf(request: SourceLocation, report: ImportReport): Keys {
  const retries = report.integer(at(request, 'number_retries'), [0, 9]);
  const timeoutMs = report.integer(at(request, 'attempt_timeout'), [1, MAX_TIMEOUT_MS]);
  const attempts = (retries ?? 1) + 1;
  return {
    ...(retries !== undefined && { retry: { attempts } }),
    ...(timeoutMs !== undefined && {
      timeouts: {
        firstByteMs: timeoutMs,
        totalMs: Math.min(MAX_TIMEOUT_MS, Math.max(30_000, timeoutMs * attempts)),
      },
    }),
  };
}

function queueOf(throttle: SourceLocation, report: ImportReport): Keys {
  if (!report.flag(at(throttle, 'throttle_enabled'))) return {};
  const concurrent = report.integer(at(throttle, 'concurrent_max'), [1, 10_000]);
  const waiting = report.integer(at(throttle, 'max_in_queue'), [0, 100_000]);
  if (concurrent === undefined && waiting === undefined) return {};
  return {
    queue: { ...(concurrent !== undefined && { concurrent }), ...(waiting !== undefined && { waiting }) },
  };
}

function healthOf(healthcheck: SourceLocation, report: ImportReport): Keys {
  const type = report.string(at(healthcheck, 'type'), /^(?:startup|intermittent|none)$/);
  const path = report.string(at(healthcheck, 'URI_Path'), /^\/[\w./~-]{0,256}$/);
  const intervalMs = report.integer(at(healthcheck, 'frequency'), [1_000, 86_400_000]);
  const health = {
    ...(type !== undefined && { type }),
    ...(path !== undefined && { path }),
    ...(intervalMs !== undefined && { intervalSeconds: Math.round(intervalMs / 1_000) }),
  };
  return Object.keys(health).length === 0 ? {} : { health };
}

interface TlsInput {
  readonly id: string;
  readonly ssl: SourceLocation;
  readonly report: ImportReport;
  readonly machine: Machine;
}

/**
 * Returns the TLS settings of an adapter. Certificate files that do not exist on this machine become tasks.
 */
export function tlsOf({ id, ssl, report, machine }: TlsInput): Keys {
  if (!report.flag(at(ssl, 'enabled'))) return {};
  const insecure = report.flag(at(ssl, 'accept_invalid_cert'));
  if (insecure)
    report.tasks.push(
      `adapters/${id}.yaml: /tls/insecure accepts any certificate, like the platform. Set tls.caFile instead.`,
    );
  const fileKeys = { caFile: 'ca_file', certFile: 'cert_file', keyFile: 'key_file' };
  const files = Object.entries(fileKeys).flatMap(([key, name]) => {
    const path = report.string(at(ssl, name), FILE_PATH);
    return path === undefined ? [] : [{ key, path }];
  });
  const existing = files.filter(({ path }) => machine.isThere(path));
  const isPair = (key: string): boolean =>
    key === 'caFile' || existing.filter((one) => one.key !== 'caFile').length === 2;
  const used = existing.filter(({ key }) => isPair(key));
  for (const { key, path } of files.filter((one) => !used.includes(one)))
    report.tasks.push(`adapters/${id}.yaml: copy the file ${path} to this machine, and set tls.${key}.`);
  const tls = Object.fromEntries(used.map(({ key, path }) => [key, path]));
  return insecure || used.length > 0 ? { tls: { ...tls, ...(insecure && { insecure }) } } : {};
}

/** Returns the proxy between gatehouse and an orchestrator. */
export function proxyOf(proxy: SourceLocation, report: ImportReport): Keys {
  if (!report.flag(at(proxy, 'enabled')) || at(proxy, 'protocol').value === 'https') return {};
  const host = report.string(at(proxy, 'host'), /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/);
  const port = report.integer(at(proxy, 'port'), [1, 65_535]);
  if (host === undefined) return {};
  report.use(at(proxy, 'protocol'));
  return { proxy: `http://${host}:${port ?? 80}` };
}

const LEVEL = new RegExp(`^(?:${LOG_LEVELS.join('|')})$`);

/** Returns the log level: that of the file, otherwise that of the console. */
export function levelOf(logger: SourceLocation, report: ImportReport): string | undefined {
  const levels = ['console_level', 'log_level'].map((name) => report.string(at(logger, name), LEVEL));
  return levels[1] ?? levels[0];
}

/** Address that an adapter connects to, from its settings. */
export interface Address {
  /** Base URL, with the base path and the version of the API. */
  readonly url: string;
  /** Path of the URL; empty if there is no path. */
  readonly path: string;
}

const HOST_PATTERN = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252}[A-Za-z0-9_])?$/;
const PATH_PATTERN = /^[\w./~-]{0,256}$/;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };

/** Returns the address in the settings of an adapter; undefined if the host is missing or invalid. */
export function addressOf(own: SourceLocation, report: ImportReport): Address | undefined {
  const host = at(own, 'host');
  const name = typeof host.value === 'string' ? urlHostOf(host.value) : undefined;
  if (name === undefined) return undefined;
  report.use(host);
  const protocol = report.string(at(own, 'protocol'), /^https?$/) ?? 'https';
  const port = report.integer(at(own, 'port'), [1, 65_535]) ?? DEFAULT_PORTS[protocol];
  const path = ['base_path', 'version']
    .map((name) => report.string(at(own, name), PATH_PATTERN) ?? '')
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map((part) => `/${part}`)
    .join('');
  return { url: `${protocol}://${name}${port === DEFAULT_PORTS[protocol] ? '' : `:${port}`}${path}`, path };
}

/** Returns a host in URL syntax; undefined if it is not a valid host. */
function urlHostOf(host: string): string | undefined {
  const unbracketed = host.replace(/^\[(.*)\]$/, '$1');
  const name = isIPv6(unbracketed) ? `[${unbracketed}]` : host;
  return (isIPv6(unbracketed) || HOST_PATTERN.test(host)) && URL.canParse(`https://${name}`)
    ? name
    : undefined;
}
