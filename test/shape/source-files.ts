import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseTypeScript, type ParsedFile, type SyntaxNode } from '../support/parse-typescript.js';

/** The root of the checkout. This file runs from `dist/test/shape`. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Files that may import everything, because they compose the other folders: none of a folder below these three. */
export const COMPOSING = /^src\/(?:server|cli|features)\/[^/]+\.ts$/;

export interface SourceFile {
  /** Path relative to the root of the checkout, with `/`. */
  readonly path: string;
  readonly lines: number;
  /** Paths of the imported files, including types, `import()` and the modules of threads. */
  readonly imports: readonly string[];
  /** The imported files of which this file needs types only. */
  readonly typeImports: ReadonlySet<string>;
  /** Names of the imported packages. Node.js modules have the prefix `node:`. */
  readonly packages: readonly string[];
  readonly functions: readonly {
    readonly name: string;
    readonly lines: number;
    readonly parameters: number;
  }[];
  readonly exports: readonly string[];
  /** Constructs that the project does not use, for example `export *`. */
  readonly bannedConstructs: readonly string[];
  /** Object literals that are spread into another one: `...{ a, b }`. */
  readonly bundleSpreads: readonly string[];
}

const known = new Map<string, SourceFile>();

/** Reads every TypeScript file of these folders; each file once for all test files of a process. */
export function readSources(...folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap(filesBelow).map((file) => {
    const source = known.get(file) ?? readSource(file);
    known.set(file, source);
    return source;
  });
}

/** Returns an assertion that a check finds nothing in each of the files. */
export function noneIn(files: readonly SourceFile[]) {
  return (check: (file: SourceFile) => readonly string[]): void => {
    const found = files.flatMap((file) => check(file).map((what) => `${file.path}: ${what}`));
    assert.deepEqual(found, []);
  };
}

/** Returns the absolute path of every TypeScript file of a folder, without installed packages such as those of a benchmark. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('/node_modules/'));
}

function readSource(file: string): SourceFile {
  const text = readFileSync(file, 'utf8');
  const parsed = parseTypeScript(file, text);
  const later = parsed.collect(loadedLater);
  const specifiers = [...parsed.statements.flatMap(specifierOf), ...later];
  const values = new Set([...parsed.statements.filter(isOfValues).flatMap(specifierOf), ...later]);
  const inside = specifiers.filter((specifier) => specifier.startsWith('.'));
  const pathOf = (specifier: string): string => slashed(sourceOf(resolve(dirname(file), specifier)));
  return {
    path: slashed(file),
    lines: text.split('\n').length,
    imports: inside.map(pathOf),
    typeImports: new Set(inside.filter((specifier) => !values.has(specifier)).map(pathOf)),
    packages: specifiers.filter((specifier) => !specifier.startsWith('.')).map(packageName),
    functions: parsed.collect((node, parent) => functionOf(parsed, node, parent)),
    exports: parsed.statements.flatMap((statement) => exportedNames(parsed, statement)),
    bannedConstructs: parsed.collect(bannedConstructOf),
    bundleSpreads: parsed.collect((node) => (isBundleSpread(node) ? parsed.textOf(node) : undefined)),
  };
}

/** Returns the source of a compiled file: `.ts`, or `.tsx` for a component. */
function sourceOf(compiled: string): string {
  const component = compiled.replace(/\.js$/, '.tsx');
  return existsSync(component) ? component : compiled.replace(/\.js$/, '.ts');
}

/** Returns a path relative to the root of the checkout, with `/`. */
export function slashed(path: string): string {
  return relative(ROOT, path).replaceAll('\\', '/');
}

function packageName(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function specifierOf(statement: SyntaxNode): readonly string[] {
  const isImport = statement.type === 'ImportDeclaration' || statement.type === 'ExportAllDeclaration';
  if (!isImport && statement.type !== 'ExportNamedDeclaration') return [];
  return statement.source ? [statement.source.value] : [];
}

/** Returns true for an import or export that remains in the compiled file. */
function isOfValues(statement: SyntaxNode): boolean {
  if (statement.type !== 'ImportDeclaration')
    return !('exportKind' in statement && statement.exportKind === 'type');
  const named = statement.specifiers.filter((one) => one.type === 'ImportSpecifier');
  const areTypes = named.length > 0 && named.every((one) => one.importKind === 'type');
  return statement.importKind !== 'type' && !(areTypes && named.length === statement.specifiers.length);
}

/** Returns the module that `import()` loads, or that `new URL(..., import.meta.url)` names, for example that of a thread. */
function loadedLater(node: SyntaxNode): string | undefined {
  const [first] = node.type === 'NewExpression' && isNamed(node.callee, 'URL') ? node.arguments : [];
  const named = node.type === 'ImportExpression' ? node.source : first;
  if (named?.type !== 'Literal' || typeof named.value !== 'string') return undefined;
  return node.type === 'ImportExpression' || /^\..*\.js$/.test(named.value) ? named.value : undefined;
}

function isNamed(node: SyntaxNode, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

function exportedNames({ textOf }: ParsedFile, statement: SyntaxNode): readonly string[] {
  if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) return [];
  const { declaration } = statement;
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.map(({ id }) => (id.type === 'Identifier' ? id.name : textOf(id)));
  return 'id' in declaration && declaration.id ? [textOf(declaration.id)] : [];
}

function functionOf(
  { textOf, lineAt }: ParsedFile,
  node: SyntaxNode,
  parent: SyntaxNode,
): SourceFile['functions'][number] | undefined {
  if (!('params' in node && 'body' in node) || !node.body) return undefined;
  // A method consists of its name and of a function.
  const isMethod = 'kind' in parent && parent.kind !== 'init' && 'key' in parent;
  const whole = isMethod || ('method' in parent && parent.method) ? parent : node;
  const named = 'key' in whole ? whole.key : 'id' in node ? node.id : null;
  const first = lineAt(whole.start);
  return {
    name: named ? textOf(named) : `function at line ${first}`,
    lines: lineAt(whole.end) - first + 1,
    parameters: node.params.length,
  };
}

const BANNED_CONSTRUCTS: Readonly<Record<string, string>> = {
  Decorator: 'decorator',
  ExportDefaultDeclaration: 'export default',
  TSEnumDeclaration: 'enum',
  TSExportAssignment: 'export =',
  TSGlobalDeclaration: 'namespace',
  TSModuleDeclaration: 'namespace',
};

function bannedConstructOf(node: SyntaxNode): string | undefined {
  if (node.type === 'ExportAllDeclaration' && !node.exported) return 'export *';
  return BANNED_CONSTRUCTS[node.type];
}

function isBundleSpread(node: SyntaxNode): boolean {
  const isSpread = node.type === 'SpreadElement' || node.type === 'JSXSpreadAttribute';
  return isSpread && node.argument.type === 'ObjectExpression';
}

/** Returns a chain of imports for every file that imports itself through other files. */
export function importCycles(files: readonly SourceFile[]): readonly string[] {
  const edges = new Map(files.map(({ path, imports }) => [path, imports]));
  return files.flatMap(({ path }) => cycleFrom(path, edges) ?? []);
}

function cycleFrom(start: string, edges: ReadonlyMap<string, readonly string[]>): string | undefined {
  const seen = new Set<string>();
  const walk = (path: string, trail: readonly string[]): string | undefined => {
    for (const next of edges.get(path) ?? []) {
      if (next === start) return [...trail, path, start].join(' -> ');
      if (seen.has(next)) continue;
      seen.add(next);
      const found = walk(next, [...trail, path]);
      if (found) return found;
    }
    return undefined;
  };
  return walk(start, []);
}
