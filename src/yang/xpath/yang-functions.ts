import type { FunctionCall, XPathFunction } from './context.js';
import { nodesAt, textAt } from './functions.js';

/** Functions that YANG adds to XPath (RFC 7950 section 10). */
export const YANG_FUNCTIONS: Readonly<Record<string, XPathFunction>> = {
  current: ({ context }) => [context.scope.current],
  're-match': (call) => call.evaluator.data.matchesPattern(textAt(call, 1), textAt(call, 0)),
  deref: (call) => {
    const [node] = nodesAt(call, 0);
    return node ? call.evaluator.data.dereference(node) : [];
  },
  'derived-from': (call) => isDerived(call, false),
  'derived-from-or-self': (call) => isDerived(call, true),
  'enum-value': (call) => {
    const [node] = nodesAt(call, 0);
    if (node?.type?.base !== 'enumeration') return NaN;
    return Number(node.type.values?.find(({ name }) => name === node.value)?.value ?? NaN);
  },
  'bit-is-set': (call) => {
    const [node] = nodesAt(call, 0);
    return node?.type?.base === 'bits' && node.value.split(' ').includes(textAt(call, 1));
  },
};

/** RFC 7950 10.4: true if any node of the first argument has an identity that is derived from the second. */
function isDerived(call: FunctionCall, includesSelf: boolean): boolean {
  const { evaluator, context } = call;
  const written = textAt(call, 1);
  const colon = written.indexOf(':');
  const module = colon < 0 ? context.scope.module : context.scope.moduleOf(written.slice(0, colon));
  const base = `${module ?? ''}:${written.slice(colon + 1)}`;
  return nodesAt(call, 0).some((node) => {
    evaluator.data.budget.spend(1);
    if (node.type?.base !== 'identityref') return false;
    return (includesSelf && node.value === base) || evaluator.data.isDerived(node.value, base);
  });
}
