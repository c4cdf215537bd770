import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ESTree } from 'rolldown/utils';
import { type ParsedFile, parseTypeScript } from '../../support/parse-typescript.js';
import { ROOT } from '../markdown.js';

/** An export of a module, with the declaration that it leads to. */
export interface Exported {
  /** Name in the module. */
  readonly name: string;
  readonly declaration: Declaration;
  /** Content of the doc comment. */
  readonly comment: string;
  /** The file of the declaration. */
  readonly file: ParsedFile;
}

type Declaration = NonNullable<ESTree.ExportNamedDeclaration['declaration']>;

/** Returns the exports of a module, in their order. The code has no `export *`, so names are found without a type checker. */
export function exportsOf(path: string): readonly Exported[] {
  const file = parse(path);
  return file.statements.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return [];
    const { declaration } = statement;
    if (!declaration) return reExports(path, statement);
    return [{ name: nameOf(file, declaration), declaration, comment: file.docCommentOf(statement), file }];
  });
}

function reExports(path: string, { source, specifiers }: ESTree.ExportNamedDeclaration): readonly Exported[] {
  if (!source) return [];
  const target = join(dirname(path), source.value.replace(/\.js$/, '.ts'));
  const { textOf } = parse(path);
  return specifiers.map(({ local, exported }) => ({
    ...exportOf(target, textOf(local)),
    name: textOf(exported),
  }));
}

function exportOf(path: string, name: string): Exported {
  const found = exportsOf(path).find((one) => one.name === name);
  if (!found) throw new Error(`${path} exports no ${name}`);
  return found;
}

const parsed = new Map<string, ParsedFile>();

function parse(path: string): ParsedFile {
  const known = parsed.get(path);
  if (known) return known;
  const file = parseTypeScript(path, readFileSync(join(ROOT, path), 'utf8'));
  parsed.set(path, file);
  return file;
}

function nameOf({ textOf }: ParsedFile, declaration: Declaration): string {
  if (declaration.type === 'VariableDeclaration') {
    const [first] = declaration.declarations;
    return first?.id.type === 'Identifier' ? first.id.name : '';
  }
  return 'id' in declaration && declaration.id ? textOf(declaration.id) : '';
}
