import type { JsonSchema } from '../core/schema.js';
import { adapterSchema } from './adapter-schema.js';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
const PLACE = '#/properties/options';

/** Keys that clients send outside the adapter's settings. */
const ELSEWHERE = ['plugin', 'brokers', 'groups', 'log'];

/**
 * Returns the schema of an adapter's settings as clients send them (`properties.properties` of an
 * AdapterDocument). The plugin's own schema replaces `options` and determines the draft.
 */
export function completeAdapterSchema(options: JsonSchema): JsonSchema {
  const { $schema = DRAFT, ...own } = options;
  const { properties, required, ...rest } = adapterSchema as unknown as WholeSchema;
  const settings = Object.entries(properties).filter(([key]) => !ELSEWHERE.includes(key));
  const placed = { ...properties['options'], ...(rebased(own) as object) };
  return {
    $schema,
    ...rest,
    required: required.filter((key) => !ELSEWHERE.includes(key)),
    properties: { ...Object.fromEntries(settings), options: placed },
  };
}

/** Returns the schema of a catalog adapter's settings, taken from the schema of its options. */
export function catalogueSchema({ $schema = DRAFT, $defs = {}, properties }: JsonSchema): JsonSchema {
  const { properties: own = { type: 'object' } } = (properties ?? {}) as { readonly properties?: object };
  return { $schema, $defs, ...own };
}

interface WholeSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

/** Adjusts references to parts of the plugin's schema to its new place. */
function rebased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rebased);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]: [string, unknown]) => {
    const isLocal = key === '$ref' && typeof member === 'string' && /^#(?:\/|$)/.test(member);
    return [key, isLocal ? PLACE + member.slice(1) : rebased(member)] as const;
  });
  return Object.fromEntries(members);
}
