import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The root of the checkout. This file runs from `dist/test/shape`. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A TypeScript source file. */
export interface SourceFile {
  /** Path relative to the root of the checkout, with `/`. */
  readonly path: string;
  readonly lines: number;
  /** Paths of the imported files, including type imports. */
  readonly imports: readonly string[];
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

/** Reads every TypeScript file of these folders. */
export function readSources(...folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap(filesBelow).map(readSource);
}

/** Returns the absolute path of every TypeScript file of a folder, without installed packages such as those of a benchmark. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('/node_modules/'));
}

function readSource(file: string): SourceFile {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const specifiers = source.statements.flatMap(specifierOf);
  const inside = specifiers.filter((specifier) => specifier.startsWith('.'));
  return {
    path: slashed(file),
    lines: source.getLineStarts().length,
    imports: inside.map((specifier) => slashed(sourceOf(resolve(dirname(file), specifier)))),
    packages: specifiers.filter((specifier) => !specifier.startsWith('.')).map(packageName),
    functions: collect(source, functionOf),
    exports: source.statements.flatMap(exportedNames),
    bannedConstructs: collect(source, bannedConstructOf),
    bundleSpreads: collect(source, bundleSpreadOf),
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

function specifierOf(statement: ts.Statement): readonly string[] {
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
  const { moduleSpecifier } = statement;
  return moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? [moduleSpecifier.text] : [];
}

function exportedNames(statement: ts.Statement): readonly string[] {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as ts.DeclarationStatement;
  return name ? [name.text] : [];
}

/** Returns the results of `pick` for all nodes of a file. */
export function collect<T>(source: ts.SourceFile, pick: (node: ts.Node) => T | undefined): readonly T[] {
  const found: T[] = [];
  const visit = (node: ts.Node): void => {
    const one = pick(node);
    if (one !== undefined) found.push(one);
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

function functionOf(node: ts.Node): SourceFile['functions'][number] | undefined {
  if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return undefined;
  const source = node.getSourceFile();
  const lineOf = (at: number): number => source.getLineAndCharacterOfPosition(at).line;
  const name = node.name?.getText() ?? `function at line ${lineOf(node.getStart()) + 1}`;
  return { name, lines: lineOf(node.end) - lineOf(node.getStart()) + 1, parameters: node.parameters.length };
}

function bannedConstructOf(node: ts.Node): string | undefined {
  if (ts.isExportDeclaration(node) && !node.exportClause) return 'export *';
  if (ts.isExportAssignment(node)) return 'export default';
  if (ts.isEnumDeclaration(node)) return 'enum';
  if (ts.isModuleDeclaration(node)) return 'namespace';
  if (ts.isDecorator(node)) return 'decorator';
  return undefined;
}

function bundleSpreadOf(node: ts.Node): string | undefined {
  const isBundle =
    (ts.isSpreadAssignment(node) || ts.isJsxSpreadAttribute(node)) &&
    ts.isObjectLiteralExpression(node.expression);
  return isBundle ? node.getText() : undefined;
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
