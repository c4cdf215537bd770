import type { MonitoringIssue } from '../../api/observe.js';
import { listFormat } from '../../text/locale.js';
import { formatTimeOfDay } from '../../text/span.js';
import { textOf } from '../../text/text.js';

const text = textOf('problems');

/** Returns a problem in one or two sentences: "Vault is sealed. 2 secrets run on cached values until 00:47." */
export function sentenceOf(
  issue: Pick<MonitoringIssue, 'code' | 'adapters' | 'failure' | 'cachedSecrets' | 'lostSecrets' | 'until'>,
): string {
  const { code, adapters, failure, cachedSecrets, lostSecrets, until } = issue;
  const subject = { count: adapters.length, name: adapters[0] ?? '' };
  return [
    failure?.status
      ? text('answered', {
          ...subject,
          ...failure,
          status: String(failure.status),
          hasReason: failure.reason === '' ? 'no' : 'yes',
        })
      : text(code, subject),
    ...(cachedSecrets > 0 && until !== null
      ? [text('cached', { count: cachedSecrets, until: formatTimeOfDay(until) })]
      : []),
    ...(lostSecrets > 0 ? [text('lost', { count: lostSecrets })] : []),
  ].join(' ');
}

/** Returns the callers whose calls fail: "Affected callers: ada, ci and 3 more"; undefined without one. */
export function callersText({
  hitCallers,
  hitCallersLeft,
}: Pick<MonitoringIssue, 'hitCallers' | 'hitCallersLeft'>): string | undefined {
  if (hitCallers.length === 0) return undefined;
  const more = hitCallersLeft > 0 ? [text('moreCallers', { count: hitCallersLeft })] : [];
  const names = listFormat().format([...hitCallers, ...more]);
  return text('callersHit', { count: hitCallers.length + hitCallersLeft, names });
}

/** Returns a problem as plain text, for a chat or a ticket; the time is in UTC. */
export function copiedText(issue: MonitoringIssue, cause: string): string {
  const { since, adapters } = issue;
  const sentence = sentenceOf(issue).replace(/[^.]$/, '$&.');
  const end = cause === '' || cause.endsWith('.') ? '' : '.';
  const head = text('copied', {
    sentence,
    cause: `${cause}${end}`,
    since: new Date(since).toISOString(),
  });
  return adapters.length > 1 ? `${head}\n${text('copiedAdapters', { names: adapters.join(', ') })}` : head;
}
