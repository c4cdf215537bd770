import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** True if V8 can return the memory of a collection to the system. In Node.js 20, it would only collect new objects. */
const HAS_LAST_RESORT = Number.parseInt(process.versions.node, 10) >= 22;

/**
 * Collects garbage at once, and stops the event loop meanwhile. `last-resort` also moves what is left together and returns
 * the memory to the system, which takes longer.
 *
 * V8 offers its collection for this call only. The option `--expose-gc` would do so from the start, but with it, Node.js
 * rejects the compiled code of its built-in modules, in each thread.
 */
export function collectGarbage(flavor: 'regular' | 'last-resort'): void {
  const compacts = flavor === 'last-resort' && !HAS_LAST_RESORT;
  const flags = ['expose-gc', ...(compacts ? ['compact-on-every-full-gc'] : [])];
  for (const flag of flags) setFlagsFromString(`--${flag}`);
  try {
    const collect = runInNewContext('gc') as NodeJS.GCFunction;
    if (HAS_LAST_RESORT) collect({ type: 'major', flavor });
    else collect();
  } finally {
    for (const flag of flags) setFlagsFromString(`--no-${flag}`);
  }
}
