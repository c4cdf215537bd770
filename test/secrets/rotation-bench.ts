import type { OpenHttpClient } from '../../src/domain/http.js';
import type { VaultSettings } from '../../src/domain/settings.js';
import { findReferences, type PlacedReference } from '../../src/secrets/find-references.js';
import { type Freshness, openSecrets, type SecretSource } from '../../src/secrets/resolve.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { createFakeScheduler, type FakeScheduler } from '../support/fake-scheduler.js';
import { memoryLog, type LogLine } from '../support/memory-log.js';
import { createVaultDouble, type VaultDouble } from '../support/vault-double.js';
import { resolveAll } from './fixtures.js';

/** References by name, by owner. */
export type Uses = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A source that watches secrets of a Vault; both live in a time that the test moves. */
export interface RotationBench {
  readonly vault: VaultDouble;
  readonly source: SecretSource;
  readonly time: FakeScheduler;
  readonly log: readonly LogLine[];
  /** Owners of each change that was told. */
  readonly changes: (readonly string[])[];
  /** Milliseconds that were waited for between attempts; none of it is real. */
  readonly waits: readonly number[];
  /** Resolves everything anew and says that it is in use. */
  use(uses: Uses): Promise<void>;
  /** Values that an owner has now. */
  values(owner: string, freshness?: Freshness): Promise<Record<string, unknown>>;
  /** Lets time pass, and Vault answer whatever is asked in it. */
  pass(seconds: number): Promise<void>;
  /** Requests since the last time this was asked, as `METHOD path` below `/v1/`. */
  requests(): readonly string[];
  close(): Promise<void>;
}

export interface RotationOptions {
  readonly flavour?: 'vault' | 'openbao';
  readonly settings?: Partial<VaultSettings>;
  /** Changes the settings when Vault is there, for example to log in with a role of it. */
  readonly prepare?: (vault: VaultDouble) => Partial<VaultSettings> | Promise<Partial<VaultSettings>>;
}

const DRAIN_MS = 30_000;

export async function createRotationBench(options: RotationOptions = {}): Promise<RotationBench> {
  const time = createFakeScheduler();
  const vault = await createVaultDouble({ clock: time, flavour: options.flavour ?? 'vault' });
  const { log, lines } = memoryLog();
  const waits: number[] = [];
  const traffic = countTraffic();
  const changed = { ...options.settings, ...(await options.prepare?.(vault)) };
  const source = openSecrets(
    { ...defaults(vault.address), ...changed },
    {
      openHttpClient: traffic.openHttpClient,
      env: { ROOT_TOKEN: vault.rootToken },
      clock: time,
      scheduler: time,
      log,
      random: () => 0.5,
      wait: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
      drainMs: DRAIN_MS,
    },
  );
  const changes: (readonly string[])[] = [];
  source.onChange((owners) => changes.push([...owners].sort()));
  let uses: Uses = {};
  let seen = 0;
  return {
    vault,
    source,
    time,
    log: lines,
    changes,
    waits,
    use: async (now) => {
      uses = now;
      for (const owner of Object.keys(uses)) await resolveAll(source, uses[owner] ?? {});
      source.watch(ownersOf(uses));
    },
    values: async (owner, freshness = 'held') => {
      const resolved = await source.resolve(findReferences(uses[owner]).references, freshness);
      const short = [...resolved].map(([pointer, was]) => [
        pointer.slice(1),
        'value' in was ? was.value : was.code,
      ]);
      return Object.fromEntries(short) as Record<string, unknown>;
    },
    pass: (seconds) => passQuietly(time, seconds * 1000, traffic.settle),
    requests: () => {
      const since = vault.log.slice(seen).map(({ method, path }) => `${method} ${path.replace('/v1/', '')}`);
      seen = vault.log.length;
      return since;
    },
    close: async () => {
      await source.close();
      await vault.close();
    },
  };
}

function ownersOf(uses: Uses): ReadonlyMap<string, readonly PlacedReference[]> {
  return new Map(
    Object.entries(uses).map(([owner, document]) => [owner, findReferences(document).references]),
  );
}

function defaults(address: string): VaultSettings {
  return {
    address: [address],
    namespace: null,
    mount: 'secret',
    kvVersion: 2,
    auth: { method: 'token', tokenEnv: 'ROOT_TOKEN' },
    tls: { caFile: null, certFile: null, keyFile: null, serverName: null },
    proxy: null,
    request: { deadlineMs: 5000, attempts: 1, concurrency: 8 },
    boot: { waitSeconds: 60, requireAll: false },
    refresh: { intervalSeconds: 300, jitter: 0.1, maxStaleSeconds: 86_400, onAuthFailure: true },
    allowInsecure: false,
  };
}

/** Moves time from one call-back to the next, and lets the network come to rest at each. */
async function passQuietly(time: FakeScheduler, ms: number, settle: () => Promise<void>): Promise<void> {
  const end = time.now() + ms;
  await settle();
  for (let next = time.next(); next !== undefined && time.now() + next <= end; next = time.next()) {
    await time.pass(next);
    await settle();
  }
  await time.pass(end - time.now());
  await settle();
}

/** Turns of the event loop without a request under way after which none is to be expected. */
const QUIET_TURNS = 12;

/** Knows when no request is under way. */
function countTraffic(): {
  readonly openHttpClient: OpenHttpClient;
  readonly settle: () => Promise<void>;
} {
  let underWay = 0;
  return {
    openHttpClient: (options) => {
      const http = openHttpClient(options);
      return {
        ...http,
        send: async (...sent) => {
          underWay += 1;
          return http.send(...sent).finally(() => (underWay -= 1));
        },
      };
    },
    settle: async () => {
      for (let quiet = 0; quiet < QUIET_TURNS; quiet = underWay === 0 ? quiet + 1 : 0)
        await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
