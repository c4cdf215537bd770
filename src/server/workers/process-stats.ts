import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Statistics of a process. */
export interface ProcessStats {
  /** Maximum delay of the event loop since the previous read, in seconds. */
  readonly delaySeconds: number;
  /** Resident set size. */
  readonly memoryBytes: number;
  /** Processor time since the start. */
  readonly cpuSeconds: number;
}

/** Interval between two samples of the event loop delay, in milliseconds. */
const RESOLUTION_MS = 20;

/** Starts to measure this process, until it is closed. */
export function openProcessStats(): { readonly read: () => ProcessStats; readonly close: () => void } {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  return {
    read() {
      const maxMs = delays.count > 0 ? delays.max / 1e6 : 0;
      delays.reset();
      const { user, system } = process.cpuUsage();
      return {
        delaySeconds: Math.max(0, maxMs - RESOLUTION_MS) / 1_000,
        memoryBytes: process.memoryUsage.rss(),
        cpuSeconds: (user + system) / 1e6,
      };
    },
    close: () => {
      delays.disable();
    },
  };
}
