import fc from 'fast-check';

const ATOMS = (
  '/ . .. \\ ; ? # % %2e %2E %2f %5c %25 %252e %252f %25252e %3b %c0%ae %c0%af %e0%80%ae %EF%BC%8E %EF%BC%8F %E2%80%A5 ' +
  '%00 %0d%0a %09 %20 %7f a b=c @ : // %3f %23 %ff %C2%AD ． %u002e 2e 25'
).split(' ');
const STARTS = ['/', '', '/a/', '/;'];

/** Generates paths from the fragments of path traversals. */
export const generatedPath: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...STARTS), fc.array(fc.constantFrom(...ATOMS, ' ', '\r\n', '\t'), { maxLength: 8 }))
  .map(([start, atoms]) => start + atoms.join(''));
