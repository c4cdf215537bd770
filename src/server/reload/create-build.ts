import { type LoadedConfig, type Desired, type DesiredFiles, enabledSections } from './desired-state.js';
import type { PlatformState } from '../../core/platform-state.js';
import type { Redactor } from '../../core/redactor.js';
import type { SecretSource } from '../../vault/open-secrets.js';
import { type Built, buildSnapshot } from './build-snapshot.js';
import type { BuildInput } from './build-input.js';
import { redactedSecrets } from './redacted-secrets.js';
import type { BuildRequest } from './reloader.js';
import { resolveSections } from './resolve-sections.js';
import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../../core/pointer.js';

/** Parts of the main file that are opened once in the life of the process. */
const FIXED = [
  '/release',
  ...['/server/listen', '/server/tls', '/server/limits', '/server/overload', '/server/drainSeconds'],
  '/server/workers',
  ...['/storage', '/audit', '/vault', '/auth/local/keyFile', '/log/format', '/log/file'],
  ...['/log/rotation', '/log/syslog', '/tracing', '/console'],
  ...['/forms/validateTimeoutMs', '/forms/validateMemoryMb', '/forms/yangPath'],
];

/** The built-in issuer can be switched off at run time, but its key is opened at the start alone. */
const ENABLED = '/auth/local/enabled';

/** Pointers of the parts that differ from what the process was started with, and that a reload cannot change. */
export function restartNeeded(started: Desired, next: Desired): readonly string[] {
  const partOf = ({ main }: Desired, pointer: string): unknown => valueAt(main.written.value, pointer);
  const switchedOn = partOf(started, ENABLED) === false && partOf(next, ENABLED) === true;
  const changed = FIXED.filter(
    (pointer) => !isDeepStrictEqual(partOf(started, pointer), partOf(next, pointer)),
  );
  return switchedOn ? [...changed, ENABLED] : changed;
}

export interface BuildDeps extends Omit<BuildInput, 'desired'> {
  /** Reads the files of the configuration, and adds what was asked for through the API. */
  readonly read: (state: PlatformState) => Promise<LoadedConfig>;
  /** Adds it to files that were read before. */
  readonly combine: (files: DesiredFiles, state: PlatformState) => Promise<LoadedConfig>;
  /** What was asked for through the API. */
  readonly readState: () => Promise<PlatformState>;
  /** What the process was started with. */
  readonly started: Desired;
  readonly secrets: Pick<SecretSource, 'resolve'>;
  readonly redactor: Pick<Redactor, 'add'>;
}

/** Makes the function that builds the next snapshot, for reloads and rotations. */
export function createBuild(deps: BuildDeps): (request: BuildRequest) => Promise<Built> {
  const { started, redactor, log } = deps;
  return async ({ previous, from, stopping }) => {
    const { desired, faults } = await asked(deps, previous.desired, from);
    if (faults.length > 0) return { faults };
    const keys = restartNeeded(started, desired);
    if (keys.length > 0 && from === 'files')
      log.warn('these changes take effect at the next start', { keys });
    const only = typeof from === 'string' ? undefined : from;
    const sections = enabledSections(desired).filter(({ name }) => !only || only.has(name));
    const secrets = redactedSecrets(deps.secrets, redactor);
    try {
      const resolved = await resolveSections(sections, secrets, 'held');
      const generation = previous.generation + 1;
      return await buildSnapshot({
        ...deps,
        desired,
        previous,
        generation,
        resolved,
        stopping,
        ...(only && { only }),
      });
    } finally {
      await secrets.close();
    }
  };
}

/** What is to run next. */
async function asked(deps: BuildDeps, previous: Desired, from: BuildRequest['from']): Promise<LoadedConfig> {
  if (typeof from !== 'string') return { desired: previous, faults: [] };
  if (from === 'records') return deps.combine(previous.files, await deps.readState());
  // A database that is away must not stand in the way of the files: what it told last goes on.
  const state = await deps.readState().catch((error: unknown) => {
    deps.log.warn('the database does not tell what was registered; what it told last stays', { error });
    return previous.state;
  });
  return deps.read(state);
}
