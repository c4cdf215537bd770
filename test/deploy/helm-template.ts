import { stringify } from 'yaml';

/** The value of the dot in a template. */
export type Values = Readonly<Record<string, unknown>>;

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly pipeline: string }
  | { readonly kind: 'if'; readonly pipeline: string; readonly body: Body; readonly otherwise: Body }
  | { readonly kind: 'range'; readonly pipeline: string; readonly body: Body };
type Body = readonly Node[];

/**
 * Renders templates with the few constructs that our chart uses: `define`, `include`, `if`, `else`, `range`,
 * `default`, `quote`, `toYaml` and `nindent`. Throws for any other construct, which only Helm can render.
 */
export function renderTemplates(
  files: ReadonlyMap<string, string>,
  dot: Values,
): ReadonlyMap<string, string> {
  const named = new Map<string, Body>();
  const bodies = [...files].map(([name, text]) => [name, parse(text, named)] as const);
  return new Map(bodies.map(([name, body]) => [name, print(body, dot, named)]));
}

interface Token {
  readonly text?: string;
  readonly action?: string;
}

/**
 * Splits a template into texts and actions; `{{-` and `-}}` remove the adjacent white space, including line
 * ends.
 */
function tokensOf(template: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let trims = false;
  const pushText = (text: string): void => {
    tokens.push({ text: trims ? text.trimStart() : text });
  };
  for (const match of template.matchAll(/\{\{(-?)\s*(.*?)\s*(-?)\}\}/gs)) {
    const before = template.slice(at, match.index);
    pushText(match[1] === '-' ? before.trimEnd() : before);
    tokens.push({ action: match[2] ?? '' });
    trims = match[3] === '-';
    at = match.index + match[0].length;
  }
  pushText(template.slice(at));
  return tokens;
}

function parse(template: string, named: Map<string, Body>): Body {
  const tokens = [...tokensOf(template)];
  const { body, end } = block(tokens, named);
  if (end !== undefined) throw new Error(`"${end}" without a beginning`);
  return body;
}

/** Parses nodes up to the matching `else` or `end`, and consumes that as well. */
function block(tokens: Token[], named: Map<string, Body>): { readonly body: Body; readonly end?: string } {
  const body: Node[] = [];
  for (let token = tokens.shift(); token; token = tokens.shift()) {
    const { text, action = '' } = token;
    const [word = '', ...rest] = action.split(' ');
    const pipeline = rest.join(' ');
    if (text !== undefined) body.push({ kind: 'text', text });
    else if (action === 'end' || action === 'else') return { body, end: action };
    else if (word === 'define') named.set(JSON.parse(pipeline) as string, block(tokens, named).body);
    else if (word === 'range') body.push({ kind: 'range', pipeline, body: block(tokens, named).body });
    else if (word === 'if') body.push(conditional(pipeline, tokens, named));
    else body.push({ kind: 'print', pipeline: action });
  }
  return { body };
}

function conditional(pipeline: string, tokens: Token[], named: Map<string, Body>): Node {
  const { body, end } = block(tokens, named);
  const otherwise = end === 'else' ? block(tokens, named).body : [];
  return { kind: 'if', pipeline, body, otherwise };
}

function print(body: Body, dot: unknown, named: ReadonlyMap<string, Body>): string {
  const value = (pipeline: string): unknown => evaluate(pipeline, dot, named);
  return body
    .map((node): string => {
      if (node.kind === 'text') return node.text;
      if (node.kind === 'print') return String(value(node.pipeline));
      if (node.kind === 'if')
        return print(isTrue(value(node.pipeline)) ? node.body : node.otherwise, dot, named);
      return (value(node.pipeline) as readonly unknown[]).map((one) => print(node.body, one, named)).join('');
    })
    .join('');
}

/** Returns false for empty values, as Go templates do. */
function isTrue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function evaluate(pipeline: string, dot: unknown, named: ReadonlyMap<string, Body>): unknown {
  let value: unknown;
  pipeline.split(' | ').forEach((command, at) => {
    const words = command.match(/"[^"]*"|\S+/g) ?? [];
    const [name = ''] = words;
    const given = words.slice(1).map((word) => operand(word, dot));
    const piped = at === 0 ? given : [...given, value];
    if (name === 'include') value = print(bodyOf(named, given[0]), given[1], named);
    else if (words.length === 1 && at === 0) value = operand(name, dot);
    else value = call(name, piped);
  });
  return value;
}

function bodyOf(named: ReadonlyMap<string, Body>, name: unknown): Body {
  const body = named.get(String(name));
  if (!body) throw new Error(`there is no template "${String(name)}"`);
  return body;
}

function operand(word: string, dot: unknown): unknown {
  if (word === '.') return dot;
  if (/^(".*"|\d+)$/.test(word)) return JSON.parse(word) as unknown;
  if (!/^(\.\w+)+$/.test(word)) throw new Error(`"${word}" is beyond this renderer`);
  return word
    .slice(1)
    .split('.')
    .reduce<unknown>((value, key) => (value as Values)[key], dot);
}

const FUNCTIONS: Readonly<Record<string, (...values: readonly unknown[]) => unknown>> = {
  toYaml: (value) => stringify(value, { lineWidth: 0 }).trimEnd(),
  nindent: (spaces, text) => `\n${String(text).replace(/^(?=.)/gm, ' '.repeat(Number(spaces)))}`,
  quote: (value) => JSON.stringify(String(value)),
  default: (preset, value) => (isTrue(value) ? value : preset),
};

function call(name: string, values: readonly unknown[]): unknown {
  const wanted = FUNCTIONS[name];
  if (!wanted) throw new Error(`"${name}" is beyond this renderer`);
  return wanted(...values);
}
