interface AlgorithmKind {
  readonly family: 'secret' | 'rsa' | 'ec';
  /** The only curve of the algorithm, by its OpenSSL name. */
  readonly curve?: string;
  /** Minimum length of the secret, in bytes: the length of the hash. */
  readonly secretBytes?: number;
}

/**
 * The accepted signature algorithms (RFC 7518 section 3), and the key that each needs. `none` is not among
 * them.
 */
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

/** Returns true for the exact name of an accepted algorithm. */
export function isAlgorithm(name: unknown): name is Algorithm {
  return typeof name === 'string' && Object.hasOwn(ALGORITHMS, name);
}

/** Returns the kind of key that the algorithm needs. */
export function algorithmKind(algorithm: Algorithm): AlgorithmKind {
  return ALGORITHMS[algorithm];
}
