/** The outline of a YANG text, valid or not: enough for a graph before anything is compiled. */
export interface ScannedModule {
  readonly name: string;
  readonly isSubmodule: boolean;
  readonly belongsTo: string | undefined;
  readonly revision: string | undefined;
  readonly imports: readonly string[];
  readonly includes: readonly string[];
  /** Modules that this module augments. */
  readonly augments: readonly string[];
  /** Modules that this module deviates. */
  readonly deviates: readonly string[];
  /** Number of containers, lists, leafs and similar nodes in the text. */
  readonly nodes: number;
  readonly typedefs: number;
  readonly groupings: number;
}

interface Statement {
  readonly keyword: string;
  readonly argument: string;
  /** Nesting depth; 0 for the module itself. */
  readonly depth: number;
  readonly parent: string;
  readonly parentArgument: string;
}

const NODES = new Set([
  'container',
  'list',
  'leaf',
  'leaf-list',
  'choice',
  'anydata',
  'anyxml',
  'rpc',
  'action',
  'notification',
]);

/** Scans a text; undefined if it contains no module. */
export function scanYang(text: string): ScannedModule | undefined {
  const statements = [...statementsOf(text)];
  const [head] = statements;
  if (!head || !/^(?:sub)?module$/.test(head.keyword)) return undefined;
  const top = (keyword: string) =>
    statements.filter((one) => one.depth === 1 && one.keyword === keyword).map(({ argument }) => argument);
  const prefixes = new Map(
    statements
      .filter(({ keyword, parent }) => keyword === 'prefix' && /^(?:import|belongs-to|module)$/.test(parent))
      .map(({ argument, parentArgument }) => [argument, parentArgument]),
  );
  const others = (paths: readonly string[]) =>
    unique(paths.flatMap((path) => moduleOf(path, prefixes) ?? [])).filter((name) => name !== head.argument);
  const count = (isOne: (keyword: string) => boolean) =>
    statements.filter(({ keyword }) => isOne(keyword)).length;
  return {
    name: head.argument,
    isSubmodule: head.keyword === 'submodule',
    belongsTo: top('belongs-to')[0],
    revision: top('revision').sort().at(-1),
    imports: unique(top('import')),
    includes: unique(top('include')),
    augments: others(top('augment')),
    deviates: others(top('deviation')),
    nodes: count((keyword) => NODES.has(keyword)),
    typedefs: count((keyword) => keyword === 'typedef'),
    groupings: count((keyword) => keyword === 'grouping'),
  };
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

/** Returns the module of the first node of an absolute path. */
function moduleOf(path: string, prefixes: ReadonlyMap<string, string>): string | undefined {
  const prefix = /^\/([^:/]+):/.exec(path)?.[1];
  return prefix === undefined ? undefined : prefixes.get(prefix);
}

const TOKEN = /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|"(?:[^"\\]|\\[^])*"?|'[^']*'?|[{};]|[^\s{};"']+/g;

interface Opening {
  readonly keyword: string;
  readonly argument: string;
}

function* statementsOf(text: string): Generator<Statement> {
  const open: Opening[] = [];
  let words: string[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.startsWith('//') || token.startsWith('/*')) continue;
    if (!/^[{};]$/.test(token)) {
      words.push(token);
      continue;
    }
    if (token === '}') open.pop();
    const opening = openingOf(words);
    words = [];
    if (opening.keyword !== '') yield statementIn(open, opening);
    if (token === '{') open.push(opening);
  }
}

function openingOf([keyword = '', ...rest]: readonly string[]): Opening {
  const parts = rest.filter((word) => word !== '+').map(unquoted);
  return { keyword, argument: parts.join('') };
}

function statementIn(open: readonly Opening[], opening: Opening): Statement {
  const { keyword: parent, argument: parentArgument } = open.at(-1) ?? { keyword: '', argument: '' };
  return { ...opening, depth: open.length, parent, parentArgument };
}

function unquoted(word: string): string {
  return /^["']/.test(word)
    ? word.slice(1, word.length > 1 && word.endsWith(word[0] ?? '') ? -1 : undefined)
    : word;
}
