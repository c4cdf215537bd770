/** A profile as it is kept: any members beside these. */
export interface Profile {
  /** Its name. */
  readonly id: string;
  readonly description?: string;
  /** Adapters that run while it is active; empty: those that are switched on. */
  readonly services?: readonly string[];
  readonly [member: string]: unknown;
}

/** An entry of `GET /profiles`. */
export interface ListedProfile {
  readonly metadata: {
    readonly isActive: boolean;
    /** It is in effect as it is kept. */
    readonly activeSync: boolean;
  };
  readonly profile: Profile;
}

/** Members that do something while the profile is active; the others are only kept. */
const ACTIVE_MEMBERS = ['services', 'egress', 'roles', 'forms', 'log'] as const;

/** The members by which a profile changes what runs, in the order of the documentation. */
export function effectiveMembers(profile: Profile): readonly string[] {
  return ACTIVE_MEMBERS.filter((name) => isSaid(profile[name]));
}

function isSaid(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== '';
}

/**
 * What to send so that a profile becomes as it was edited: members that differ, and null for those that are gone, which gives
 * them their defaults. `id` and `_id` are the server's.
 */
export function updateOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names
      .filter((name) => name !== '_id' && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, after[name] ?? null]),
  );
}

/** The same profile under another name. */
export function copyOf(profile: Profile, id: string): Profile {
  const copy = Object.entries(profile).filter(([name]) => name !== '_id');
  return { ...Object.fromEntries(copy), id };
}

/** Reads what somebody wrote: an object, or why it is none. */
export function readObject(
  text: string,
): { readonly value: Readonly<Record<string, unknown>> } | { readonly fault: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { value: value as Readonly<Record<string, unknown>> };
    return { fault: 'This must be a JSON object: {...}' };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'This is no JSON.' };
  }
}
