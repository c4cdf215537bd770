/** What an orchestrator said about rotated secrets of its adapter, when a login and a read tried them once. */
export interface SecretProof {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `failed`: the orchestrator said nothing about the credentials, for example because it did not answer. */
  readonly verdict: 'accepted' | 'refused' | 'failed';
  /** Versions of the tried secrets; empty if their store keeps none. */
  readonly versions: readonly number[];
  /** Positions of these secrets in the configuration of the adapter. */
  readonly pointers: readonly string[];
  /** Why they were not accepted; absent if they were. */
  readonly reason?: string;
  /** False while the adapter uses its former secrets, because these were refused. */
  readonly isInUse: boolean;
}

/** Returns a proof in words, for example "refused with version 3". */
export function proofText(proof: SecretProof): string {
  const { verdict, isInUse } = proof;
  const words = `${verdict === 'failed' ? 'not tested' : verdict} with ${triedSecrets(proof)}`;
  return isInUse ? words : `${words}; the former value stays in use`;
}

/** Returns the tried secrets in words: "version 3", "versions 2 and 5", or "the new value" without versions. */
export function triedSecrets({ versions }: SecretProof): string {
  if (versions.length === 0) return 'the new value';
  return versions.length === 1 ? `version ${versions[0]}` : `versions ${versions.join(' and ')}`;
}
