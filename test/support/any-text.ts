import fc from 'fast-check';

/** Code points that are not characters: halves of a surrogate pair. */
const SURROGATES = { first: 0xd800, count: 0x800 } as const;

/** Generates any Unicode character, without building a table of all characters, which takes a second. */
const character = fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }).map(
  (at) => String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.count),
  (value) => {
    const point = typeof value === 'string' ? value.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== value) throw new Error('not one character');
    if (point < SURROGATES.first) return point;
    if (point < SURROGATES.first + SURROGATES.count) throw new Error('half a character');
    return point - SURROGATES.count;
  },
);

/** Generates texts of any characters, like `fc.string({ unit: 'binary' })`. */
export function anyText(constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: character });
}
