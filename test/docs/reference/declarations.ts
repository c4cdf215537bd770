import type { ESTree } from 'rolldown/utils';
import type { ParsedFile } from '../../support/parse-typescript.js';
import type { Exported } from './exported.js';
import { blocks, code, prose, table } from './write-markdown.js';

type Text = ParsedFile['textOf'];
type TypeDeclaration = ESTree.TSInterfaceDeclaration | ESTree.Class;
type Member = ESTree.TSSignature | ESTree.ClassElement;
type NamedMember = Extract<Member, { readonly key: unknown }>;
type Call = Pick<ESTree.Function, 'typeParameters' | 'params' | 'returnType'>;

/** Returns the section of an export: its comment, its signature and its members. */
export function sectionOf(exported: Exported): string {
  return blocks(
    `### ${code(exported.name)}`,
    commentOf(exported.comment),
    signature(signatureOf(exported)),
    membersOf(exported),
    ...examplesOf(exported.comment),
  );
}

function signature(text: string): string {
  return text === '' ? '' : `<!-- sample -->\n\n\`\`\`ts\n${text}\n\`\`\``;
}

/** Returns the declaration without its comment, its body and its members. */
function signatureOf({ name, declaration, file: { textOf } }: Exported): string {
  if (declaration.type === 'TSTypeAliasDeclaration')
    return `type ${name} = ${textOf(declaration.typeAnnotation)
      .replace(/^\|\s*/, '')
      .replace(/\n\s*\|/g, ' |')};`;
  if (declaration.type === 'VariableDeclaration') return variableOf(textOf, declaration);
  if (isTypeDeclaration(declaration)) return typeSignature(textOf, name, declaration);
  return 'params' in declaration ? `function ${name}${callOf(textOf, declaration)};` : '';
}

function isTypeDeclaration(declaration: Exported['declaration']): declaration is TypeDeclaration {
  return declaration.type === 'TSInterfaceDeclaration' || declaration.type === 'ClassDeclaration';
}

function typeSignature(textOf: Text, name: string, declaration: TypeDeclaration): string {
  const isInterface = declaration.type === 'TSInterfaceDeclaration';
  // What a type extends and implements is between its name and its body.
  const { end } = declaration.id ?? { end: declaration.start };
  const more = textOf({ start: end, end: declaration.body.start }).trim();
  if (isInterface && more === '') return '';
  const separator = more === '' || more.startsWith('<') ? '' : ' ';
  return `${isInterface ? 'interface' : 'class'} ${name}${separator}${more}`;
}

function variableOf(textOf: Text, { declarations: [first] }: ESTree.VariableDeclaration): string {
  if (!first) return '';
  const type = first.id.typeAnnotation;
  if (type) return `const ${textOf(first.id)};`;
  return `const ${textOf(first.id)} = ${first.init ? textOf(first.init) : ''};`;
}

function callOf(textOf: Text, { typeParameters, params, returnType }: Call): string {
  const parameters = params.map((one) => textOf(one).replace(/\s+/g, ' ')).join(', ');
  return `${typeParameters ? textOf(typeParameters) : ''}(${parameters})${returnType ? textOf(returnType) : ''}`;
}

function membersOf({ declaration, file }: Exported): string {
  if (!isTypeDeclaration(declaration)) return '';
  const members: readonly Member[] = declaration.body.body;
  const rows = members
    .filter(isPublic)
    .map((member) => [
      code(memberText(file.textOf, member)),
      commentOf(file.docCommentOf(member)).replaceAll('\n', ' '),
    ]);
  return rows.length === 0 ? '' : table(['Member', 'Description'], rows);
}

function isPublic(member: Member): boolean {
  if ('accessibility' in member && member.accessibility === 'private') return false;
  return !('key' in member && (member.computed || member.key.type === 'PrivateIdentifier'));
}

/** Returns the signature of a member in one line, without its body. */
function memberText(textOf: Text, member: Member): string {
  const text = 'key' in member ? namedText(textOf, member) : textOf(member);
  return text.replace(/\/\*\*.*?\*\//gs, '').replace(/\s+/g, ' ');
}

function namedText(textOf: Text, member: NamedMember): string {
  const name = `${member.static ? 'static ' : ''}${textOf(member.key)}${member.optional ? '?' : ''}`;
  if (member.type === 'TSMethodSignature') return name + callOf(textOf, member);
  if ('typeAnnotation' in member) return name + (member.typeAnnotation ? textOf(member.typeAnnotation) : '');
  const { kind, value } = member as ESTree.MethodDefinition;
  if (kind !== 'get') return name + callOf(textOf, value);
  return name + (value.returnType ? textOf(value.returnType) : '');
}

/** Returns the text of a comment, with its parameters and errors. */
function commentOf(comment: string): string {
  const [about = '', ...tags] = partsOf(comment);
  const lines = [markdownOf(about), ...tags.filter((tag) => !tag.startsWith('@example')).map(tagText)];
  return lines.filter((line) => line !== '').join('\n\n');
}

/** Splits a doc comment into its description and its tags. */
function partsOf(comment: string): readonly string[] {
  return comment.split(/^(?=@\w)/m).map((part) => part.trim());
}

function tagText(part: string): string {
  const [, tag = '', text = ''] = /^@(\w+)\s*(.*)$/s.exec(part) ?? [];
  if (tag !== 'param') return ({ returns: 'Returns: ', throws: 'Throws: ' }[tag] ?? '') + markdownOf(text);
  const [, name = '', about = ''] = /^(\S+)\s*(.*)$/s.exec(text) ?? [];
  return `${code(name)}: ${markdownOf(about)}`;
}

function markdownOf(text: string): string {
  const line = text.replace(/\{@link (\S+?)\s*\}/g, '`$1`').replace(/\s+/g, ' ');
  return prose(line.replace(/^[-–] /, ''));
}

function examplesOf(comment: string): readonly string[] {
  return partsOf(comment)
    .filter((part) => part.startsWith('@example'))
    .map((part) => part.replace(/^@example\s*(?:```ts\n)?|\n```$/g, ''))
    .map((example) => blocks('Example:', signature(example)));
}
