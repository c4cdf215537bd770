import ts from 'typescript';

/**
 * Reports a member of a spread object literal that the type of the whole object does not have, for example
 * `open({ ...(tls && { certificat: tls }) })`. The compiler checks members that are written directly, but not
 * those of a spread, so a renamed option would be ignored silently.
 */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: { unknown: "'{{name}}' does not exist in the type of this object; spreads are not checked." },
  },
  create(context) {
    const services = context.sourceCode.parserServices;
    const checker = services.program.getTypeChecker();
    return {
      'ObjectExpression:has(> SpreadElement)'(node) {
        const names = namesOf(checker, services.esTreeNodeToTSNodeMap.get(node));
        if (!names) return;
        for (const element of node.properties) {
          if (element.type !== 'SpreadElement') continue;
          const spread = services.esTreeNodeToTSNodeMap.get(element.argument);
          for (const name of literalsIn(checker, spread).flatMap(memberNames))
            if (!names.has(name)) context.report({ node: element, messageId: 'unknown', data: { name } });
        }
      },
    };
  },
};

/** Returns the names that the expected type of an object has; undefined if any name is permitted. */
function namesOf(checker, node) {
  const expected = checker.getContextualType(node);
  if (!expected) return undefined;
  const types = (expected.isUnion() ? expected.types : [expected]).filter(
    ({ flags }) => flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection | ts.TypeFlags.TypeParameter),
  );
  const isOpen = (type) =>
    Boolean(type.flags & ts.TypeFlags.TypeParameter) || checker.getIndexInfosOfType(type).length > 0;
  const names = types.flatMap((type) => checker.getPropertiesOfType(type).map(({ name }) => name));
  return names.length === 0 || types.some(isOpen) ? undefined : new Set(names);
}

/** Returns the object literals that an expression may evaluate to. */
function literalsIn(checker, node) {
  if (ts.isObjectLiteralExpression(node)) return [node];
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node))
    return literalsIn(checker, node.expression);
  if (ts.isBinaryExpression(node))
    return [...literalsIn(checker, node.left), ...literalsIn(checker, node.right)];
  if (ts.isConditionalExpression(node))
    return [...literalsIn(checker, node.whenTrue), ...literalsIn(checker, node.whenFalse)];
  return [];
}

function memberNames(literal) {
  return literal.properties.flatMap(({ name }) =>
    name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? [name.text] : [],
  );
}
