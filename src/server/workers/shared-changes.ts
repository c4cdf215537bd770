import type { RevokedTokens } from '../../auth/revoked-tokens.js';
import type { RevokedToken } from '../../core/session.js';
import type { CacheChanges } from '../../features/cache/cache-changes.js';
import type { OpenApplications } from '../../features/index.js';
import type { ConfigReloader } from '../state/config-reloader.js';
import type { SharedChange } from './protocol.js';
import type { Siblings } from './siblings.js';

/** The parts of this process that a change of another process concerns. */
interface SharedParts {
  readonly reloader: ConfigReloader;
  readonly revokedTokens: RevokedTokens & {
    /** Adds tokens that another process has revoked. */
    readonly add: (tokens: readonly RevokedToken[]) => void;
  };
  readonly cacheChanges: CacheChanges;
  /** Returns the applications, which are opened later. */
  readonly applications: () => Pick<OpenApplications, 'saveTraffic' | 'showTask'>;
}

/** Changes that all processes of the server share. */
interface SharedChanges {
  /** The reloader, whose changes hold in all processes when they resolve. */
  readonly reloader: ConfigReloader;
  /** Resolves when the other processes have applied every change so far. */
  readonly whenPropagated: () => Promise<void>;
  /** Applies a change that another process has made. */
  readonly apply: (change: SharedChange) => Promise<void>;
}

/** Connects what changes in this process with the other processes of the server. */
export function shareChanges(
  { tell }: Siblings,
  { reloader, revokedTokens, cacheChanges, applications }: SharedParts,
): SharedChanges {
  const pending = new Set<Promise<void>>();
  let isApplying = false;
  revokedTokens.onEnd((tokens) => {
    if (isApplying) return;
    const told = tell({ kind: 'revoked', tokens });
    pending.add(told);
    void told.finally(() => pending.delete(told));
  });
  cacheChanges.addSender((change, origin) =>
    origin === 'process' ? tell({ kind: 'cache', change }) : Promise.resolve(),
  );
  const thenTell = async <T>(work: Promise<T>, kind: 'files' | 'records' | 'secrets'): Promise<T> => {
    const result = await work;
    await tell({ kind });
    return result;
  };
  return {
    reloader: {
      ...reloader,
      reload: () => thenTell(reloader.reload(), 'files'),
      applyRecords: () => thenTell(reloader.applyRecords(), 'records'),
      refreshSecrets: () => thenTell(reloader.refreshSecrets(), 'secrets'),
    },
    async whenPropagated() {
      await Promise.all(pending);
    },
    async apply(change) {
      switch (change.kind) {
        case 'files':
          await reloader.reload();
          break;
        case 'records':
          await reloader.applyRecords();
          break;
        case 'secrets':
          await reloader.refreshSecrets();
          break;
        case 'revoked':
          // The listener above must not send it back.
          isApplying = true;
          revokedTokens.add(change.tokens);
          isApplying = false;
          break;
        case 'traffic':
          await applications().saveTraffic();
          break;
        case 'task':
          applications().showTask(change.task);
          break;
        case 'cache':
          cacheChanges.apply(change.change);
          break;
      }
    },
  };
}
