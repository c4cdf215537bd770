import { BASE_URL_PATTERN } from '../../settings/schema-parts.js';
import { FILE_PATH, type ImportReport, looksSecret, type Prefix } from './import-report.js';
import { type Keys, levelOf, type Machine } from './policies.js';
import { SECOND_LISTENER, SYSLOG_SETTING } from './skipped.js';
import { at, itemsOf, printablePointer, type SourceLocation } from './source-location.js';

/** Returns the block `log`: level, file, rotation and receivers of syslog messages. */
function logOf(logger: SourceLocation, report: ImportReport, machine: Machine): Keys {
  const level = levelOf(logger, report);
  const file = fileOf(logger, report, machine);
  const rotation = rotationOf(logger, report);
  const syslog = syslogOf(at(logger, 'syslog'), report);
  return {
    ...(level !== undefined && { level }),
    ...(file !== undefined && { file }),
    ...(rotation && { rotation }),
    ...(syslog && { syslog }),
  };
}

/** Returns the log file if its folder exists on this machine. Otherwise adds a task. */
function fileOf(logger: SourceLocation, report: ImportReport, machine: Machine): string | undefined {
  const [folder, name] = [at(logger, 'log_directory'), at(logger, 'log_filename')];
  if (typeof folder.value !== 'string' || typeof name.value !== 'string') return undefined;
  const path = `${folder.value}/${name.value}`.replaceAll(/\/{2,}/g, '/');
  if (!FILE_PATH.test(path) || looksSecret(folder.value) || looksSecret(name.value)) return undefined;
  for (const place of [folder, name]) report.use(place);
  if (machine.isThere(folder.value)) return path;
  report.tasks.push(
    `gatehouse.yaml: create the folder ${folder.value} on this machine, and set log.file: ${path}.`,
  );
  return undefined;
}

/**
 * Returns the maximum size and number of log files. The values are imported even without a file, for a
 * file that is set later.
 */
function rotationOf(logger: SourceLocation, report: ImportReport): Keys | undefined {
  const bytes = report.integer(at(logger, 'log_max_file_size'), [1_024, Number.MAX_SAFE_INTEGER]);
  const keep = report.integer(at(logger, 'log_max_files'), [1, 10_000]);
  if (bytes === undefined && keep === undefined) return undefined;
  return { ...(bytes !== undefined && { bytes }), ...(keep !== undefined && { keep }) };
}

const HOST_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/;
const IPV6 = /^(?=.*:)[0-9A-Fa-f:.]{2,45}$/;
const FACILITY = /^(?:user|daemon|auth|authpriv|local[0-7])$/;

const PLATFORM = { port: 514, facility: 'local0' };

/**
 * Returns a receiver that is reached over the network. Leaves out the local socket, because it takes
 * datagrams, which are not supported here.
 */
function syslogOf(syslog: SourceLocation, report: ImportReport): Keys | undefined {
  report.skip(syslog, SYSLOG_SETTING);
  const protocol = at(syslog, 'protocol');
  const scheme = schemeOf(protocol);
  if (scheme === undefined) return undefined;
  const name = report.string(at(syslog, 'host'), HOST_NAME);
  const address = report.string(at(syslog, 'host'), IPV6);
  const host = address === undefined ? name : `[${address}]`;
  if (host === undefined) return undefined;
  report.use(protocol);
  report.string(at(syslog, 'type'), /^(?:RFC)?5424$/);
  const port = report.integer(at(syslog, 'port'), [1, 65_535]) ?? PLATFORM.port;
  const appName = report.string(at(syslog, 'app_name'), /^[\w.+-]{1,48}$/);
  return {
    url: `${scheme}://${host}:${port}`,
    facility: report.string(at(syslog, 'facility'), FACILITY) ?? PLATFORM.facility,
    ...(appName !== undefined && { appName }),
  };
}

function schemeOf({ value }: SourceLocation): string | undefined {
  if (value === undefined || value === null || value === '') return 'udp';
  return typeof value === 'string' ? /^(udp|tcp|tls)[46]?$/.exec(value)?.[1] : undefined;
}

