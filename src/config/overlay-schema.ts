import type { CompileSchema, JsonSchema, ValidationResult } from '../core/schema.js';
import { settingsSchema } from './settings-schema.js';

/** Keys of the main file that a profile may override, by block; undefined: all keys of the block. */
const OVERLAID: Readonly<Record<string, readonly string[] | undefined>> = {
  egress: undefined,
  roles: undefined,
  forms: ['maxBytes', 'maxForms', 'maxVersions'],
  log: ['level'],
};

/** Blocks of the main file that a profile may override. */
export const OVERLAID_BLOCKS: readonly string[] = Object.keys(OVERLAID);

/** Schema of the overriding blocks in a profile. */
export const overlaySchema: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(OVERLAID).map(([block, keys]) => [block, part(blockOf(block), keys)]),
  ),
};

/** Validates the overriding blocks of a profile. */
export function validateOverlay(value: unknown, compile: CompileSchema): ValidationResult {
  return compile(overlaySchema)(value);
}

function part(block: JsonSchema, keys: readonly string[] | undefined): JsonSchema {
  if (!keys) return block;
  const all = block['properties'] as Readonly<Record<string, JsonSchema>>;
  return { ...block, properties: Object.fromEntries(keys.map((key) => [key, all[key]])) };
}

function blockOf(name: string): JsonSchema {
  return (settingsSchema['properties'] as Readonly<Record<string, JsonSchema>>)[name] ?? {};
}
