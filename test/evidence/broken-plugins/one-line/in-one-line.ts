import type { AdapterPlugin } from '../../../../src/domain/adapter.js';
import { Problem } from '../../../../src/domain/problem.js';

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
          return await context.send(request, signal);
        } finally {
          taken -= 1;
        }
      },
    }),
  };
}
