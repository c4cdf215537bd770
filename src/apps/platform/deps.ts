import type { Lease } from '../../domain/snapshot.js';

/** One service that this server depends on, for the health report. */
export interface ServiceProbe {
  readonly service: string;
  readonly running: () => Promise<boolean>;
}

/** What the platform core may touch. */
export interface PlatformDeps {
  readonly lease: Lease;
  readonly services: readonly ServiceProbe[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly host: string;
  /** 64 hexadecimal digits that name this installation. */
  readonly serverId: string;
}
