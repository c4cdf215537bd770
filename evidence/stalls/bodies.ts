/** Values of a request body that are cheap to send and were expensive to read, each of a size in bytes or of a number of values. */
export const KINDS: Readonly<Record<string, (size: Size) => string>> = {
  'empty objects': (size) => list(size, () => '{}'),
  ones: (size) => list(size, () => '1'),
  members: (size) => object({ ...size, values: size.costly }, (at) => `"m${at}":1`),
  'unseen characters': ({ bytes }) => `"${'\u200B'.repeat(bytes / 3)}"`,
  references: (size) => list({ ...size, values: size.values / 2 }, () => '{"$ref":"#"}'),
  'nested lists': (size) =>
    list({ ...size, values: size.values / DEPTH }, () => '['.repeat(DEPTH) + ']'.repeat(DEPTH)),
  'small objects': (size) => list({ ...size, values: size.values / 10 }, () => orderOf(0)),
  'other orders': (size) => list({ ...size, values: size.costly / 9 }, orderOf),
  'long numbers': (size) => list({ ...size, values: size.costly }, () => '12345678901234567890'),
  'long names': (size) =>
    object({ ...size, values: size.costly }, (at) => `"${'\\u00e9'.repeat(40)}${at}":"${'n'.repeat(40)}"`),
};

/** What a body may have at most. */
export interface Size {
  readonly bytes: number;
  readonly values: number;
  /** Values that take several times as long as others. */
  readonly costly: number;
}

/** Nesting of the lists; a body may have 64 levels, of which its members take some. */
const DEPTH = 50;

/** Returns an object with nine members, in an order that follows from a number. */
function orderOf(at: number): string {
  const names = Array.from({ length: 9 }, (_, name) => `"m${name}":1`);
  const members: string[] = [];
  for (let rest = at; names.length > 0;) {
    const next = rest % names.length;
    rest = (rest - next) / names.length;
    members.push(...names.splice(next, 1));
  }
  return `{${members.join(',')}}`;
}

function list(size: Size, item: (at: number) => string): string {
  return `[${fill(size, item)}]`;
}

function object(size: Size, member: (at: number) => string): string {
  return `{${fill(size, member)}}`;
}

function fill({ bytes, values }: Size, part: (at: number) => string): string {
  const parts: string[] = [];
  for (let [at, left] = [0, bytes]; at < values; at += 1) {
    const next = part(at);
    left -= Buffer.byteLength(next) + 1;
    if (left < 0) break;
    parts.push(next);
  }
  return parts.join(',');
}

/**
 * Returns texts of a body with the value in every place: as the body, as each known member, as a member that nothing knows, and in
 * each member that is an object.
 */
export function bodiesWith(
  value: string,
  example: Readonly<Record<string, unknown>>,
  names: readonly string[],
): readonly (readonly [place: string, text: string])[] {
  const places: (readonly [string, string])[] = [['', value]];
  for (const name of new Set([...Object.keys(example), ...names, 'unknown'])) {
    places.push([`/${name}`, withMember(example, name, value)]);
    const inner = example[name];
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner))
      places.push([
        `/${name}/unknown`,
        withMember(example, name, withMember(inner as Readonly<Record<string, unknown>>, 'unknown', value)),
      ]);
  }
  if (value.startsWith('{')) places.push(['/*', `${JSON.stringify(example).slice(0, -1)},${value.slice(1)}`]);
  return places;
}

/** Returns an object as JSON, with a member whose value is given as JSON. */
function withMember(object: Readonly<Record<string, unknown>>, name: string, value: string): string {
  const others = Object.entries(object).filter(([other]) => other !== name);
  const members = others.map(([other, own]) => `${JSON.stringify(other)}:${JSON.stringify(own)},`).join('');
  return `{${members}${JSON.stringify(name)}:${value}}`;
}
