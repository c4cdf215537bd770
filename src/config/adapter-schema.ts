import type { CompileSchema, JsonSchema, ValidationResult } from '../core/schema.js';
import { adapterSchema, type AdapterSettings } from '../settings/adapter.js';

/** Validates an adapter again after its references were resolved. */
export function validateAdapter(value: unknown, compile: CompileSchema): ValidationResult {
  return compile(adapterSchema)(value);
}

/** Returns a valid and resolved adapter as its type. */
export function asAdapterSettings(value: unknown): AdapterSettings {
  return value as AdapterSettings;
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
const OPTIONS_POINTER = '#/properties/options';

/** Keys that clients send outside the adapter's settings. */
const KEYS_OUTSIDE_SETTINGS = ['plugin', 'brokers', 'groups', 'tags', 'log'];

/**
 * Returns the schema of an adapter's settings as clients send them (`properties.properties` of an
 * AdapterDocument). The plugin's own schema replaces `options` and determines the draft.
 */
export function completeAdapterSchema(options: JsonSchema): JsonSchema {
  const { $schema = DRAFT, ...own } = options;
  const { properties, required, ...rest } = adapterSchema as unknown as SectionSchema;
  const settings = Object.entries(properties).filter(([key]) => !KEYS_OUTSIDE_SETTINGS.includes(key));
  const placed = { ...properties['options'], ...(rebaseReferences(own) as object) };
  return {
    $schema,
    ...rest,
    required: required.filter((key) => !KEYS_OUTSIDE_SETTINGS.includes(key)),
    properties: { ...Object.fromEntries(settings), options: placed },
  };
}

/** Returns the schema of a catalog adapter's settings, taken from the schema of its options. */
export function catalogueSchema({ $schema = DRAFT, $defs = {}, properties }: JsonSchema): JsonSchema {
  const { properties: own = { type: 'object' } } = (properties ?? {}) as { readonly properties?: object };
  return { $schema, $defs, ...own };
}

interface SectionSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

/** Adjusts local `$ref`s of the plugin's schema to its position below `options`. */
function rebaseReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rebaseReferences);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]: [string, unknown]) => {
    const isLocal = key === '$ref' && typeof member === 'string' && /^#(?:\/|$)/.test(member);
    return [key, isLocal ? OPTIONS_POINTER + member.slice(1) : rebaseReferences(member)] as const;
  });
  return Object.fromEntries(members);
}
