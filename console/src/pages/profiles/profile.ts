/** A stored profile; other members are allowed. */
export interface Profile {
  /** The name of the profile. */
  readonly id: string;
  readonly description?: string;
  /** Adapters that run while the profile is active; if empty, all enabled adapters. */
  readonly services?: readonly string[];
  readonly [member: string]: unknown;
}

/** An entry of `GET /profiles`. */
export interface ListedProfile {
  readonly metadata: {
    readonly isActive: boolean;
    /** True if the stored version is in effect. */
    readonly activeSync: boolean;
  };
  readonly profile: Profile;
}

/** Members that take effect while the profile is active; all other members are only stored. */
const ACTIVE_MEMBERS = ['services', 'egress', 'roles', 'forms', 'log'] as const;

/** Returns the members with which a profile takes effect, in the order of the documentation. */
export function effectiveMembers(profile: Profile): readonly string[] {
  return ACTIVE_MEMBERS.filter((name) => isSet(profile[name]));
}

function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== '';
}

/**
 * Returns the update that turns a profile into its edited version: changed members, and null for removed
 * members, which resets these members to their defaults. `id` and `_id` belong to the server.
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

/** Returns the profile with another name. */
export function copyOf(profile: Profile, id: string): Profile {
  const copy = Object.entries(profile).filter(([name]) => name !== '_id');
  return { ...Object.fromEntries(copy), id };
}

/** Parses a text as an object, or returns the fault of the text. */
export function readObject(
  text: string,
): { readonly value: Readonly<Record<string, unknown>> } | { readonly fault: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { value: value as Readonly<Record<string, unknown>> };
    return { fault: 'The text must be a JSON object: {...}' };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'The text is not valid JSON.' };
  }
}
