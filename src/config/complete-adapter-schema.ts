import type { JsonSchema } from '../core/schema.js';
import { adapterSchema } from './adapter-schema.js';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
const PLACE = '#/properties/options';

/** Keys that stand elsewhere in what clients send: they are no settings to them. */
const ELSEWHERE = ['plugin', 'brokers', 'groups', 'log'];

/**
 * The schema of an adapter's settings as clients send them (`properties.properties` of an `domain/adapter-document.ts`), with its
 * plugin's own schema in the place of `options`; the draft is the plugin's.
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

/** The same where the model is the package of a catalogue adapter, from the schema of its options: its own settings. */
export function catalogueSchema({ $schema = DRAFT, $defs = {}, properties }: JsonSchema): JsonSchema {
  const { properties: own = { type: 'object' } } = (properties ?? {}) as { readonly properties?: object };
  return { $schema, $defs, ...own };
}

interface WholeSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

/** References to parts of the plugin's schema follow it to its place. */
function rebased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rebased);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]: [string, unknown]) => {
    const isLocal = key === '$ref' && typeof member === 'string' && /^#(?:\/|$)/.test(member);
    return [key, isLocal ? PLACE + member.slice(1) : rebased(member)] as const;
  });
  return Object.fromEntries(members);
}
