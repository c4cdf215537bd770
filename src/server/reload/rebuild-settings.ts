import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../../core/pointer.js';
import type { SnapshotInput } from './snapshot-input.js';
import { buildMain, type MainHandles } from './build-settings.js';
import { sectionFingerprint, createHandle, reasonOf } from './create-handle.js';
import { reuseHandle, type BuildResult } from './build-result.js';

/** What the parts of the main file are made from; the rest of it is opened once in the life of the process. */
export const MADE_FROM = ['/auth', '/server/publicUrl', '/egress', '/roles', '/forms', '/log/level'];

/** The former parts where nothing about them changed; or new ones, unless a rotated secret spoilt them. */
export async function rebuildSettings(input: SnapshotInput): Promise<BuildResult<MainHandles>> {
  const { previous, only, desired } = input;
  const { main } = desired;
  if (previous && only && !only.has(main.name))
    return reuseHandle(previous.main, previous.outdated.get(main.name));
  const resolved = input.resolved(main);
  const values = MADE_FROM.map((pointer) => valueAt(resolved.value, pointer));
  const fingerprint = await sectionFingerprint(resolved, values, (pointer) =>
    pointer.startsWith('/auth/issuers/'),
  );
  if (previous?.main.origin.fingerprint === fingerprint) return reuseHandle(previous.main);
  const built = await buildMain(resolved, input);
  if ('value' in built) {
    const making = { resolved, fingerprint, references: main.references, redactor: input.redactor };
    return { part: createHandle(built.value, making, () => built.value.verifier.close()) };
  }
  if (!previous || !isDeepStrictEqual(previous.desired.main.written.value, main.written.value)) return built;
  // Nobody changed the file: what is wrong came from Vault, and must not stand in the way of the adapters.
  const reason = reasonOf(built.faults);
  if (previous.outdated.get(main.name) !== reason)
    input.log.error('a rotated secret does not fit; the former one stays in use', { faults: built.faults });
  return reuseHandle(previous.main, reason);
}
