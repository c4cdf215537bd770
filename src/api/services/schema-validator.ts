import {
  type ValidatorOptions,
  openValidatorPool,
  type OpenValidatorPool,
} from '../../json-schema/validator-pool/validator-pool.js';

/** Opens a validator pool for the schemas of callers. Its threads run the schema engine of gatehouse. */
export function openSchemaValidator(options: Omit<ValidatorOptions, 'thread'>): OpenValidatorPool {
  return openValidatorPool({ ...options, thread: new URL('./validator-thread.js', import.meta.url) });
}
