import type { Fault, LocatedFault } from '../../core/fault.js';
import { asSettings } from '../../config/settings-schema.js';
import { pointerTo } from '../../core/pointer.js';
import type { Settings } from '../../core/settings.js';
import type { Snapshot } from '../../core/snapshot.js';
import type { BuildInput } from './build-input.js';
import { overlaidFault } from './profile-overlay.js';
import { locateFault } from './config-section.js';
import type { ResolvedSection } from './resolve-sections.js';
import { faultsOf, type OwnedVerifier } from '../../adapters/factories.js';

/** What a snapshot takes from the main file. */
export interface MainHandles extends Pick<Snapshot, 'egress' | 'logins' | 'roles' | 'forms' | 'logLevel'> {
  readonly verifier: OwnedVerifier;
}

/** The parts that were made, or the faults that refuse the configuration. */
export type BuiltSettings = { readonly value: MainHandles } | { readonly faults: readonly Fault[] };

/** Makes the parts of the main file. Connects to nothing. */
export async function buildMain(
  main: ResolvedSection,
  { desired, factories }: BuildInput,
): Promise<BuiltSettings> {
  const { written } = desired.main;
  if (main.failures.length > 0) {
    return { faults: main.failures.map((failure) => locateFault(written, failure)) };
  }
  const settings = asSettings(main.value);
  const verifier = await factories.openVerifier(settings.auth, settings.server.publicUrl);
  const logins = factories.openLogins(settings.auth.local);
  const egress = factories.openEgress(settings.egress);
  const faults = [
    ...below('/auth', faultsOf(verifier)),
    ...below('/auth/local', faultsOf(logins)),
    ...below('/egress', faultsOf(egress)),
    ...checkRoles(settings.roles, factories.operationNames),
  ].map((fault) => overlaidFault(desired, fault));
  if (faults.length === 0 && 'value' in verifier && 'value' in logins && 'value' in egress) {
    const { roles, forms, log } = settings;
    const opened = { verifier: verifier.value, logins: logins.value, egress: egress.value };
    return { value: { ...opened, roles, forms, logLevel: log.level } };
  }
  if ('value' in verifier) await verifier.value.close();
  return { faults };
}

/** Faults of a part, with pointers that count from the whole. */
export function below(pointer: string, faults: readonly LocatedFault[]): readonly LocatedFault[] {
  return faults.map((fault) => ({ ...fault, pointer: pointer + fault.pointer }));
}

/** Names in the key `roles` that no operation has. */
export function checkRoles(roles: Settings['roles'], known: readonly string[]): readonly LocatedFault[] {
  const unknown = Object.keys(roles).filter((name) => !known.includes(name));
  return unknown.map((name) => ({
    pointer: pointerTo('/roles', name),
    code: 'roles',
    message: 'there is no such operation',
    fix: `Use one of: ${known.join(', ')}.`,
  }));
}
