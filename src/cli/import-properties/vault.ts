import { BASE_URL_PATTERN } from '../../config/schema-parts.js';
import { FILE, type ImportReport, looksSecret, type Prefix } from './import-report.js';
import { at, type SourceLocation, shown } from './source-location.js';
import type { Keys } from './policies.js';

/** Location of the platform's secrets, from the settings of its Vault. */
export interface Endpoint {
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
  const { value } = at(vault ?? NOTHING, 'endpoint');
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

const NOTHING: SourceLocation = { pointer: '', value: undefined };
const LOOPBACK = /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|\/|$)/;

/**
 * Returns the key `vault`. Without an address of the platform, the result has a placeholder that must be
 * changed.
 */
export function vaultOf(vault: SourceLocation | undefined, ledger: ImportReport): Keys {
  if (!vault?.value && !ledger.needsVault) return {};
  const block = vault ?? NOTHING;
  const { mount } = endpointOf(vault);
  const endpoint = at(block, 'endpoint');
  if (typeof endpoint.value === 'string' && isEndpoint(endpoint.value.replaceAll(/^\/+|\/+$/g, '')))
    ledger.use(endpoint);
  const address = addressOf(block, ledger);
  const isOpen = address.startsWith('http:') && !LOOPBACK.test(address);
  if (isOpen)
    ledger.tasks.push(
      'gatehouse.yaml: /vault/address is asked over http, as on the platform: whoever listens reads every secret. Use https and remove allowInsecure.',
    );
  return { vault: { address, mount, ...(isOpen && { allowInsecure: true }), auth: authOf(block, ledger) } };
}

function addressOf(block: SourceLocation, ledger: ImportReport): string {
  const url = at(block, 'url');
  const address = ledger.word(url, new RegExp(BASE_URL_PATTERN));
  if (address !== undefined && URL.canParse(address)) return address;
  ledger.tasks.push(
    'gatehouse.yaml: /vault is made up: write the address of your Vault and how to log in (docs/guides/secrets.md).',
  );
  return 'https://127.0.0.1:8200';
}

/**
 * Returns the login to Vault. Credentials belong in files, so credentials in the properties must be written
 * to a file.
 */
function authOf(block: SourceLocation, ledger: ImportReport): Keys {
  const method = at(block, 'authMethod');
  if (method.value === 'approle') {
    ledger.use(method);
    return {
      method: 'approle',
      roleIdFile: credential(at(block, 'role_id'), 'vault/role_id', ledger),
      secretIdFile: credential(at(block, 'secret_id'), 'vault/secret_id', ledger),
    };
  }
  if (method.value === 'token') ledger.use(method);
  const token = at(block, 'token');
  if (typeof token.value !== 'string' || token.value === '') return { method: 'token' };
  return { method: 'token', tokenFile: credential(token, 'vault/token', ledger) };
}

function credential(place: SourceLocation, file: string, ledger: ImportReport): string {
  const path = ledger.word(place, FILE);
  if (path !== undefined) return path;
  ledger.use(place);
  ledger.tasks.push(
    `gatehouse.yaml: write what the platform has as ${shown(place.pointer)} into the file ${file} beside it, mode 0600. It is needed to reach Vault, so it cannot stand there.`,
  );
  return file;
}
