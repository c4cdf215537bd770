import { type Desired, enabledPieces } from './desired.js';
import type { Fault } from '../domain/fault.js';
import type { Redactor } from '../domain/redactor.js';
import type { SecretSource } from '../secrets/resolve.js';
import { type Built, buildSnapshot } from './build-snapshot.js';
import type { BuildInput } from './build-input.js';
import { maskedSecrets } from './masked-secrets.js';
import type { BuildRequest } from './reloader.js';
import { resolvePieces } from './resolve-pieces.js';
import { restartNeeded } from './restart-needed.js';

export interface BuildDeps extends Omit<BuildInput, 'desired'> {
  /** Reads the configuration on disk. */
  readonly read: () => Promise<{ readonly desired: Desired; readonly faults: readonly Fault[] }>;
  /** What the process was started with. */
  readonly started: Desired;
  readonly secrets: Pick<SecretSource, 'resolve'>;
  readonly redactor: Pick<Redactor, 'add'>;
}

/** Makes the function that builds the next snapshot, for reloads and rotations. */
export function createBuild(deps: BuildDeps): (request: BuildRequest) => Promise<Built> {
  const { read, started, redactor, log } = deps;
  return async ({ former, from, stopping }) => {
    const { desired, faults } = from === 'files' ? await read() : { desired: former.desired, faults: [] };
    if (faults.length > 0) return { faults };
    const keys = restartNeeded(started, desired);
    if (keys.length > 0 && from === 'files')
      log.warn('these changes take effect at the next start', { keys });
    const only = from === 'files' ? undefined : from;
    const pieces = enabledPieces(desired).filter(({ name }) => !only || only.has(name));
    const secrets = maskedSecrets(deps.secrets, redactor);
    try {
      const resolved = await resolvePieces(pieces, secrets, 'held');
      const generation = former.generation + 1;
      return await buildSnapshot({
        ...deps,
        desired,
        former,
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
