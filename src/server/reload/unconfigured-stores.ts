import type { Fault } from '../../core/fault.js';
import { valueAt } from '../../json/pointer.js';
import { FILES_NOT_CONFIGURED } from '../../secrets/files/file-store.js';
import { VAULT_NOT_CONFIGURED } from '../../secrets/vault/vault-store.js';
import { type ConfigSection, locateFault } from './config-section.js';

/** Returns a fault for each reference of a section to a store that the main file does not configure. */
export function referencesWithoutStore(
  { written, references }: Pick<ConfigSection, 'written' | 'references'>,
  main: { readonly written: Pick<ConfigSection['written'], 'value'> },
): readonly Fault[] {
  const isConfigured = (block: string): boolean => (valueAt(main.written.value, block) ?? null) !== null;
  const missing = {
    vault: isConfigured('/vault') ? undefined : VAULT_NOT_CONFIGURED,
    file: isConfigured('/secrets/files') ? undefined : FILES_NOT_CONFIGURED,
  };
  return references.flatMap(({ pointer, reference }) => {
    const failure = missing[reference.store ?? 'vault'];
    return failure ? [locateFault(written, { pointer, ...failure })] : [];
  });
}
