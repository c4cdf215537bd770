import type { MonitoringIssue } from './issue.js';
import type { Author } from './record-history.js';

/** What a mute silences: the problems of an adapter, of all adapters with a tag, or of a kind. */
export const MUTE_KINDS = ['adapter', 'tag', 'code'] as const;
export type MuteKind = (typeof MUTE_KINDS)[number];

/** Silences notifications until a time. */
export interface Mute {
  readonly id: string;
  readonly kind: MuteKind;
  /** Name of the adapter, the tag, or the code of the problem. */
  readonly name: string;
  readonly reason: string;
  /** Null for a caller without a token. */
  readonly by: Author | null;
  /** Milliseconds since 1970, as `until`. */
  readonly at: number;
  readonly until: number;
}

/** Returns the mute that silences a problem at a time. A group of adapters is silenced only as a whole. */
export function muteOf<M extends Pick<Mute, 'kind' | 'name' | 'until'>>(
  problem: Pick<MonitoringIssue, 'code' | 'adapters'>,
  mutes: readonly M[],
  { now, tagsOf }: { readonly now: number; readonly tagsOf: (adapter: string) => readonly string[] },
): M | undefined {
  const valid = mutes.filter(({ until }) => until > now);
  const byCode = valid.find(({ kind, name }) => kind === 'code' && name === problem.code);
  if (byCode || problem.adapters.length === 0) return byCode;
  const byAdapter = problem.adapters.flatMap(
    (adapter) =>
      valid.find(({ kind, name }) =>
        kind === 'tag' ? tagsOf(adapter).includes(name) : kind === 'adapter' && name === adapter,
      ) ?? [],
  );
  const [earliest] = byAdapter.toSorted((one, other) => one.until - other.until);
  return byAdapter.length === problem.adapters.length ? earliest : undefined;
}
