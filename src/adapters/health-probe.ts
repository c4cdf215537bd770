import type { Scheduler } from '../core/lib/clock.js';
import type { AdapterSettings } from '../core/adapter-settings.js';
import { createBackoff } from '../core/lib/backoff.js';
import type { Starter } from './starter.js';

/** Keeps an adapter going by itself. */
export interface HealthProbe {
  /** Starts the adapter and probes it; throws the Problem that keeps it from serving. From then on both happen by themselves. */
  readonly open: () => Promise<void>;
  close(): void;
}

interface HealthProbeOptions {
  readonly starter: Starter;
  readonly health: AdapterSettings['health'];
  /** Absent when there is nothing to ask for. */
  readonly probe: (() => Promise<void>) | undefined;
  readonly scheduler: Scheduler;
}

/**
 * Starts an adapter again and again until it has started, and probes its orchestrator as `health` says: `startup` until
 * it has answered once, `intermittent` for ever.
 */
export function startHealthProbe({ starter, health, probe, scheduler }: HealthProbeOptions): HealthProbe {
  const asks = health.type === 'none' ? undefined : probe;
  const backoff = createBackoff();
  let closed = false;
  let cancel = (): void => undefined;
  const pauseAfter = (succeeded: boolean): number | undefined => {
    const usual = asks && health.type === 'intermittent' ? health.intervalSeconds * 1000 : undefined;
    if (succeeded) {
      backoff.reset();
      return usual;
    }
    return Math.min(backoff.next(), usual ?? Infinity);
  };
  async function look(): Promise<void> {
    let succeeded = false;
    try {
      await starter.start();
      await asks?.();
      succeeded = true;
    } finally {
      const pause = pauseAfter(succeeded);
      if (!closed && pause !== undefined)
        cancel = scheduler.after(pause, () => void look().catch(() => undefined));
    }
  }
  return {
    open: look,
    close() {
      closed = true;
      cancel();
    },
  };
}
