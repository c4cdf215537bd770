import { escapeUnprintable } from '../../lib/escape-unprintable.js';
import { oneLine } from '../../lib/one-line.js';
import type { NotifiedProblem } from './plan.js';

export interface NotificationMessage {
  readonly problems: readonly NotifiedProblem[];
  readonly host: string;
  /** Address of the console; null if `server.publicUrl` is not set. */
  readonly url: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly isTest: boolean;
}

/** Maximum number of adapters of a problem that a mail names. */
const MAX_NAMES = 20;

/** Maximum length of a line of a mail: a cause may contain words of an orchestrator. */
const MAX_LINE = 500;

export function webhookBody({ problems, host, url, at, isTest }: NotificationMessage): string {
  const body = {
    version: 1,
    test: isTest,
    at: new Date(at).toISOString(),
    server: { host, url },
    problems: problems.map(({ since, servers = [], ...problem }) => ({
      ...problem,
      servers,
      since: new Date(since).toISOString(),
    })),
  };
  return escapeUnprintable(JSON.stringify(body));
}

export function mailSubject({ problems, host, isTest }: NotificationMessage): string {
  if (isTest) return `[gatehouse ${host}] Test message`;
  const [first] = problems;
  const more = problems.length > 1 ? ` and ${problems.length - 1} more` : '';
  return oneLine(
    `[gatehouse ${host}] ${first ? `${WORDS[first.event]}: ${first.title}` : ''}${more}`,
    MAX_LINE,
  );
}

export function mailText({ problems, host, url, at, isTest }: NotificationMessage): string {
  const head = isTest
    ? ['This is a test message of gatehouse. Messages about problems reach you at this address.']
    : problems.map(problemText);
  const foot = [
    `Server: ${host}`,
    `Time: ${new Date(at).toISOString()}`,
    ...(url === null ? [] : [`Console: ${url}`]),
  ];
  return [...head, foot.join('\n')].join('\n\n');
}

const WORDS = { begun: 'Problem', lasts: 'Still a problem', ended: 'Solved' } as const;

function problemText({
  event,
  severity,
  title,
  cause,
  since,
  adapters,
  servers = [],
}: NotifiedProblem): string {
  const left = adapters.length - MAX_NAMES;
  const names = `${adapters.slice(0, MAX_NAMES).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
  return [
    `${WORDS[event]} (${severity === 'danger' ? 'error' : 'warning'}): ${oneLine(title, MAX_LINE)}`,
    ...(cause === '' ? [] : [`Cause: ${oneLine(cause, MAX_LINE)}`]),
    `Since: ${new Date(since).toISOString()}`,
    ...(adapters.length > 0 ? [`Adapters: ${names}`] : []),
    ...(servers.length > 0 ? [`Seen by: ${servers.join(', ')}`] : []),
  ].join('\n');
}
