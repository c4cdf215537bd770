import { isDeepStrictEqual } from 'node:util';
import { faultsOf } from '../../adapters/factories.js';
import { asSettings } from '../../config/settings-schema.js';
import type { Fault, LocatedFault } from '../../core/fault.js';
import type { Settings } from '../../core/settings.js';
import { valueAt } from '../../json/pointer.js';
import type { BuildInput, MainParts, SnapshotInput } from './active-snapshot.js';
import { accessFaults } from './check-access.js';
import { checkLimits } from './check-limits.js';
import { checkRoles } from './check-operations.js';
import { locateFault } from './config-section.js';
import { type BuildResult, createHandle, reasonOf, reuseHandle, sectionFingerprint } from './handle.js';
import { ownAddressesOf } from './own-addresses.js';
import { overlaidFault } from './profile-overlay.js';
import type { ResolvedSection } from './resolve-sections.js';

/** Pointers of the settings that are part of a snapshot. All other settings of the main file are opened once at the start. */
export const SETTINGS_OF_SNAPSHOT = [
  '/auth',
  '/server/publicUrl',
  '/egress',
  '/roles',
  '/access',
  '/limits',
  '/forms',
  '/notifications',
  '/log/level',
];

/**
 * Reuses the parts of the main file if they are unchanged; otherwise builds new parts. If a rotated secret makes the build
 * fail, the previous parts stay in use.
 */
export async function rebuildSettings(input: SnapshotInput): Promise<BuildResult<MainParts>> {
  const { previous, only, desired } = input;
  const { main } = desired;
  if (previous && only && !only.has(main.name))
    return reuseHandle(previous.main, previous.outdated.get(main.name));
  const resolved = input.resolved(main);
  const values = SETTINGS_OF_SNAPSHOT.map((pointer) => valueAt(resolved.value, pointer));
  const isUsed = (pointer: string): boolean => pointer.startsWith('/auth/issuers/');
  const fingerprint = await sectionFingerprint(resolved, values, isUsed);
  if (previous?.main.origin.fingerprint === fingerprint) return reuseHandle(previous.main);
  const built = await buildMain(resolved, input);
  if ('value' in built) {
    const { references } = main;
    const plan = { resolved, fingerprint, isUsed, references, redactor: input.redactor };
    return { part: createHandle(built.value, plan, () => built.value.verifier.close()) };
  }
  if (!previous || !isDeepStrictEqual(previous.desired.main.written.value, main.written.value)) return built;
  // The file is unchanged, so the fault comes from Vault or a file of an issuer. It must not prevent changes to adapters.
  const reason = reasonOf(built.faults);
  if (previous.outdated.get(main.name) !== reason)
    input.log.error('rotated secret or certificate is not usable; keeping the previous one', {
      faults: built.faults,
    });
  return reuseHandle(previous.main, reason);
}

/** The parts that were built, or the faults that refuse the configuration. */
type BuiltSettings = { readonly value: MainParts } | { readonly faults: readonly Fault[] };

/** Builds the parts of the main file. Opens no connection. */
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
  const egress = factories.openEgress(settings.egress, ownAddressesOf(settings));
  const faults = [
    ...prefixFaults('/auth', faultsOf(verifier)),
    ...prefixFaults('/auth/local', faultsOf(logins)),
    ...prefixFaults('/egress', faultsOf(egress)),
    ...checkRoles(settings.roles, factories.operationNames),
    ...accessFaults(settings.access, factories.operationNames),
    ...checkLimits(settings.limits, factories.operationNames),
    ...checkReceivers(settings.notifications),
  ].map((fault) => overlaidFault(desired, fault));
  if (faults.length === 0 && 'value' in verifier && 'value' in logins && 'value' in egress) {
    const { roles, limits, forms, log, notifications } = settings;
    const { clientCertificates } = settings.auth;
    const opened = { verifier: verifier.value, logins: logins.value, egress: egress.value };
    const parts = { roles, limits, forms, notifications, logLevel: log.level };
    return { value: { ...opened, ...parts, clientCertificates } };
  }
  if ('value' in verifier) await verifier.value.close();
  return { faults };
}

/** Prefixes the pointers of faults, which are relative to a part, with the pointer of the part. */
export function prefixFaults(pointer: string, faults: readonly LocatedFault[]): readonly LocatedFault[] {
  return faults.map((fault) => ({ ...fault, pointer: pointer + fault.pointer }));
}

/** Returns a fault for each receiver of notifications whose name another one has: what was sent is stored by name. */
export function checkReceivers({
  receivers,
}: Pick<Settings['notifications'], 'receivers'>): readonly LocatedFault[] {
  return receivers.flatMap(({ name }, at) =>
    receivers.findIndex((other) => other.name === name) === at
      ? []
      : [
          {
            pointer: `/notifications/receivers/${at}/name`,
            code: 'receivers',
            message: `"${name}" is the name of another receiver`,
            fix: 'Give each receiver a name of its own.',
          },
        ],
  );
}
