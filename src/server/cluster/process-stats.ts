import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How a process fares. */
export interface ProcessStats {
  /** How late the event loop was at worst since this was read last, in seconds. */
  readonly delaySeconds: number;
  /** Resident set size. */
  readonly memoryBytes: number;
  /** Processor time since the start. */
  readonly cpuSeconds: number;
}

/** Pause between two looks at the event loop, in milliseconds. */
const RESOLUTION_MS = 20;

/** Begins to watch this process, until it is closed. */
export function openProcessStats(): { readonly read: () => ProcessStats; readonly close: () => void } {
  const turns = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  turns.enable();
  return {
    read() {
      const longestMs = turns.count > 0 ? turns.max / 1e6 : 0;
      turns.reset();
      const { user, system } = process.cpuUsage();
      return {
        delaySeconds: Math.max(0, longestMs - RESOLUTION_MS) / 1_000,
        memoryBytes: process.memoryUsage.rss(),
        cpuSeconds: (user + system) / 1e6,
      };
    },
    close: () => {
      turns.disable();
    },
  };
}
