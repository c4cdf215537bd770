interface AlgorithmKind {
  readonly family: 'secret' | 'rsa' | 'ec';
  /** The one curve that goes with the algorithm, in OpenSSL's words. */
  readonly curve?: string;
  /** Shortest secret, in bytes: as long as the hash. */
  readonly secretBytes?: number;
}

/** The signature algorithms that are taken (RFC 7518 section 3), and the key each one needs. `none` is not among them. */
export const ALGORITHMS = {
  HS256: { family: 'secret', secretBytes: 32 },
  HS384: { family: 'secret', secretBytes: 48 },
  HS512: { family: 'secret', secretBytes: 64 },
  RS256: { family: 'rsa' },
  RS384: { family: 'rsa' },
  RS512: { family: 'rsa' },
  PS256: { family: 'rsa' },
  PS384: { family: 'rsa' },
  PS512: { family: 'rsa' },
  ES256: { family: 'ec', curve: 'prime256v1' },
  ES384: { family: 'ec', curve: 'secp384r1' },
  ES512: { family: 'ec', curve: 'secp521r1' },
} as const satisfies Record<string, AlgorithmKind>;

export type Algorithm = keyof typeof ALGORITHMS;

/** True for the exact name of an algorithm of the table. */
export function isAlgorithm(name: unknown): name is Algorithm {
  return typeof name === 'string' && Object.hasOwn(ALGORITHMS, name);
}

/** What kind of key the algorithm needs. */
export function algorithmKind(algorithm: Algorithm): AlgorithmKind {
  return ALGORITHMS[algorithm];
}
