import { asSettings } from '../../config/settings-schema.js';
import type { Fault, LocatedFault } from '../../core/fault.js';
import type { Settings } from '../../settings/settings.js';
import { accessFaults } from './check-access.js';
import { checkLimits } from './check-limits.js';
import { checkRoles } from './check-operations.js';
import { type Desired, locateFault, prefixFaults } from './configuration.js';
import { faultsOf } from './factories.js';
import { ownAddressesOf } from './own-addresses.js';
import { overlaidFault } from './profile-overlay.js';
import type { ResolvedSection } from './resolve.js';
import type { BuildDeps, MainParts } from './snapshot.js';

/** The parts that were built, or the faults that refuse the configuration. */
type BuiltMain = { readonly value: MainParts } | { readonly faults: readonly Fault[] };

/** Builds the parts of the main file. Opens no connection. */
export async function buildMain(
  desired: Desired,
  { value, failures }: ResolvedSection,
  { factories }: BuildDeps,
): Promise<BuiltMain> {
  if (failures.length > 0)
    return { faults: failures.map((failure) => locateFault(desired.main.written, failure)) };
  const settings = asSettings(value);
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
    const { signIns, issuerChecks, shellProviders } = verifier.value;
    const { roles, limits, forms, notifications, log, auth } = settings;
    const opened = { verifier: verifier.value, signIns, issuerChecks, shellProviders, logins: logins.value };
    const plain = { roles, limits, forms, notifications, clientCertificates: auth.clientCertificates };
    return { value: { ...opened, ...plain, egress: egress.value, logLevel: log.level } };
  }
  if ('value' in verifier) await verifier.value.close();
  return { faults };
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
