import type { AdapterStatusView } from '../../api/observe.js';
import { listFormat } from '../../text/locale.js';
import { textOf } from '../../text/text.js';

const text = textOf('status');

/** Maximum number of names in a message. */
const MAX_NAMES = 5;

/** Reply of `POST /console/adapters/:name/test`. */
export interface TestReply {
  readonly ok: boolean;
  readonly connection: AdapterStatusView['connection'];
  readonly cause: string | null;
}

/** Returns why the test of an adapter failed: no answer, or an orchestrator that refuses the login. */
export function failedTestText(name: string, { connection, cause }: TestReply): string {
  const isRefused = connection === 'LOGIN_REFUSED';
  return text(isRefused ? 'testLoginRefused' : 'notReachable', { name, cause: cause ?? '' });
}

/** Result of the test of one adapter. */
export type Verdict = 'reachable' | 'not reachable' | 'login refused' | 'not tested';

/** Returns the messages about the verdicts; a verdict without adapters has none. */
export function resultsOf(
  verdicts: ReadonlyMap<string, Verdict>,
): readonly (readonly ['success' | 'danger' | 'info', string])[] {
  const namesOf = (wanted: Verdict) =>
    [...verdicts].flatMap(([name, verdict]) => (verdict === wanted ? [name] : []));
  const unreached = namesOf('not reachable');
  const refused = namesOf('login refused');
  const untested = namesOf('not tested').length;
  const reached = namesOf('reachable').length;
  return [
    ...(unreached.length > 0
      ? ([
          ['danger', text('someNotReachable', { count: unreached.length, names: shortListOf(unreached) })],
        ] as const)
      : []),
    ...(refused.length > 0
      ? ([
          ['danger', text('someLoginsRefused', { count: refused.length, names: shortListOf(refused) })],
        ] as const)
      : []),
    ...(reached > 0
      ? ([
          ['success', text(reached === verdicts.size ? 'allReachable' : 'someReachable', { count: reached })],
        ] as const)
      : []),
    ...(untested > 0 ? ([['info', text('notTested', { count: untested })]] as const) : []),
  ];
}

/** Returns the first names as a list, and the number of the others. */
function shortListOf(names: readonly string[]): string {
  const left = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES);
  return listFormat().format(left > 0 ? [...shown, text('moreNames', { count: left })] : shown);
}
