import { openAuditTrail } from '../audit/open-audit-trail.js';
import type { Scheduler } from '../core/lib/clock.js';
import type { CloserStack } from '../core/lib/closer-stack.js';
import type { Log } from '../core/log.js';
import type { Settings } from '../core/settings.js';
import { openStore } from '../storage/open-store.js';
import type { OpenedStore } from './initial-config.js';
import { endDueBeforeStart } from './reload/due-ends.js';

/** Opens the store and the audit trail, and ends what became due while no server was running. */
export async function openStorage(
  settings: Settings,
  { closers, clock, log }: { readonly closers: CloserStack; readonly clock: Scheduler; readonly log: Log },
): Promise<OpenedStore> {
  const store = closers.add(await openStore(settings.storage.url));
  const trail = closers.add(await openAuditTrail(settings.audit, { store: store.audit, clock }));
  await endDueBeforeStart({ platform: store.platform, audit: trail, scheduler: clock, log });
  return { store, trail };
}
