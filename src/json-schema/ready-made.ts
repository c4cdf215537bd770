import type { AnyValidateFunction } from 'ajv/dist/types/index.js';

/**
 * Validators that were compiled when the command was bundled, by the JSON text of their schema. Empty outside of the bundle,
 * where `scripts/ready-made.js` replaces this module.
 */
export const READY_MADE: ReadonlyMap<string, AnyValidateFunction> = new Map();
