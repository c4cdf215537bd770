import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../markdown.js';

/** An export of a module, with the declaration that it leads to. */
export interface Exported {
  /** Name in the module. */
  readonly name: string;
  readonly declaration: Declaration;
}

export type Declaration =
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.FunctionDeclaration
  | ts.ClassDeclaration
  | ts.VariableStatement;

/** Returns the exports of a module, in their order. The code has no `export *`, so names are found without a type checker. */
export function exportsOf(path: string): readonly Exported[] {
  return parse(path).statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return reExports(path, statement);
    if (!isDeclaration(statement) || !isExported(statement)) return [];
    return [{ name: nameOf(statement), declaration: statement }];
  });
}

function reExports(path: string, statement: ts.ExportDeclaration): readonly Exported[] {
  const { exportClause, moduleSpecifier } = statement;
  if (!exportClause || !ts.isNamedExports(exportClause) || !moduleSpecifier) return [];
  if (!ts.isStringLiteral(moduleSpecifier)) return [];
  const target = join(dirname(path), moduleSpecifier.text.replace(/\.js$/, '.ts'));
  return exportClause.elements.map(({ name, propertyName }) => ({
    name: name.text,
    declaration: declarationOf(target, (propertyName ?? name).text),
  }));
}

function declarationOf(path: string, name: string): Declaration {
  const found = exportsOf(path).find((one) => one.name === name);
  if (!found) throw new Error(`${path} exports no ${name}`);
  return found.declaration;
}

const parsed = new Map<string, ts.SourceFile>();

function parse(path: string): ts.SourceFile {
  const known = parsed.get(path);
  if (known) return known;
  const text = readFileSync(join(ROOT, path), 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  parsed.set(path, file);
  return file;
}

function isDeclaration(statement: ts.Statement): statement is Declaration {
  return (
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isVariableStatement(statement)
  );
}

function isExported({ modifiers }: Declaration): boolean {
  return (modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

function nameOf(declaration: Declaration): string {
  if (!ts.isVariableStatement(declaration)) return declaration.name?.text ?? '';
  return declaration.declarationList.declarations[0]?.name.getText() ?? '';
}
