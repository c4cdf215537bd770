import type { CommitKind } from './record-history.js';

/** A version of a record that a change has stored. */
export interface StoredVersion {
  readonly kind: Exclude<CommitKind, 'activation'>;
  readonly name: string;
  readonly revision: number;
}

/** Returns the outcome of a change for its audit record: `version 12 of adapter nso1`. */
export function versionOutcome({ kind, name, revision }: StoredVersion): string {
  return `version ${revision} of ${kind} ${name}`;
}

/** Returns the version that an outcome of {@link versionOutcome} names; undefined for any other outcome. */
export function versionOf(outcome: string): StoredVersion | undefined {
  const [, revision, kind, name] = /^version (\d{1,15}) of (adapter|profile) (.+)$/.exec(outcome) ?? [];
  if (revision === undefined || name === undefined) return undefined;
  return { kind: kind === 'adapter' ? 'adapter' : 'profile', name, revision: Number(revision) };
}
