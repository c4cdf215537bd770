import type { FunctionCall, XPathFunction } from './context.js';
import type { Expression } from './expression.js';
import { toNumber } from './values.js';

/** Returns the text of an argument; of the context node if the argument is omitted. */
export function textAt({ evaluator, parameters, context }: FunctionCall, at: number): string {
  const parameter = parameters[at];
  return evaluator.text(parameter ?? CONTEXT_NODE, context);
}

/** The expression `.`. */
const CONTEXT_NODE: Expression = {
  kind: 'path',
  start: 'context',
  predicates: [],
  steps: [],
  isFixed: false,
};

function numberAt({ evaluator, parameters, context }: FunctionCall, at: number): number {
  return evaluator.number(parameters[at] ?? CONTEXT_NODE, context);
}

/** Returns the nodes of an argument; the context node if the argument is omitted. */
export function nodesAt({ evaluator, parameters, context }: FunctionCall, at: number) {
  return evaluator.nodes(parameters[at] ?? CONTEXT_NODE, context);
}

/** Function library of XPath 1.0 (section 4). */
export const XPATH_FUNCTIONS: Readonly<Record<string, XPathFunction>> = {
  last: ({ context }) => context.size,
  position: ({ context }) => context.position,
  count: (call) => nodesAt(call, 0).length,
  // YANG data has no identifiers of the DTD, and no languages.
  id: () => [],
  lang: () => false,
  'local-name': (call) => nodesAt(call, 0)[0]?.definition?.node.name ?? '',
  name: nameOf,
  'namespace-uri': (call) => nodesAt(call, 0)[0]?.definition?.node.module.namespace ?? '',
  string: (call) => textAt(call, 0),
  concat: (call) => call.parameters.map((_, at) => textAt(call, at)).join(''),
  'starts-with': (call) => textAt(call, 0).startsWith(textAt(call, 1)),
  contains: (call) => textAt(call, 0).includes(textAt(call, 1)),
  'substring-before': (call) => {
    const [text, part] = [textAt(call, 0), textAt(call, 1)];
    return text.slice(0, Math.max(text.indexOf(part), 0));
  },
  'substring-after': (call) => {
    const [text, part] = [textAt(call, 0), textAt(call, 1)];
    const at = text.indexOf(part);
    return at < 0 ? '' : text.slice(at + part.length);
  },
  substring: substringOf,
  'string-length': (call) => Array.from(textAt(call, 0)).length,
  'normalize-space': (call) =>
    textAt(call, 0)
      .split(/[ \t\r\n]+/)
      .filter((word) => word !== '')
      .join(' '),
  translate: translated,
  boolean: ({ evaluator, parameters: [parameter = CONTEXT_NODE], context }) =>
    evaluator.boolean(parameter, context),
  not: ({ evaluator, parameters: [parameter = CONTEXT_NODE], context }) =>
    !evaluator.boolean(parameter, context),
  true: () => true,
  false: () => false,
  number: (call) => numberAt(call, 0),
  sum: (call) =>
    nodesAt(call, 0).reduce((sum, node) => sum + toNumber([node], call.evaluator.data.budget), 0),
  floor: (call) => Math.floor(numberAt(call, 0)),
  ceiling: (call) => Math.ceil(numberAt(call, 0)),
  round: (call) => Math.round(numberAt(call, 0)),
};

/** Returns the name as the expression writes it: with a prefix, unless the module is that of names without one (RFC 7950 6.4.1). */
function nameOf(call: FunctionCall): string {
  const node = nodesAt(call, 0)[0]?.definition?.node;
  if (!node) return '';
  const { module, prefixOf } = call.context.scope;
  return node.module.name === module ? node.name : `${prefixOf(node.module)}:${node.name}`;
}

function substringOf(call: FunctionCall): string {
  const characters = Array.from(textAt(call, 0));
  const from = Math.round(numberAt(call, 1));
  const to = call.parameters.length > 2 ? from + Math.round(numberAt(call, 2)) : Infinity;
  return characters.filter((_, at) => at + 1 >= from && at + 1 < to).join('');
}

function translated(call: FunctionCall): string {
  const [from, to] = [Array.from(textAt(call, 1)), Array.from(textAt(call, 2))];
  const replacements = new Map<string, string>();
  from.forEach((character, at) => {
    if (!replacements.has(character)) replacements.set(character, to[at] ?? '');
  });
  return Array.from(textAt(call, 0), (character) => replacements.get(character) ?? character).join('');
}
