import { isDeepStrictEqual } from 'node:util';
import type { PlatformState } from '../../core/platform-state.js';
import type { JsonSchema } from '../../core/schema.js';
import type { Redactor } from '../../core/secret.js';
import { valueAt, pointerTo } from '../../json/pointer.js';
import type { SecretSource } from '../../secrets/open-secrets.js';
import { settingsSchema } from '../../core/settings.js';
import type { BuildInput } from './active-snapshot.js';
import { type Built, buildSnapshot } from './build-snapshot.js';
import { warnOfConfig } from './config-warnings.js';
import { type LoadedConfig, type Desired, type DesiredFiles, enabledSections } from './desired-state.js';
import { warnLiterals } from './literal-secrets.js';
import type { BuildRequest } from './reloader.js';
import { redactedSecrets, resolveSections } from './resolve-sections.js';
import { warnUnusedRoles } from './unused-roles.js';

/** Returns the pointers of the keys that the schema marks with `x-restart`. */
function restartKeys(schema: JsonSchema, pointer = ''): readonly string[] {
  if (schema['x-restart'] === true) return [pointer];
  const members = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>);
  return members.flatMap(([name, member]) => restartKeys(member, pointerTo(pointer, name)));
}

/** A reload can replace the files of the listener, but not change between HTTP and HTTPS. */
const TLS = '/server/tls';
export const LIVE_WITH_TLS = ['certFile', 'keyFile', 'clientCaFile', 'clientCrlFile'].map(
  (name) => `${TLS}/${name}`,
);

/** Pointers of the settings that are opened once at the start. */
const FIXED_AT_START = restartKeys(settingsSchema);

/** A reload can disable the built-in issuer, but not enable it, because its key is opened only at the start. */
const LOCAL_ISSUER_ENABLED = '/auth/local/enabled';

/** Returns true if a change of the setting takes effect only at the next start. */
export function appliesAtStart(pointer: string): boolean {
  const fixed = [...FIXED_AT_START, TLS, LOCAL_ISSUER_ENABLED];
  if (LIVE_WITH_TLS.includes(pointer)) return false;
  return fixed.some((one) => pointer === one || pointer.startsWith(`${one}/`));
}

/** Returns the pointers of changed settings that a reload cannot apply. */
export function restartNeeded(started: Desired, next: Desired): readonly string[] {
  const settingOf = ({ main }: Desired, pointer: string): unknown => valueAt(main.written.value, pointer);
  const isNewlyEnabled =
    settingOf(started, LOCAL_ISSUER_ENABLED) === false && settingOf(next, LOCAL_ISSUER_ENABLED) === true;
  const hasOtherProtocol = (settingOf(started, TLS) === null) !== (settingOf(next, TLS) === null);
  const changed = FIXED_AT_START.filter(
    (pointer) =>
      !(hasOtherProtocol && pointer.startsWith(`${TLS}/`)) &&
      !isDeepStrictEqual(settingOf(started, pointer), settingOf(next, pointer)),
  );
  return [...changed, ...(isNewlyEnabled ? [LOCAL_ISSUER_ENABLED] : []), ...(hasOtherProtocol ? [TLS] : [])];
}

export interface BuildDeps extends Omit<BuildInput, 'desired'> {
  /** Reads the files and combines them with the state of the API. */
  readonly read: (state: PlatformState) => Promise<LoadedConfig>;
  /** Combines files that were read earlier with the state of the API. */
  readonly combine: (files: DesiredFiles, state: PlatformState) => Promise<LoadedConfig>;
  /** Reads the state of the API. */
  readonly readState: () => Promise<PlatformState>;
  /** The configuration at the start of the process. */
  readonly started: Desired;
  readonly secrets: Pick<SecretSource, 'resolve'>;
  readonly redactor: Pick<Redactor, 'add'>;
}

/** Creates the function that builds the next snapshot, for reloads and rotated secrets. */
export function createBuild(deps: BuildDeps): (request: BuildRequest) => Promise<Built> {
  const { started, redactor, log } = deps;
  return async ({ previous, from, stopping }) => {
    // An operator reloads after an issuer has withdrawn a key.
    if (from === 'files') previous.main.value.verifier.refreshKeys();
    const { desired, faults } = await loadDesired(deps, previous.desired, from);
    if (faults.length > 0) return { faults };
    const keys = restartNeeded(started, desired);
    if (keys.length > 0 && from === 'files')
      log.warn('these changes take effect at the next start', { keys });
    if (from === 'files') {
      warnUnusedRoles(desired, deps.factories, log);
      warnOfConfig(desired.files, log, previous.desired.files);
      warnLiterals(desired.files, log, previous.desired.files);
    }
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

/** Loads the configuration of the next snapshot. */
async function loadDesired(
  deps: BuildDeps,
  previous: Desired,
  from: BuildRequest['from'],
): Promise<LoadedConfig> {
  if (typeof from !== 'string') return { desired: previous, faults: [] };
  if (from === 'records') return deps.combine(previous.files, await deps.readState());
  // An unavailable database must not prevent a reload of the files, which then keeps the last known state.
  const state = await deps.readState().catch((error: unknown) => {
    deps.log.warn('database read failed; keeping the last known registrations', { error });
    return previous.state;
  });
  return deps.read(state);
}
