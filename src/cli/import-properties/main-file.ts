import { LISTENER } from './skipped.js';
import { FILE, type ImportReport } from './import-report.js';
import { logOf } from './log.js';
import { at, itemsOf, type SourceLocation } from './source-location.js';
import type { Keys, Machine } from './policies.js';
import { vaultOf } from './vault.js';

export type Blocks = ReadonlyMap<string, SourceLocation>;

interface MainInput {
  readonly blocks: Blocks;
  readonly ledger: ImportReport;
  readonly machine: Machine;
}

/** The main file, without the block `vault`, which depends on whether anything refers to it. */
export function mainFile({ blocks, ledger, machine }: MainInput): Keys {
  const block = (name: string): SourceLocation =>
    blocks.get(name) ?? { pointer: `/${name}`, value: undefined };
  const server = {
    ...serverOf(block('expressProps'), ledger, machine),
    ...drainOf(block('systemProps'), ledger),
  };
  const minutes = ledger.whole(at(block('authenticationProps'), 'logoutTime'), [1, 1_440]);
  ledger.word(at(block('authenticationProps'), 'cookieName'), /^token$/);
  const audit = at(block('auditProps'), 'audit');
  if (audit.value === true) ledger.use(audit);
  const log = logOf(block('loggerProps'), ledger, machine);
  return {
    ...(Object.keys(server).length > 0 && { server }),
    ...(minutes !== undefined && { auth: { local: { tokenTtlSeconds: minutes * 60 } } }),
    ...(Object.keys(log).length > 0 && { log }),
  };
}

/** The block `vault`, where the result refers to secrets or the platform had a Vault. */
export function vaultKeys({ blocks, ledger }: MainInput): Keys {
  return vaultOf(blocks.get('vaultProps'), ledger);
}

/** Names of the adapters that the profile has run; undefined when it names nothing. */
export function servicesOf(
  blocks: Blocks,
  adapters: ReadonlySet<string>,
  ledger: ImportReport,
): ReadonlySet<string> | undefined {
  const items = blocks.get('services');
  if (!items || itemsOf(items).length === 0) return undefined;
  const named = itemsOf(items).filter(({ value }) => typeof value === 'string' && adapters.has(value));
  for (const one of named) ledger.use(one);
  return new Set(named.map(({ value }) => String(value)));
}

/** One listener: that of https where there is one. */
function serverOf(express: SourceLocation, ledger: ImportReport, machine: Machine): Keys {
  const [plain, secure] = [at(express, 'express_http'), at(express, 'express_https')];
  ledger.leave(plain, LISTENER);
  if (at(secure, 'enable').value === true) return secureListener(secure, ledger, machine);
  if (at(plain, 'enable').value !== true) return {};
  ledger.use(at(plain, 'enable'));
  ledger.tasks.push(
    'gatehouse.yaml: /server/listen serves plain http to everyone who reaches it, as on the platform. Set server.tls.',
  );
  return { listen: `0.0.0.0:${ledger.whole(at(plain, 'port'), [1, 65_535]) ?? 3_000}` };
}

function secureListener(secure: SourceLocation, ledger: ImportReport, machine: Machine): Keys {
  ledger.use(at(secure, 'enable'));
  const port = ledger.whole(at(secure, 'port'), [1, 65_535]) ?? 3_443;
  const [certFile, keyFile] = ['cert', 'key'].map((name) => ledger.word(at(secure, name), FILE));
  const isReady = [certFile, keyFile].every((path) => path !== undefined && machine.isThere(path));
  if (isReady) return { listen: `0.0.0.0:${port}`, tls: { certFile, keyFile } };
  // Never plain http where the platform had TLS.
  const named = [certFile, keyFile].filter((path) => path !== undefined).join(' and ');
  ledger.tasks.push(
    `gatehouse.yaml: it listens on this machine alone, because certificate and key are not here${named === '' ? '' : ` (${named})`}. Bring them, set server.tls.certFile and server.tls.keyFile, and then server.listen: 0.0.0.0:${port}.`,
  );
  return { listen: `127.0.0.1:${port}` };
}

function drainOf(system: SourceLocation, ledger: ImportReport): Keys {
  const drainSeconds = ledger.whole(at(system, 'shutdownTimeout'), [0, 3_600]);
  return drainSeconds === undefined ? {} : { drainSeconds };
}
