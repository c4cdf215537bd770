import { setTimeout as delay } from 'node:timers/promises';
import { asSettings } from '../../config/settings-schema.js';
import { systemScheduler } from '../../core/lib/clock.js';
import { ConfigError, type Fault } from '../../core/fault.js';
import { silentLog } from '../../core/log.js';
import { createConfigLoader, type ConfigLoaderOptions } from '../../server/config-loader.js';
import { type ConfigSection, locateFault } from '../../server/reload/config-section.js';
import { type LookupResult, resolveReferences } from '../../vault/resolve-reference.js';
import { VAULT_NOT_CONFIGURED } from '../../vault/open-secrets.js';
import { openHttpClient } from '../../upstream/client.js';

/** A reference of the configuration, its place, and what Vault has for it. */
export interface CheckedReference extends Omit<LookupResult, 'failure'> {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Why it cannot be resolved. */
  readonly fault?: Fault;
}

/** Asks Vault for every reference of a configuration; throws the faults of the configuration itself as a ConfigError. */
export async function checkSecrets(input: ConfigLoaderOptions): Promise<readonly CheckedReference[]> {
  const { desired, faults } = await (await createConfigLoader(input)).read();
  if (faults.length > 0) throw new ConfigError(faults);
  const sections = [desired.main, ...desired.adapters];
  const { vault } = asSettings(desired.main.written.value);
  const placed = sections.flatMap((section) =>
    section.references.map((reference) => ({ piece: section, reference })),
  );
  const references = placed.map(({ reference }, at) => ({ ...reference, pointer: `/${at}` }));
  const looks = vault
    ? await resolveReferences(references, vault, {
        openHttpClient,
        env: input.env,
        scheduler: systemScheduler,
        log: silentLog,
        wait,
        random: Math.random,
      })
    : references.map(({ pointer, reference }) => unanswered(pointer, reference.field));
  return looks.flatMap((look, at) => {
    const one = placed[at];
    return one ? [checked(one.piece, one.reference.pointer, look)] : [];
  });
}

function unanswered(pointer: string, field: string | null): LookupResult {
  return { pointer, path: '', version: null, field, names: [], asked: false, failure: VAULT_NOT_CONFIGURED };
}

function checked(
  { written }: ConfigSection,
  below: string,
  { failure, ...look }: LookupResult,
): CheckedReference {
  const pointer = written.at + below;
  const place = { file: written.document.file, ...written.document.locate(pointer) };
  const fault = failure && locateFault(written, { ...failure, pointer: below });
  return { ...look, ...place, pointer, ...(fault && { fault }) };
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
