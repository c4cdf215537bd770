import { faultOfObject } from '../../kit/json-text.js';

/** Path of the page that creates a profile. Not below /profiles, where the path would be that of a profile. */
export const NEW_PROFILE_PATH = '/new-profile';

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
  /** Change of the profile, or its activation, that is undone unless it is confirmed. */
  readonly pending?: {
    readonly time: string;
    readonly until: string;
    readonly author: { readonly name: string } | null;
    readonly comment: string | null;
  };
}

/** Members that take effect while the profile is active; all other members are only stored. */
const ACTIVE_MEMBERS = ['services', 'egress', 'roles', 'access', 'forms', 'log'] as const;

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

/** Returns the profile after an update of {@link updateOf}: `null` removes a member. */
export function withUpdate(
  profile: Readonly<Record<string, unknown>>,
  update: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries({ ...profile, ...update }).filter(([, value]) => value !== null));
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
  const fault = faultOfObject(text);
  return fault === undefined ? { value: JSON.parse(text) as Readonly<Record<string, unknown>> } : { fault };
}
