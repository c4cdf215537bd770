import type { Fault } from '../domain/fault.js';
import { buildAdapter } from './build-adapter.js';
import type { BuildInput } from './build-input.js';
import { buildMain } from './build-main.js';
import type { ClosableSnapshot } from './current.js';
import { maskedSecrets } from './masked-secrets.js';
import { resolvePieces } from './resolve-pieces.js';

/** A snapshot that was built, or the faults that refuse the configuration as a whole. */
export type Built = { readonly snapshot: ClosableSnapshot } | { readonly faults: readonly Fault[] };

/**
 * Builds everything new from a configuration that is valid as written. An adapter whose secret is missing is `DEAD`
 * while the others serve; any other fault refuses the configuration, and what was built is closed.
 */
export async function buildSnapshot(input: BuildInput): Promise<Built> {
  const { desired, generation } = input;
  const secrets = maskedSecrets(input.secrets, input.redactor);
  const resolved = await resolvePieces([desired.main, ...desired.adapters], secrets);
  const main = await buildMain(resolved(desired.main), input);
  const adapters = await Promise.all(
    desired.adapters.map((adapter) => buildAdapter(adapter, resolved(adapter), input)),
  );
  const built = adapters.flatMap((one) => ('instance' in one ? [one.instance] : []));
  const owned = [...built, ...('value' in main ? [main.value.verifier] : []), secrets];
  const close = (): Promise<void> => closeAll(owned);
  const faults = [main, ...adapters].flatMap((one) => ('faults' in one ? one.faults : []));
  if (faults.length === 0 && 'value' in main) {
    const instances = new Map(built.map((instance) => [instance.id, instance]));
    return { snapshot: { generation, ...main.value, adapters: instances, close } };
  }
  await close();
  return { faults };
}

async function closeAll(parts: readonly { close(): Promise<void> }[]): Promise<void> {
  await Promise.allSettled(parts.map((part) => part.close()));
}
