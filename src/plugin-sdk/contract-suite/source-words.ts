/** Member names on the way to a value, for example `['data', 'items']`. */
export type MemberPath = readonly string[];

/** Maximum number of paths, so that the number of test documents stays small. */
const MAX_PATHS = 150;

const NAME = '[A-Za-z_$][\\w$]*';

/** Matches a chain of members. A method at its end is not part of the data. */
const CHAIN = new RegExp(`(?:\\??\\.${NAME})+(?!\\w)(?!\\s*\\()`, 'g');
/** Matches a member of an object literal or of a destructuring pattern. */
const MEMBER = new RegExp(`[{,]\\s*(${NAME})\\s*(?=[,}=:])`, 'g');
const STRING = /(['"`])([^'"`\n\\$]{1,80})\1/g;
const MEMBER_NAME = /^[\w.:@-]+$/;

/**
 * Returns the member names that the source of a plugin mentions: chains of members, members of patterns, and strings. They
 * are the names that its functions look for in a reply, which random names would never meet.
 */
export function pathsIn(source: string): readonly MemberPath[] {
  const chains = [...source.matchAll(CHAIN)].flatMap(([chain]) => suffixesOf(chain.split(/\??\./).slice(1)));
  const strings = [...source.matchAll(STRING)].flatMap(([, , text = '']) => pathsOfString(text));
  const members = [...source.matchAll(MEMBER)].map(([, name = '']) => [name]);
  const unique = new Map([...chains, ...strings, ...members].map((path) => [path.join('/'), path]));
  return [...unique.values()].slice(0, MAX_PATHS);
}

/** Returns `b.c` and `c` for `a.b.c`, and the chain itself: its first names are often variables. */
function suffixesOf(names: MemberPath): readonly MemberPath[] {
  return names.map((_, at) => names.slice(at)).filter(({ length }) => length <= 4);
}

/** Returns the path of a JSON pointer, or a string that is a member name. */
function pathsOfString(text: string): readonly MemberPath[] {
  const names = text.startsWith('/') ? text.slice(1).split('/') : [text];
  return names.every((name) => MEMBER_NAME.test(name)) ? [names] : [];
}
