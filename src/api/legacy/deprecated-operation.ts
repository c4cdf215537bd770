import { type Deprecation, partsOf, type Route } from '../../core/deprecation.js';
import type { Operation } from '../../core/operation.js';
import type { DeprecationsDeps } from './deps.js';
import { deprecationHeaders } from './deprecation-headers.js';
import type { LegacyHandler, ServingDeps } from './legacy-operation.js';

/** A row of the table of deprecated operations. */
export interface DeprecatedRow extends Deprecation {
  readonly route: Route;
  /** Other spellings of the path. */
  readonly aliases?: readonly string[];
  // The body type is the serving's own affair: its schema has proven it.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly serving: LegacyHandler<any>;
}

/** Name of a deprecated operation in the configuration. */
export function nameOf({ serving }: Pick<DeprecatedRow, 'serving'>): string {
  return `deprecations.${serving.id}`;
}

/** The operation that a row tells of. What it asks is held to what it says that it works through. */
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
