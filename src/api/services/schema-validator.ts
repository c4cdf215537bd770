import {
  type ValidatorOptions,
  openValidatorPool,
  type OpenValidatorPool,
} from '../../json-schema/validator-pool/validator-pool.js';

/** Opens a validator pool for the schemas of callers; its threads use our own schema engine. */
export function openSchemaValidator(options: Omit<ValidatorOptions, 'thread'>): OpenValidatorPool {
  return openValidatorPool({ ...options, thread: new URL('./validator-thread.js', import.meta.url) });
}
