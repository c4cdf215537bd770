import {
  type ValidatorOptions,
  openValidatorPool,
  type OpenValidatorPool,
} from '../../json-schema/validator-pool/validator-pool.js';

/** Makes a judge of callers' schemas whose threads have our own engine. */
export function openSchemaValidator(options: Omit<ValidatorOptions, 'thread'>): OpenValidatorPool {
  return openValidatorPool({ ...options, thread: new URL('./validator-thread.js', import.meta.url) });
}
