import { asSettings } from '../../config/settings-schema.js';
import type { Fault } from '../../core/fault.js';
import type { Log } from '../../core/log.js';
import type { ServerSettings } from '../../core/settings.js';
import type { LiveListenerTls, SnapshotInput } from './active-snapshot.js';
import { locateFault } from './config-section.js';
import { reasonOf } from './handle.js';

/** The material of the next snapshot, or the faults that prevent the start. */
type ListenerTlsResult =
  | { readonly listenerTls: LiveListenerTls | null }
  | { readonly faults: readonly Fault[] };

/**
 * Reads the certificates of the listener again. At the start, a file that cannot be used is a fault. Later, the certificates
 * in use stay, and the rest of the configuration is not affected. The listener keeps the protocol of the start.
 */
export async function rebuildListenerTls(input: SnapshotInput): Promise<ListenerTlsResult> {
  const { previous, desired, factories } = input;
  const live = previous?.listenerTls ?? null;
  const tls = settingsToRead(input);
  if (!factories.openListenerTls || tls === null) return { listenerTls: live };
  const { value, faults: found } = await factories.openListenerTls(tls);
  const faults = found.map((fault) => locateFault(desired.main.written, fault));
  if (value) return { listenerTls: value };
  return live ? { listenerTls: refuseReplacement(live, faults, input.log) } : { faults };
}

/**
 * Returns the settings of TLS; null if the previous material is still right, for plain HTTP, and if a secret of the main file
 * is missing, which its parts report.
 */
function settingsToRead({ previous, only, desired, resolved }: SnapshotInput): ServerSettings['tls'] {
  if (previous && (!previous.listenerTls || (only && !only.has(desired.main.name)))) return null;
  const { value, failures } = resolved(desired.main);
  return failures.length > 0 ? null : asSettings(value).server.tls;
}

function refuseReplacement(live: LiveListenerTls, faults: readonly Fault[], log: Log): LiveListenerTls {
  const refusal = reasonOf(faults);
  if (refusal !== live.refusal)
    log.error('certificate of the listener not replaced; keeping the certificate in use', { faults });
  return { ...live, refusal };
}
