import { asSettings } from '../config/settings-schema.js';
import type { Fault } from '../core/fault.js';
import { mapConcurrently } from '../lib/map-concurrently.js';
import { WORLD_READABLE_FIX } from '../secrets/files/file-store.js';
import { readSecretFile } from '../secrets/files/read-secret-file.js';
import { type ConfigSection, locateFault } from '../server/state/configuration.js';

/** Maximum number of files that are read at a time. */
const CONCURRENCY = 8;

/** Sections of the configuration without a fault. */
interface FilesToCheck {
  readonly main?: ConfigSection;
  readonly adapters: readonly ConfigSection[];
}

/**
 * Returns a warning for each reference to a secret file that every user may read. It is no fault as for a private key: Docker
 * and Kubernetes mount secrets with mode 0644 by default, into a container without other users. Files that cannot be read
 * are left to the check of the secrets.
 */
export async function secretFileFindings({
  main,
  adapters,
}: FilesToCheck): Promise<readonly (Fault & { readonly isWarning: true })[]> {
  if (!main) return [];
  const { files } = asSettings(main.written.value).secrets;
  if (!files) return [];
  const references = [main, ...adapters].flatMap(({ written, references: all }) =>
    all.map((one) => ({ ...one, written })).filter(({ reference }) => reference.store === 'file'),
  );
  const found = await mapConcurrently(references, CONCURRENCY, async ({ written, pointer, reference }) => {
    const file = await readSecretFile(reference.segments, files).catch(() => undefined);
    if (!file?.isWorldReadable) return [];
    const message = `names the file "${reference.segments.join('/')}", which is readable by every user`;
    const details = { pointer, code: 'file_mode', message, fix: WORLD_READABLE_FIX };
    return [{ ...locateFault(written, details), isWarning: true as const }];
  });
  return found.flat();
}
