import type { Log } from '../core/log.js';
import type { IssuerCheck, IssuerState } from '../core/login.js';
import type { Scheduler } from '../lib/clock.js';
import { withFix } from '../lib/sentence.js';

/** Interval of the checks in milliseconds, while all issuers work, and while one does not. */
const INTERVAL_MS = 600_000;
const RETRY_INTERVAL_MS = 60_000;

interface ActiveConfiguration {
  /** Returns the active configuration, with the same list of checks while its issuers are unchanged. */
  current(): { readonly issuerChecks: readonly IssuerCheck[] };
  /** Registers a listener for changes; returns the function that removes it. */
  onSwap(listener: () => void): () => void;
}

/** Checks of the configured issuers in the background. */
export interface IssuerMonitor {
  /** Returns the latest results, in the order of the configuration. Asks no issuer. */
  states(): readonly IssuerState[];
  close(): void;
}

/**
 * Checks the issuers in the background: now, after a change of their configuration, every 10 minutes, and every
 * minute while one fails. Logs a failure as a warning when it begins or has another reason, and when it ends.
 */
export function openIssuerMonitor(
  active: ActiveConfiguration,
  { scheduler, log }: { readonly scheduler: Scheduler; readonly log: Log },
): IssuerMonitor {
  const closing = new AbortController();
  let checked: readonly IssuerCheck[] | undefined;
  let states: ReadonlyMap<string, IssuerState> = new Map();
  let cancel = (): void => undefined;

  async function checkAll(): Promise<void> {
    cancel();
    const current = active.current().issuerChecks;
    checked = current;
    const results = await Promise.all(current.map((check) => checkOne(check)));
    // A change of the configuration during the checks has started other checks.
    if (closing.signal.aborted || checked !== current) return;
    for (const state of results) logChange(states.get(state.issuer), state);
    states = new Map(results.map((state) => [state.issuer, state]));
    const isFailing = results.some(({ state }) => state === 'failed');
    cancel = scheduler.after(isFailing ? RETRY_INTERVAL_MS : INTERVAL_MS, () => void checkAll());
  }

  async function checkOne(check: IssuerCheck): Promise<IssuerState> {
    const findings = await check.run({ signal: closing.signal });
    const [failure] = findings.filter(({ isWarning }) => !isWarning);
    const { issuer } = check;
    if (!failure) return { issuer, state: 'running' };
    return { issuer, state: 'failed', reason: `auth${failure.pointer} ${withFix(failure)}` };
  }

  function logChange(before: IssuerState | undefined, { issuer, state, reason }: IssuerState): void {
    if (reason !== undefined && reason !== before?.reason)
      log.warn('issuer check failed; tokens and sign-ins of the issuer may fail', { issuer, reason });
    if (state === 'running' && before?.state === 'failed') log.info('issuer check succeeded', { issuer });
  }

  const removeListener = active.onSwap(() => {
    if (active.current().issuerChecks !== checked) void checkAll();
  });
  void checkAll();
  return {
    states: () =>
      (checked ?? []).map(({ issuer }) => states.get(issuer) ?? { issuer, state: 'unknown' as const }),
    close() {
      closing.abort();
      removeListener();
      cancel();
    },
  };
}
