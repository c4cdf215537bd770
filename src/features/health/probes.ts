import type { IssuerMonitor } from '../../auth/issuer-monitor.js';
import type { CountedAuditTrail } from '../../core/audit-trail.js';
import type { IssuerState } from '../../core/issuer-check.js';
import type { Scheduler } from '../../lib/clock.js';
import { describeVault, vaultViewOf } from '../../secrets/condition.js';
import type { SecretSource } from '../../secrets/open-secrets.js';
import type { ConfigReloader } from '../../server/state/config-reloader.js';
import type { Settings } from '../../settings/settings.js';
import type { CallerLimits } from '../limits/caller-limits.js';
import type { PlatformDeps } from '../platform/operations.js';
import type { Store } from '../store.js';
import type { CertificateMonitor } from './certificate-monitor.js';
import type { HealthDeps, ServiceProbe } from './deps.js';
import { secretFilesProbe } from './secret-files-probe.js';
import { cachedProbe } from './service-probe.js';

/** Components whose state the services report. */
interface ProbesInput {
  readonly settings: Settings;
  readonly limits: Pick<CallerLimits, 'status'>;
  readonly store: Store;
  readonly secrets: Pick<SecretSource, 'vaultState' | 'inUse'>;
  readonly reloader: Pick<ConfigReloader, 'isUpToDate'>;
  readonly audit: CountedAuditTrail;
  readonly clock: Scheduler;
}

/** Returns the probes of the services that the server depends on. */
export function probesOf(
  input: ProbesInput,
  {
    issuers,
    certificates,
  }: {
    readonly issuers: IssuerMonitor;
    readonly certificates: CertificateMonitor;
  },
): Pick<HealthDeps, 'services'> & Pick<PlatformDeps, 'isAuditWritable' | 'hasSpace'> {
  const { settings, limits, store, secrets, reloader, audit, clock } = input;
  const probe = (service: string, isRunning: () => boolean): ServiceProbe => ({
    service,
    running: () => Promise.resolve(isRunning()),
  });
  const isStoreRunning = cachedProbe(clock, () => store.recentAudit(1));
  const hasSpace = cachedProbe(clock, () => store.requireSpace());
  const isTrailStored = settings.audit.durability === 'store';
  const isAuditWritable = async (): Promise<boolean> =>
    (!isTrailStored || (await isStoreRunning())) && (await audit.writable());
  const fixed = [
    { service: 'store', running: isStoreRunning },
    { service: 'audit', running: isAuditWritable },
    probe('configuration', reloader.isUpToDate),
    { ...probe('certificates', () => certificates.problem() === undefined), reason: certificates.problem },
    ...(settings.vault
      ? [
          {
            ...probe('vault', () => secrets.vaultState() === 'running'),
            reason: vaultReason(settings.vault),
          },
        ]
      : []),
    ...secretFilesProbe(settings.secrets, secrets),
  ];
  function vaultReason({ refresh }: NonNullable<Settings['vault']>): () => string {
    return () => {
      const terms = { now: clock.now(), maxStaleSeconds: refresh.maxStaleSeconds };
      return describeVault(vaultViewOf(secrets.inUse(), terms));
    };
  }
  const issuerProbe = ({ issuer, state, reason }: IssuerState): ServiceProbe => ({
    ...probe(`issuer ${issuer}`, () => state !== 'failed'),
    reason: () => reason,
  });
  const limitsProbe = {
    ...probe('limits', () => limits.status().shared !== 'share'),
    reason: () =>
      'the database does not answer, so this node applies its share of the limits of callers by itself',
  };
  return {
    services: () => [
      ...fixed,
      ...(store.limitCounts && limits.status().limits.length > 0 ? [limitsProbe] : []),
      ...issuers.states().map(issuerProbe),
    ],
    isAuditWritable,
    hasSpace,
  };
}
