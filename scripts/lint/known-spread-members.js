// Reports each member of a spread object literal that the type of the whole object does not have, for example
// `open({ ...(tls && { certificat: tls }) })`. The compiler checks members that are written directly, but not those of a
// spread, so a renamed option would be ignored silently.
//
//   node scripts/lint/known-spread-members.js PROJECT...     paths of tsconfig.json files
import { resolve, relative } from 'node:path';
import * as is from 'typescript/unstable/ast/is';
import { API, TypeFlags } from 'typescript/unstable/sync';

const api = new API({ cwd: process.cwd() });
const projects = process.argv.slice(2).map((path) => resolve(path));
const findings = projects.flatMap(findingsOf);
api.close();
for (const finding of new Set(findings)) console.error(finding);
process.exitCode = findings.length > 0 ? 1 : 0;

function findingsOf(path) {
  const project = api.updateSnapshot({ openProjects: [path] }).getProject(path);
  return project.program
    .getSourceFileNames()
    .filter((name) => !name.includes('/node_modules/') && /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .flatMap((name) => {
      const file = project.program.getSourceFile(name);
      return spreadObjectsOf(file).flatMap((object) => faultsOf(project.checker, object, file));
    });
}

function faultsOf(checker, object, file) {
  const literals = object.properties
    .filter(is.isSpreadAssignment)
    .flatMap(({ expression }) => literalsIn(expression));
  const members = literals.flatMap(({ properties }) => properties).filter(isNamed);
  if (members.length === 0) return [];
  const known = namesOf(checker, object);
  return members
    .filter(({ name }) => known && !known.has(name.text))
    .map(({ name }) => {
      const line = file.text.slice(0, name.getStart()).split('\n').length;
      const place = `${relative('.', file.fileName)}:${line}`;
      return `${place}: '${name.text}' does not exist in the type of this object; spreads are not checked`;
    });
}

/** Returns the object literals that have a spread. */
function spreadObjectsOf(root) {
  const found = [];
  const visit = (node) => {
    if (is.isObjectLiteralExpression(node) && node.properties.some(is.isSpreadAssignment)) found.push(node);
    node.forEachChild(visit);
  };
  visit(root);
  return found;
}

/** Returns the names that the expected type of an object has; undefined if any name is permitted. */
function namesOf(checker, node) {
  const expected = checker.getContextualType(node);
  if (!expected) return undefined;
  const kinds = TypeFlags.Object | TypeFlags.Intersection | TypeFlags.TypeParameter;
  const types = (expected.isUnionType() ? expected.getTypes() : [expected]).filter(
    ({ flags }) => flags & kinds,
  );
  const isOpen = (type) => type.isTypeParameter() || checker.getIndexInfosOfType(type).length > 0;
  const names = types.flatMap((type) => checker.getPropertiesOfType(type).map(({ name }) => name));
  return names.length === 0 || types.some(isOpen) ? undefined : new Set(names);
}

/** Returns the object literals that an expression may evaluate to. */
function literalsIn(node) {
  if (is.isObjectLiteralExpression(node)) return [node];
  if (is.isParenthesizedExpression(node) || is.isAsExpression(node)) return literalsIn(node.expression);
  if (is.isBinaryExpression(node)) return [...literalsIn(node.left), ...literalsIn(node.right)];
  if (is.isConditionalExpression(node)) return [...literalsIn(node.whenTrue), ...literalsIn(node.whenFalse)];
  return [];
}

function isNamed({ name }) {
  return Boolean(name) && (is.isIdentifier(name) || is.isStringLiteral(name));
}
