import type { AdapterPlugin, OutboundRequest } from '../../../src/core/adapter.js';
import { Problem } from '../../../src/core/problem.js';

/** Places for the calls of all adapters together. */
const PLACES = 1_000;
let taken = 0;

/** Wraps a plugin so that all adapters of all wrapped plugins share one limit of calls. */
export function inOneLine<Options>(honest: AdapterPlugin<Options>): AdapterPlugin<Options> {
  return {
    ...honest,
    create: (options, context) => ({
      ...honest.create(options, context),
      async send(request, signal) {
        if (taken >= PLACES) throw new Problem('upstream_busy', `${PLACES} calls are on their way`);
        taken += 1;
        try {
          return await context.send(untraced(request), signal);
        } finally {
          taken -= 1;
        }
      },
    }),
  };
}

/**
 * Removes the trace headers that the host passes to a plugin's own transport; the original transport adds
 * them again.
 */
function untraced({ headers, ...request }: OutboundRequest): OutboundRequest {
  const own = Object.entries(headers).filter(([name]) => !name.startsWith('trace'));
  return { ...request, headers: Object.fromEntries(own) };
}
