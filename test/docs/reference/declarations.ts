import ts from 'typescript';
import type { Declaration, Exported } from './exported.js';
import { blocks, code, prose, table } from './write-markdown.js';

/** Returns the section of an export: its comment, its signature and its members. */
export function sectionOf({ name, declaration }: Exported): string {
  return blocks(
    `### ${code(name)}`,
    commentOf(declaration),
    signature(signatureOf(name, declaration)),
    membersOf(declaration),
    ...examplesOf(declaration),
  );
}

function signature(text: string): string {
  return text === '' ? '' : `<!-- sample -->\n\n\`\`\`ts\n${text}\n\`\`\``;
}

/** Returns the declaration without its comment, its body and its members. */
function signatureOf(name: string, declaration: Declaration): string {
  if (ts.isTypeAliasDeclaration(declaration)) return `type ${name} = ${declaration.type.getText()};`;
  if (ts.isFunctionDeclaration(declaration)) return `function ${name}${callOf(declaration)};`;
  if (ts.isVariableStatement(declaration)) return variableOf(declaration);
  const kind = ts.isClassDeclaration(declaration) ? 'class' : 'interface';
  const clauses = (declaration.heritageClauses ?? []).map((clause) => ` ${clause.getText()}`).join('');
  const more = typeParametersOf(declaration) + clauses;
  return kind === 'interface' && more === '' ? '' : `${kind} ${name}${more}`;
}

function variableOf({ declarationList: { declarations } }: ts.VariableStatement): string {
  const [first] = declarations;
  if (!first) return '';
  return `const ${first.name.getText()}${first.type ? `: ${first.type.getText()}` : ` = ${first.initializer?.getText() ?? ''}`};`;
}

function typeParametersOf({
  typeParameters,
}: {
  readonly typeParameters?: ts.NodeArray<ts.TypeParameterDeclaration> | undefined;
}): string {
  return typeParameters ? `<${typeParameters.map((one) => one.getText()).join(', ')}>` : '';
}

function callOf(node: ts.SignatureDeclaration): string {
  const parameters = node.parameters.map((one) => one.getText().replace(/\s+/g, ' ')).join(', ');
  return `${typeParametersOf(node)}(${parameters})${node.type ? `: ${node.type.getText()}` : ''}`;
}

function membersOf(declaration: Declaration): string {
  if (!ts.isInterfaceDeclaration(declaration) && !ts.isClassDeclaration(declaration)) return '';
  const members = [...(declaration.members as ts.NodeArray<ts.ClassElement | ts.TypeElement>)].filter(
    isPublic,
  );
  const rows = members.map((member) => [code(memberText(member)), commentOf(member).replaceAll('\n', ' ')]);
  return rows.length === 0 ? '' : table(['Member', 'Description'], rows);
}

function isPublic(member: ts.ClassElement | ts.TypeElement): boolean {
  const isHidden =
    ts.canHaveModifiers(member) &&
    (ts.getModifiers(member) ?? []).some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
  const { name } = member;
  return !isHidden && !(name && (ts.isPrivateIdentifier(name) || ts.isComputedPropertyName(name)));
}

/** Returns the signature of a member in one line, without its body. */
function memberText(member: ts.ClassElement | ts.TypeElement): string {
  const optional = 'questionToken' in member && member.questionToken ? '?' : '';
  const name = `${member.name?.getText() ?? ''}${optional}`;
  const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : [];
  const prefix = modifiers.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ? 'static ' : '';
  const text = ts.isConstructorDeclaration(member)
    ? `constructor${callOf(member)}`
    : ts.isMethodDeclaration(member) || ts.isMethodSignature(member)
      ? name + callOf(member)
      : typedText(name, member);
  return (prefix + text).replace(/\/\*\*.*?\*\//gs, '').replace(/\s+/g, ' ');
}

function typedText(name: string, member: ts.ClassElement | ts.TypeElement): string {
  const type = 'type' in member ? (member.type as ts.TypeNode | undefined) : undefined;
  if (name === '') return member.getText();
  return type ? `${name}: ${type.getText()}` : name;
}

/** Returns the text of the comment, with its parameters and errors. */
function commentOf(node: ts.Node): string {
  const lines = commentsOf(node).flatMap(({ comment, tags = [] }) => [
    textOf(comment),
    ...tags.filter(({ tagName }) => tagName.text !== 'example').map(tagText),
  ]);
  return lines.filter((line) => line !== '').join('\n\n');
}

function tagText(tag: ts.JSDocTag): string {
  const { text } = tag.tagName;
  const name = ts.isJSDocParameterTag(tag) ? `${code(tag.name.getText())}: ` : '';
  const label = { returns: 'Returns: ', throws: 'Throws: ' }[text] ?? '';
  return name + label + textOf(tag.comment).replace(/^[-–] /, '');
}

function examplesOf(declaration: Declaration): readonly string[] {
  const tags = commentsOf(declaration).flatMap((comment) => comment.tags ?? []);
  return tags
    .filter(({ tagName }) => tagName.text === 'example')
    .map(({ comment }) => (ts.getTextOfJSDocComment(comment) ?? '').replace(/^```ts\n|\n```$/g, ''))
    .map((example) => blocks('Example:', signature(example)));
}

function commentsOf(node: ts.Node): readonly ts.JSDoc[] {
  return ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1);
}

function textOf(comment: ts.JSDoc['comment']): string {
  const text = ts.getTextOfJSDocComment(comment) ?? '';
  return prose(text.replace(/\{@link (\S+?)\s*\}/g, '`$1`').replace(/\s+/g, ' '));
}
