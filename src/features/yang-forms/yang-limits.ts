import type { YangSettings } from '../../settings/forms.js';
import type { CompileJob } from '../../yang/index.js';

export function limitsOf({
  maxBytes,
  maxStatements,
  maxNodes,
  timeoutMs,
}: YangSettings): CompileJob['limits'] {
  return { bytes: maxBytes, statements: maxStatements, nodes: maxNodes, milliseconds: timeoutMs };
}
