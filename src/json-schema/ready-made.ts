import type { AnyValidateFunction } from 'ajv/dist/types/index.js';

/**
 * The validators of schemas that were compiled when the command was bundled, by the digest of the JSON text of the schema. Empty
 * outside of the bundle, where `scripts/ready-made.js` replaces this module.
 */
export const READY_MADE: ReadonlyMap<string, AnyValidateFunction> = new Map();
