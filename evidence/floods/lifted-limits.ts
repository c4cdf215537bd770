import { settingsSchema } from '../../src/settings/settings.js';

/** Longest time: the longest timers of Node.js leave no room for an addition. */
const DAY_MS = 86_400_000;

type Settings = Readonly<Record<string, unknown>>;

/** Limits of a configuration, by the place of their section. */
export interface LimitSettings {
  readonly server: Settings;
  /** Section `auth.local`. */
  readonly local: Settings;
  readonly audit: Settings;
  /** Other sections by their names. */
  readonly sections: Readonly<Record<string, Settings>>;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly default?: unknown;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Limits that stay: without them, one flood would only find the limit of the next part. */
const KEPT = ['connections', 'headerBytes', 'concurrency', 'maxForms', 'maxVersions', 'listen'];

/**
 * Returns the settings that lift every limit of the server to its maximum, or switch it off where the
 * configuration allows that. They follow from the schema of the configuration, so that a new limit
 * is lifted as well.
 */
export function liftedLimits(): LimitSettings {
  const { server, auth, egress, forms, audit } = (settingsSchema as Schema).properties ?? {};
  const local = auth?.properties?.['local'];
  return {
    server: lift(server, ['limits', 'overload']),
    local: lift(local, ['attempts']),
    audit: lift(audit),
    sections: { egress: lift(egress), forms: lift(forms) },
  };
}

/** Returns the lifted limits of a section; `among` selects members. */
function lift(section: Schema = {}, among?: readonly string[]): Settings {
  const entries = Object.entries(section.properties ?? {})
    .filter(([name]) => !KEPT.includes(name) && (among?.includes(name) ?? true))
    .map(([name, member]) => [name, lifted(member, name.endsWith('Ms') ? DAY_MS : Infinity)] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

function lifted(member: Schema, most: number): unknown {
  const types = [member.type].flat();
  if (types.includes('object')) return types.includes('null') ? null : lift(member);
  if (!types.includes('integer')) return undefined;
  if (types.includes('null')) return null;
  return member.maximum === undefined ? undefined : Math.min(most, member.maximum);
}
