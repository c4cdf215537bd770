/** Length of the JSON text from which a schema becomes a function of its own. */
const LEAST_LENGTH = 400;

/** Names that are spelled the same in a JSON pointer and in the fragment of a URL. */
const PLAIN_NAME = /^[\w-]+$/;

/**
 * Splits a schema into parts. The first is the schema itself, and refers to the others, which are the large schemas inside of it;
 * each of them has its place as a JSON pointer into the part that refers to it. Ajv writes a function for each part, so that
 * V8 compiles only those that a value needs: of one function with fourteen thousand lines, it compiles all.
 */
export function outlined(schema, name) {
  const parts = [];
  const add = (node, parent, pointer) => {
    const part = { name: parts.length === 0 ? name : `${name}-${parts.length}`, parent, pointer };
    parts.push(part);
    part.schema = walk(node, part, '');
    return part.name;
  };
  const walk = (node, part, pointer) => {
    const entries = Object.entries(node).map(([keyword, value]) => {
      const at = (token) => [pointer, keyword, ...token].join('/');
      return [
        keyword,
        INNER[keyword]?.(value, (member, ...token) => visit(member, part, at(token))) ?? value,
      ];
    });
    return Object.fromEntries(entries);
  };
  const visit = (node, part, pointer) => {
    if (!isSchema(node)) return node;
    if (!isLarge(node)) return walk(node, part, pointer);
    // The part around it sets the default.
    const { default: value, ...rest } = node;
    return { $ref: add(rest, part, pointer), ...(value !== undefined && { default: value }) };
  };
  add(schema, undefined, '');
  return parts;
}

const INNER = {
  properties: (members, visit) =>
    Object.fromEntries(
      Object.entries(members).map(([name, member]) => [
        name,
        PLAIN_NAME.test(name) ? visit(member, name) : member,
      ]),
    ),
  items: (member, visit) => visit(member),
  additionalProperties: (member, visit) => visit(member),
  oneOf: (members, visit) => members.map((member, at) => visit(member, at)),
  anyOf: (members, visit) => members.map((member, at) => visit(member, at)),
};

function isSchema(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isLarge(value) {
  return (
    Object.keys(value).some((keyword) => keyword in INNER) && JSON.stringify(value).length >= LEAST_LENGTH
  );
}
