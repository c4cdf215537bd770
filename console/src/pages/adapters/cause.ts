import type { AdapterStatusView, MonitoringIssue } from '../../api/observe.js';
import { sumOf } from '../../kit/chart-shapes.js';
import { formatShare } from '../../kit/numbers.js';
import { formatClockTime, formatTimeOfDay } from '../../text/span.js';
import { type KeyFor, textOf } from '../../text/text.js';

const text = textOf('status');

type Cause = AdapterStatusView['causes'][number];

/** What {@link causeOf} needs to know about an adapter. */
export type AdapterWithCauses = Pick<AdapterStatusView, 'causes' | 'request' | 'breakerUntil'>;

/** Returns why an adapter does not work fully, in words and with local times; undefined if it works. */
export function causeOf(adapter: AdapterWithCauses): string | undefined {
  const { causes } = adapter;
  return causes.length === 0
    ? undefined
    : causes.map(({ kind, detail }) => WORDS[kind](detail, adapter)).join(' ');
}

type Issue = Pick<MonitoringIssue, 'code' | 'cause' | 'adapters' | 'failure'>;

/** Returns the cause of a problem in words. `all` are all adapters of the server. */
export function causeOfIssue(issue: Issue, all: readonly AdapterStatusView[]): string {
  const { code, cause, adapters } = issue;
  const concerned = all.filter(({ name }) => adapters.includes(name));
  if (code === 'calls-failing' || code === 'calls-rejected') return callsText(issue, concerned) ?? cause;
  const [adapter] = adapters.length === 1 ? concerned : [];
  if (code === 'breaker-open') return breakerText(adapter?.breakerUntil ?? null);
  return (adapter && causeOf(adapter)) ?? withSecretWords(cause);
}

/** Returns the share of the calls that fail, and the reason unless the title has it; undefined without the adapters. */
function callsText(
  { code, failure }: Issue,
  concerned: readonly Pick<AdapterStatusView, 'traffic'>[],
): string | undefined {
  if (concerned.length === 0) return undefined;
  const counts = concerned.map(({ traffic }) => traffic);
  const isFailing = code === 'calls-failing';
  const share = formatShare(sumOf(counts, isFailing ? 'errors' : 'clientErrors'), sumOf(counts, 'calls'));
  const reason = failure?.status === null ? failure.reason : '';
  return `${text(isFailing ? 'causeCallsFail' : 'causeCallsRejected', { share })} ${reason}`.trim();
}

type Words = (detail: string | null, adapter: AdapterWithCauses) => string;

const WORDS: Readonly<Record<Cause['kind'], Words>> = {
  stopped: (_detail, { request }) => requestText('causeStopped', request),
  paused: (_detail, { request }) => requestText('causePaused', request),
  refusing: (_detail, { request }) => requestText('causeBlocked', request),
  disabled: (file) => (file === null ? text('causeDisabled') : text('causeDisabledIn', { file })),
  'left-out': (profile) => text('causeLeftOut', { profile: profile ?? '' }),
  starting: (detail) =>
    detail === null ? text('causeStarting') : text('causeStartFailed', { detail: withSecretWords(detail) }),
  'breaker-open': (_detail, { breakerUntil }) => breakerText(breakerUntil),
  outdated: (detail) => text('causeOutdated', { detail: withSecretWords(detail ?? '') }),
  failed: (detail) => withSecretWords(detail ?? ''),
  offline: (detail) => withSecretWords(detail ?? ''),
  'login-refused': (detail) => withSecretWords(detail ?? ''),
};

/** Returns which suspension begins later, when, until when, by whom and why; undefined if none is scheduled. */
export function scheduleOf({ scheduled }: Pick<AdapterStatusView, 'scheduled'>): string | undefined {
  if (!scheduled) return undefined;
  const { wanted, from, until } = scheduled;
  return text(wanted === 'paused' ? 'scheduledPause' : 'scheduledBlock', {
    ...requestWords(scheduled),
    from: formatTimeOfDay(from),
    hasEnd: until === null ? 'no' : 'yes',
  });
}

/** Says who requested a state, when or until when, and why. */
function requestText(
  key: 'causeStopped' | 'causePaused' | 'causeBlocked',
  request: AdapterStatusView['request'],
): string {
  if (!request) return text(key, { ...requestWords(UNKNOWN), time: 'unknown' });
  return text(key, { ...requestWords(request), time: request.until === null ? 'at' : 'until' });
}

/** A request of which nothing is known. */
const UNKNOWN = { by: null, at: 0, until: null, reason: null };

/** Returns the author, the times and the reason of a request for a text. */
function requestWords({ by, at, until, reason }: NonNullable<AdapterStatusView['request']>) {
  return {
    by: by ?? text('anOperator'),
    at: formatTimeOfDay(at),
    until: until === null ? '' : formatTimeOfDay(until),
    hasReason: reason === null ? 'no' : 'yes',
    reason: reason ?? '',
  };
}

function breakerText(until: number | null): string {
  return until === null ? text('causeBreaker') : text('causeBreakerUntil', { until: formatClockTime(until) });
}

const SECRET_TEXTS: Readonly<Partial<Record<string, KeyFor<'status', { code: string; setting: string }>>>> = {
  VAULT_NOT_FOUND: 'secretNotFound',
  VAULT_FIELD_MISSING: 'secretNotFound',
  VAULT_FIELD_EMPTY: 'secretEmpty',
  VAULT_VERSION_DELETED: 'secretDeleted',
  VAULT_VERSION_DESTROYED: 'secretDeleted',
  VAULT_DENIED: 'secretDenied',
  VAULT_PATH_FORBIDDEN: 'secretDenied',
  VAULT_SEALED: 'secretSealed',
  VAULT_UNAVAILABLE: 'secretUnreachable',
  VAULT_TIMEOUT: 'secretUnreachable',
  VAULT_TLS: 'secretUnreachable',
  VAULT_LOGIN_FAILED: 'secretLogin',
  VAULT_LOGIN_UNAVAILABLE: 'secretLoginFails',
  VAULT_RATE_LIMITED: 'secretRateLimited',
  VAULT_NOT_CONFIGURED: 'secretNoVault',
  FILE_NOT_FOUND: 'secretFileNotFound',
  FILE_NOT_CONFIGURED: 'secretNoFiles',
};

/** Replaces `VAULT_NOT_FOUND at /auth/password` by words. The code stays in them: the guide explains it. */
export function withSecretWords(reason: string): string {
  return reason.replaceAll(
    /((?:VAULT|FILE)_[A-Z_]+) at (\/[^\s,;]*)/g,
    (_all, code: string, pointer: string) =>
      text(SECRET_TEXTS[code] ?? (code.startsWith('FILE_') ? 'secretFileUnusable' : 'secretOther'), {
        code,
        setting: pointer.slice(1).replaceAll('/', '.'),
      }),
  );
}
