import type { AdapterPlugin, OutboundRequest } from '../../../src/core/adapter.js';
import { Problem } from '../../../src/core/problem.js';

/** Places for the calls of all adapters together. */
const PLACES = 1_000;
let taken = 0;

/** The plugin, but all adapters of all such plugins share one line. */
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

/** The host tells a plugin's own transport of the trace; its own way out adds that by itself. */
function untraced({ headers, ...request }: OutboundRequest): OutboundRequest {
  const own = Object.entries(headers).filter(([name]) => !name.startsWith('trace'));
  return { ...request, headers: Object.fromEntries(own) };
}
