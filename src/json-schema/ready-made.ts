import type { AnyValidateFunction } from 'ajv/dist/types/index.js';
import type { JsonSchema } from '../core/schema.js';

/**
 * Functions that return the validator of a schema, by the digest of its JSON text: validators that were compiled when the
 * command was bundled. Empty outside of the bundle, where `scripts/ready-made.js` replaces this module.
 */
export const READY_MADE: ReadonlyMap<string, (schema: JsonSchema) => AnyValidateFunction> = new Map();
