import type { Log } from '../../src/core/log.js';
import { oneLine } from '../../src/lib/one-line.js';
import type { ModelBytes } from '../../src/yang/encoding/model-bytes.js';
import type { UnknownNodes } from '../../src/yang/encoding/xml-to-json.js';

/** Logs paths of nodes that a model does not have, each once. */
export type ReportUnknown = (paths: readonly string[] | undefined, model: ModelBytes) => void;

/** Maximum number of paths of one model that are logged, and the maximum length of those in one line. */
const [MAX_LOGGED, MAX_LOGGED_LENGTH] = [500, 2000];

/** Creates the function that logs the nodes without a schema. */
export function createReportUnknown(log: Log, unknownNodes: UnknownNodes): ReportUnknown {
  const known = new Set<string>();
  let digest = '';
  return (paths = [], model) => {
    if (model.digest !== digest) known.clear();
    digest = model.digest;
    const found = paths.filter((path) => !known.has(path)).slice(0, MAX_LOGGED - known.size);
    if (found.length === 0) return;
    for (const path of found) known.add(path);
    log.warn('the server sends nodes that its modules do not have', {
      unknownNodes,
      paths: oneLine(found.join(' '), MAX_LOGGED_LENGTH),
    });
  };
}
