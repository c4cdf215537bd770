import { type AccessAdapter, isCallOperation, selectsAdapter } from '../../core/access-policy.js';
import type { Fault, LocatedFault } from '../../core/fault.js';
import { closestName, didYouMean } from '../../lib/closest-name.js';
import { CALL_OPERATIONS } from '../../settings/access.js';
import type { Settings } from '../../settings/settings.js';
import { accessAdapterOf, listAt } from './access-policies.js';
import { locateFault, type DesiredFiles } from './configuration.js';

/** Returns a fault for each name in the rules of the main file that is no operation which sends calls through adapters. */
export function accessFaults(
  rules: Settings['access'],
  operationNames: readonly string[],
): readonly LocatedFault[] {
  return rules.flatMap(({ operations = [] }, index) =>
    operations.flatMap((name, at) =>
      isCallOperation(name)
        ? []
        : [
            {
              pointer: `/access/${index}/operations/${at}`,
              code: 'access',
              message: operationNames.includes(name)
                ? 'is an operation that sends no calls through adapters'
                : `there is no such operation${didYouMeanOperation(name)}`,
              fix: `Write one of ${CALL_OPERATIONS.join(', ')}; the key roles decides about other operations.`,
            },
          ],
    ),
  );
}

/** Suggests an operation, also if the name lacks the application before the dot. */
function didYouMeanOperation(name: string): string {
  const ownName = (operation: string) => operation.slice(operation.indexOf('.') + 1);
  const own = closestName(name.slice(name.indexOf('.') + 1), CALL_OPERATIONS.map(ownName));
  const suggestion = CALL_OPERATIONS.find((operation) => ownName(operation) === own);
  return suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
}

/**
 * Returns warnings for rules of the main file that select no adapter of the files. They are no faults, because clients
 * may register the adapter later.
 */
export function accessWarnings({ main, adapters }: DesiredFiles): readonly Fault[] {
  const known = adapters.map(accessAdapterOf);
  // A main file with faults may have anything here.
  const patterns = listAt(main.written.value, '/access').flatMap((rule, index) =>
    (['adapters', 'tags'] as const).flatMap((kind) =>
      listAt(rule, `/${kind}`).map((pattern, at) => ({ kind, pattern: String(pattern), index, at })),
    ),
  );
  return patterns
    .filter(({ kind, pattern }) => !known.some((adapter) => selectsAdapter({ [kind]: [pattern] }, adapter)))
    .map(({ kind, pattern, index, at }) =>
      locateFault(main.written, {
        pointer: `/access/${index}/${kind}/${at}`,
        code: 'access',
        message: `matches no ${kind === 'tags' ? 'tag of an adapter' : 'adapter'}${suggestPattern(pattern, namesOf(known, kind))}`,
        fix: 'Correct the name, unless an adapter that is registered through the API has it.',
      }),
    );
}

/** Suggests the known name, or for a pattern such as `ns0*` the known beginning of a name. */
function suggestPattern(pattern: string, known: readonly string[]): string {
  const at = pattern.indexOf('*');
  if (at < 0) return didYouMean(pattern, known);
  const beginning = closestName(
    pattern.slice(0, at),
    known.map((name) => name.slice(0, at)),
  );
  return beginning === undefined ? '' : `; did you mean "${beginning}${pattern.slice(at)}"?`;
}

function namesOf(adapters: readonly AccessAdapter[], kind: 'adapters' | 'tags'): readonly string[] {
  return kind === 'adapters'
    ? adapters.map(({ adapterId }) => adapterId)
    : adapters.flatMap(({ tags }) => tags);
}
