import { findReferences, type LocatedReference } from '../../src/secrets/find-references.js';
import type { Freshness, SecretSource } from '../../src/secrets/open-secrets.js';
import type { SecretFileSettings } from '../../src/settings/secret-files.js';
import type { VaultSettings } from '../../src/settings/vault.js';
import { createFakeScheduler, type FakeScheduler } from '../support/fake-scheduler.js';
import type { LogLine } from '../support/memory-log.js';
import type { VaultDouble } from '../support/vault-double.js';
import { type Bench, createBench, resolveAll, valueOrCode } from './fixtures.js';

/** References of each owner, by name. */
type Uses = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A source that watches secrets of a Vault, with a clock that the test advances. */
export interface RotationBench {
  readonly vault: VaultDouble;
  readonly source: SecretSource;
  readonly time: FakeScheduler;
  readonly log: readonly LogLine[];
  /** Owners of each reported change. */
  readonly changes: (readonly string[])[];
  /**
   * Resolves all references again and marks them as used. The owners in `behind` still use earlier values.
   */
  use(uses: Uses, ...staleOwners: readonly string[]): Promise<void>;
  /** Returns the current values of an owner. */
  values(owner: string, freshness?: Freshness): Promise<Record<string, unknown>>;
  /** Advances the clock, and lets Vault answer all requests in that time. */
  pass(seconds: number): Promise<void>;
  /** Returns the requests since the last call, as `METHOD path` below `/v1/`. */
  requests(): readonly string[];
  close(): Promise<void>;
}

interface RotationOptions {
  readonly settings?: Partial<VaultSettings>;
  /** Settings of secrets in files; none by default. */
  readonly files?: SecretFileSettings;
  /** Changes the settings after the start of Vault, for example to log in with one of its roles. */
  readonly prepare?: (vault: VaultDouble) => Partial<VaultSettings> | Promise<Partial<VaultSettings>>;
}

export async function createRotationBench(options: RotationOptions = {}): Promise<RotationBench> {
  const time = createFakeScheduler();
  const bench = await createBench({ clock: time, scheduler: time });
  const { vault, sent } = bench;
  const settle = (): Promise<void> => waitUntilQuiet(bench);
  const changed = { ...options.settings, ...(await options.prepare?.(vault)) };
  const source = bench.open(changed, options.files);
  const changes: (readonly string[])[] = [];
  source.onChange((owners) => changes.push([...owners].sort()));
  let uses: Uses = {};
  let seen = 0;
  return {
    vault,
    source,
    time,
    log: bench.log,
    changes,
    use: async (now, ...staleOwners) => {
      uses = now;
      for (const owner of Object.keys(uses)) await resolveAll(source, uses[owner] ?? {});
      source.watch(ownersOf(uses), new Set(staleOwners));
    },
    values: async (owner, freshness = 'held') => {
      const resolved = await source.resolve(findReferences(uses[owner]).references, freshness);
      return Object.fromEntries([...resolved].map(([pointer, was]) => [pointer.slice(1), valueOrCode(was)]));
    },
    pass: (seconds) => passQuietly(time, seconds * 1000, settle),
    requests: () => {
      const since = sent.slice(seen).map(({ method, path }) => `${method} ${path.replace('/v1/', '')}`);
      seen = sent.length;
      return since;
    },
    close: () => bench.close(),
  };
}

function ownersOf(uses: Uses): ReadonlyMap<string, readonly LocatedReference[]> {
  return new Map(
    Object.entries(uses).map(([owner, document]) => [owner, findReferences(document).references]),
  );
}

/** Advances the clock from one timer to the next, and waits for the network after each. */
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

/** Turns of the event loop without a pending request after which no further request is expected. */
const QUIET_TURNS = 12;

async function waitUntilQuiet({ underWay }: Pick<Bench, 'underWay'>): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; quiet = underWay() === 0 ? quiet + 1 : 0)
    await new Promise((resolve) => setImmediate(resolve));
}