type Blocks = ReadonlyMap<string, SourceLocation>;

interface MainInput {
  readonly blocks: Blocks;
  readonly report: ImportReport;
  readonly machine: Machine;
}

/** Returns the main file without the block `vault`, which depends on whether any value refers to Vault. */
export function mainFile({ blocks, report, machine }: MainInput): Keys {
  const block = (name: string): SourceLocation =>
    blocks.get(name) ?? { pointer: `/${name}`, value: undefined };
  const server = {
    ...serverOf(block('expressProps'), report, machine),
    ...drainOf(block('systemProps'), report),
  };
  const minutes = report.integer(at(block('authenticationProps'), 'logoutTime'), [1, 1_440]);
  report.string(at(block('authenticationProps'), 'cookieName'), /^token$/);
  const audit = at(block('auditProps'), 'audit');
  if (audit.value === true) report.use(audit);
  const log = logOf(block('loggerProps'), report, machine);
  return {
    ...(Object.keys(server).length > 0 && { server }),
    ...(minutes !== undefined && { auth: { local: { tokenTtlSeconds: minutes * 60 } } }),
    ...(Object.keys(log).length > 0 && { log }),
  };
}

/** Returns the block `vault`, if the result refers to secrets or the platform had a Vault. */
export function vaultKeys({ blocks, report }: MainInput): Keys {
  return vaultOf(blocks.get('vaultProps'), report);
}

/** Returns the names of the adapters that the profile runs; undefined if it names no services. */
export function servicesOf(
  blocks: Blocks,
  adapters: ReadonlySet<string>,
  report: ImportReport,
): ReadonlySet<string> | undefined {
  const items = blocks.get('services');
  if (!items || itemsOf(items).length === 0) return undefined;
  const named = itemsOf(items).filter(({ value }) => typeof value === 'string' && adapters.has(value));
  for (const one of named) report.use(one);
  return new Set(named.map(({ value }) => String(value)));
}

/** Returns the settings of the single listener: HTTPS if it is enabled, otherwise HTTP. */
function serverOf(express: SourceLocation, report: ImportReport, machine: Machine): Keys {
  const [plain, secure] = [at(express, 'express_http'), at(express, 'express_https')];
  report.skip(plain, SECOND_LISTENER);
  if (at(secure, 'enable').value === true) return secureListener(secure, report, machine);
  if (at(plain, 'enable').value !== true) return {};
  report.use(at(plain, 'enable'));
  report.tasks.push(
    'gatehouse.yaml: /server/listen serves plain HTTP to the network, like the platform. Set server.tls.',
  );
  return { listen: `0.0.0.0:${report.integer(at(plain, 'port'), [1, 65_535]) ?? 3_000}` };
}

function secureListener(secure: SourceLocation, report: ImportReport, machine: Machine): Keys {
  report.use(at(secure, 'enable'));
  const port = report.integer(at(secure, 'port'), [1, 65_535]) ?? 3_443;
  const [certFile, keyFile] = ['cert', 'key'].map((name) => report.string(at(secure, name), FILE_PATH));
  const isReady = [certFile, keyFile].every((path) => path !== undefined && machine.isThere(path));
  if (isReady) return { listen: `0.0.0.0:${port}`, tls: { certFile, keyFile } };
  // Never use plain HTTP if the platform used TLS.
  const named = [certFile, keyFile].filter((path) => path !== undefined).join(' and ');
  report.tasks.push(
    `gatehouse.yaml: /server/listen accepts only local connections, because the certificate and the key do not exist on this machine${named === '' ? '' : ` (${named})`}. Copy them, set server.tls.certFile and server.tls.keyFile, and then server.listen: 0.0.0.0:${port}.`,
  );
  return { listen: `127.0.0.1:${port}` };
}

function drainOf(system: SourceLocation, report: ImportReport): Keys {
  const drainSeconds = report.integer(at(system, 'shutdownTimeout'), [0, 3_600]);
  return drainSeconds === undefined ? {} : { drainSeconds };
}

