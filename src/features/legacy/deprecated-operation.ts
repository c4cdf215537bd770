import { type Deprecation, partsOf, type Release, type Route, stageAt } from '../../core/deprecation.js';
import type { Operation, PreBodyCall } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { DeprecationsDeps } from './deps.js';
import type { LegacyHandler, LegacyHandlerDeps } from './legacy-operation.js';

/** Entry of the table of deprecated operations. */
export interface DeprecatedRow extends Deprecation {
  readonly route: Route;
  /** Alternative paths. */
  readonly aliases?: Operation<DeprecationsDeps>['aliases'];
  // Each handler has a different body type, which its schema validates.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly handler: LegacyHandler<any>;
}

export function operationNameOf({ handler }: DeprecatedRow): string {
  return `deprecations.${handler.id}`;
}

/** Creates the operation of an entry. It may call only the operations that its handler lists in `through`. */
export function deprecatedOperation(row: DeprecatedRow): Operation<DeprecationsDeps> {
  const { route, aliases, deprecatedIn, removedIn, replacements, handler } = row;
  const { serve, ...described } = handler;
  const notice = { deprecatedIn, removedIn, replacements, route, name: operationNameOf(row) };
  return {
    ...described,
    ...partsOf(route),
    ...(aliases && { aliases }),
    deprecation: { deprecatedIn, removedIn, replacements },
    beforeBody: (call, deps) => deprecationHeaders(notice, call, deps),
    handle: (call, deps) => serve(call, restrictedTo(handler.through, deps)),
  };
}

function restrictedTo(
  through: readonly string[],
  { dispatch, sessions, reload }: LegacyHandlerDeps,
): LegacyHandlerDeps {
  return {
    sessions,
    reload,
    dispatch(operation, call) {
      if (!through.includes(operation)) throw new Error(`the handler does not list ${operation} in through`);
      return dispatch(operation, call);
    },
  };
}

/** Properties of a deprecated operation that its replies report to the caller. */
export interface DeprecationNotice extends Deprecation {
  readonly name: string;
  readonly route: Route;
}

/**
 * Records a call and returns the headers of every reply: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and
 * `Link` to the replacements (RFC 8288, relation `successor-version` of RFC 5829). Returns no headers while
 * the operation is current. Throws `operation_removed` if the operation is removed.
 */
export function deprecationHeaders(
  notice: DeprecationNotice,
  call: PreBodyCall,
  { release, deprecatedCalls }: Pick<DeprecationsDeps, 'release' | 'deprecatedCalls'>,
): Readonly<Record<string, string>> {
  const stage = stageAt(release, notice);
  if (stage === 'current') return {};
  const { principal, address } = call;
  const use = replacementSentence(notice);
  deprecatedCalls.record({ operation: notice.name, stage, use, address, ...(principal && { principal }) });
  const headers = { ...dateHeaders(notice), ...linkHeader(notice, call.params) };
  if (stage === 'deprecated') return headers;
  const detail = `${notice.route} was removed in release ${notice.removedIn}. ${use}`;
  throw new Problem('operation_removed', detail, { headers });
}

/** Returns a sentence that names the replacements, for logs and Problems. */
function replacementSentence({ replacements }: Deprecation): string {
  return replacements.length > 0 ? `Use ${replacements.join(' or ')} instead.` : 'There is no replacement.';
}

function dateHeaders({ deprecatedIn, removedIn }: Deprecation): Readonly<Record<string, string>> {
  return {
    deprecation: `@${releaseDayOf(deprecatedIn).getTime() / 1000}`,
    sunset: releaseDayOf(removedIn).toUTCString(),
  };
}

function linkHeader(
  { replacements }: Deprecation,
  params: PreBodyCall['params'],
): Readonly<Record<string, string>> {
  const links = replacements.map(
    (route) => `<${pathWithParameter(partsOf(route).path, params)}>; rel="successor-version"`,
  );
  return links.length > 0 ? { link: links.join(', ') } : {};
}

/**
 * Returns the path of a replacement with its parameter. Old and new paths have at most one parameter, with
 * the same meaning. If the parameter is in the body, the path stays unchanged.
 */
function pathWithParameter(path: string, params: PreBodyCall['params']): string {
  const [value] = Object.values(params);
  return value === undefined ? path : path.replaceAll(/:\w+/g, () => encodeURIComponent(value));
}

/**
 * Release days by the number of the release within the year. The days are **nominal**: the platform names its
 * releases by year and number and publishes no days, so each number maps to the first day of a quarter. Only
 * the headers need the days; the behavior of an operation depends only on the key `release`.
 */
const RELEASE_DAYS: Readonly<Record<string, string>> = {
  '1': '01-01',
  '2': '04-01',
  '3': '07-01',
  '4': '10-01',
};

/**
 * Returns the nominal day of a release, at midnight UTC. Throws `RangeError` for an unknown release number.
 */
export function releaseDayOf(release: Release): Date {
  const [year = '', number = ''] = release.split('.');
  const day = RELEASE_DAYS[number];
  if (day === undefined) throw new RangeError(`the calendar has no release ${release}`);
  return new Date(`${year}-${day}T00:00:00Z`);
}
