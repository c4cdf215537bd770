import { listFormat } from '../../text/locale.js';
import { textOf } from '../../text/text.js';

const text = textOf('status');

/** Maximum number of names in a message. */
const MAX_NAMES = 5;

/** Result of the test of one adapter. */
export type Verdict = 'reachable' | 'not reachable' | 'not tested';

/** Returns the messages about the verdicts; a verdict without adapters has none. */
export function resultsOf(
  verdicts: ReadonlyMap<string, Verdict>,
): readonly (readonly ['success' | 'danger' | 'info', string])[] {
  const namesOf = (wanted: Verdict) =>
    [...verdicts].flatMap(([name, verdict]) => (verdict === wanted ? [name] : []));
  const failed = namesOf('not reachable');
  const untested = namesOf('not tested').length;
  const reached = namesOf('reachable').length;
  const left = failed.length - MAX_NAMES;
  const shown = failed.slice(0, MAX_NAMES);
  const list = listFormat().format(left > 0 ? [...shown, text('moreNames', { count: left })] : shown);
  return [
    ...(failed.length > 0
      ? ([['danger', text('someNotReachable', { count: failed.length, names: list })]] as const)
      : []),
    ...(reached > 0
      ? ([
          ['success', text(reached === verdicts.size ? 'allReachable' : 'someReachable', { count: reached })],
        ] as const)
      : []),
    ...(untested > 0 ? ([['info', text('notTested', { count: untested })]] as const) : []),
  ];
}