/** Location of the platform's secrets, from the settings of its Vault. */
interface Endpoint {
  readonly mount: string;
  /** Prefix of each path, below the mount. */
  readonly prefix: Prefix;
}

const SEGMENTS = /^[\w.-]+(?:\/[\w.-]+)*$/;

/**
 * Parses the endpoint of the platform's Vault: `<mount>/data`, optionally followed by a prefix for every
 * path.
 */
export function endpointOf(vault: SourceLocation | undefined): Endpoint {
  const { value } = at(vault ?? ABSENT, 'endpoint');
  const text = typeof value === 'string' ? value.replaceAll(/^\/+|\/+$/g, '') : '';
  if (!isEndpoint(text)) return { mount: 'secret', prefix: [] };
  const parts = text.split('/');
  const data = parts.indexOf('data', 1);
  if (data < 0) return { mount: text, prefix: [] };
  return { mount: parts.slice(0, data).join('/'), prefix: parts.slice(data + 1) };
}

/** Returns true for a valid endpoint. Vault serves no path with a segment that ends in a dot. */
function isEndpoint(text: string): boolean {
  return SEGMENTS.test(text) && !/\.(?:\/|$)/.test(text) && !looksSecret(text);
}

const ABSENT: SourceLocation = { pointer: '', value: undefined };
const LOOPBACK = /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|\/|$)/;

/**
 * Returns the key `vault`. Without an address of the platform, the result has a placeholder that must be
 * changed.
 */
function vaultOf(vault: SourceLocation | undefined, report: ImportReport): Keys {
  if (!vault?.value && !report.needsVault) return {};
  const block = vault ?? ABSENT;
  const { mount } = endpointOf(vault);
  const endpoint = at(block, 'endpoint');
  if (typeof endpoint.value === 'string' && isEndpoint(endpoint.value.replaceAll(/^\/+|\/+$/g, '')))
    report.use(endpoint);
  const address = addressOf(block, report);
  const isPlainHttp = address.startsWith('http:') && !LOOPBACK.test(address);
  if (isPlainHttp)
    report.tasks.push(
      'gatehouse.yaml: /vault/address uses plain HTTP, like the platform, and exposes every secret to the network. Use https and remove allowInsecure.',
    );
  return {
    vault: { address, mount, ...(isPlainHttp && { allowInsecure: true }), auth: authOf(block, report) },
  };
}

function addressOf(block: SourceLocation, report: ImportReport): string {
  const url = at(block, 'url');
  const address = report.string(url, new RegExp(BASE_URL_PATTERN));
  if (address !== undefined && URL.canParse(address)) return address;
  report.tasks.push(
    'gatehouse.yaml: /vault is a placeholder: write the address of your Vault and its login (docs/how-to/set-up-vault.md).',
  );
  return 'https://127.0.0.1:8200';
}

/**
 * Returns the login to Vault. Credentials belong in files, so credentials in the properties must be written
 * to a file.
 */
function authOf(block: SourceLocation, report: ImportReport): Keys {
  const method = at(block, 'authMethod');
  if (method.value === 'approle') {
    report.use(method);
    return {
      method: 'approle',
      roleIdFile: credential(at(block, 'role_id'), 'vault/role_id', report),
      secretIdFile: credential(at(block, 'secret_id'), 'vault/secret_id', report),
    };
  }
  if (method.value === 'token') report.use(method);
  const token = at(block, 'token');
  if (typeof token.value !== 'string' || token.value === '') return { method: 'token' };
  return { method: 'token', tokenFile: credential(token, 'vault/token', report) };
}

function credential(place: SourceLocation, file: string, report: ImportReport): string {
  const path = report.string(place, FILE_PATH);
  if (path !== undefined) return path;
  report.use(place);
  report.tasks.push(
    `gatehouse.yaml: write the value of ${printablePointer(place.pointer)} to the file ${file} next to gatehouse.yaml, mode 0600. The login to Vault needs it, so Vault cannot store it.`,
  );
  return file;
}
