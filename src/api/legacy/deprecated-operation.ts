import { type Deprecation, partsOf, type Route, stageAt } from '../../core/deprecation.js';
import type { Operation, PreBodyCall } from '../../core/operation.js';
import type { DeprecationsDeps } from './deps.js';
import type { LegacyHandler, ServingDeps } from './legacy-operation.js';
import { Problem } from '../../core/problem.js';
import { dayOf } from './releases.js';

/** Row of the table of deprecated operations. */
export interface DeprecatedRow extends Deprecation {
  readonly route: Route;
  /** Alternative paths. */
  readonly aliases?: readonly string[];
  // Each handler has a different body type, which its schema validates.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly serving: LegacyHandler<any>;
}

/** Returns the name of a deprecated operation in the configuration. */
export function nameOf({ serving }: Pick<DeprecatedRow, 'serving'>): string {
  return `deprecations.${serving.id}`;
}

/** Creates the operation of a row. It may call only the operations that its handler lists in `through`. */
export function deprecatedOperation(row: DeprecatedRow): Operation<DeprecationsDeps> {
  const { route, aliases, deprecatedIn, removedIn, replacements, serving } = row;
  const { serve, ...described } = serving;
  const noticed = { deprecatedIn, removedIn, replacements, route, name: nameOf(row) };
  return {
    ...described,
    ...partsOf(route),
    ...(aliases && { aliases }),
    deprecation: { deprecatedIn, removedIn, replacements },
    beforeBody: (call, deps) => deprecationHeaders(noticed, call, deps),
    handle: (call, deps) => serve(call, heldTo(serving.through, deps)),
  };
}

function heldTo(through: readonly string[], { ask, sessions, reread }: ServingDeps): ServingDeps {
  return {
    sessions,
    reread,
    ask(operation, call) {
      if (!through.includes(operation)) throw new Error(`it does not say that it works through ${operation}`);
      return ask(operation, call);
    },
  };
}

/** Properties of a deprecated operation that are reported to its callers. */
export interface Noticed extends Deprecation {
  /** Name in the configuration. */
  readonly name: string;
  readonly route: Route;
}

/**
 * Records a call and returns the headers of every reply: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and
 * `Link` to the replacements (RFC 8288, relation `successor-version` of RFC 5829). Returns no headers while
 * the operation is current. Throws `operation_removed` if the operation is removed.
 */
export function deprecationHeaders(
  noticed: Noticed,
  call: PreBodyCall,
  { release, deprecatedCalls }: Pick<DeprecationsDeps, 'release' | 'deprecatedCalls'>,
): Readonly<Record<string, string>> {
  const stage = stageAt(release, noticed);
  if (stage === 'current') return {};
  const { principal, address } = call;
  const use = useInstead(noticed);
  deprecatedCalls.note({ operation: noticed.name, stage, use, address, ...(principal && { principal }) });
  const headers = { ...daysOf(noticed), ...linkOf(noticed, call.params) };
  if (stage === 'deprecated') return headers;
  const detail = `${noticed.route} was removed in release ${noticed.removedIn}. ${use}`;
  throw new Problem('operation_removed', detail, { headers });
}

/** Returns a sentence for people that names the replacements. */
function useInstead({ replacements }: Deprecation): string {
  return replacements.length > 0
    ? `Use ${replacements.join(' or ')} instead.`
    : 'There is nothing in its place.';
}

function daysOf({ deprecatedIn, removedIn }: Deprecation): Readonly<Record<string, string>> {
  return {
    deprecation: `@${dayOf(deprecatedIn).getTime() / 1000}`,
    sunset: dayOf(removedIn).toUTCString(),
  };
}

function linkOf(
  { replacements }: Deprecation,
  params: PreBodyCall['params'],
): Readonly<Record<string, string>> {
  const links = replacements.map(
    (route) => `<${filledIn(partsOf(route).path, params)}>; rel="successor-version"`,
  );
  return links.length > 0 ? { link: links.join(', ') } : {};
}

/**
 * Fills in the path of a replacement. Old and new paths have at most one parameter, with the same meaning. If
 * the parameter is in the body, the path stays unchanged.
 */
function filledIn(path: string, params: PreBodyCall['params']): string {
  const [value] = Object.values(params);
  return value === undefined ? path : path.replaceAll(/:\w+/g, () => encodeURIComponent(value));
}
