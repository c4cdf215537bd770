import fc from 'fast-check';

/** The alphabet of base64url (RFC 4648 section 5). */
export const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const letter = fc.oneof(
  fc.constantFrom(...ALPHABET.match(/./g)!, '.', '=', '+', '/', ' ', '\n'),
  fc.string({ maxLength: 3 }),
);

/**
 * Mutations of a text at a position: a character inserted, removed or replaced, a bit flipped, parts swapped
 * or duplicated.
 */
export const mutations: fc.Arbitrary<(token: string) => string> = fc
  .record({ kind: fc.nat(6), at: place, to: place, letter })
  .map(({ kind, at, to, letter }) => (token: string): string => {
    const [i, j] = [Math.floor(at * token.length), Math.floor(to * token.length)];
    const parts = token.split('.');
    const edits = [
      token.slice(0, i) + letter + token.slice(i),
      token.slice(0, i) + letter + token.slice(i + 1),
      token.slice(0, i) + token.slice(i + 1),
      token.slice(0, i),
      token.slice(0, i) + String.fromCharCode(token.charCodeAt(i) ^ (1 << (j % 7))) + token.slice(i + 1),
      token.slice(0, i) + token.slice(j),
      parts.map((part, n) => (n === i % 3 ? (parts[j % 3] ?? '') : part)).join('.'),
    ];
    return edits[kind] ?? '';
  });
