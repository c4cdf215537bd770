import {
  type ValidatorOptions,
  openValidatorPool,
  type OpenValidatorPool,
} from '../caller-schema/open-judge.js';

/** Makes a judge of callers' schemas whose threads have our own engine. */
export function openSchemaValidator(options: Omit<ValidatorOptions, 'thread'>): OpenValidatorPool {
  return openValidatorPool({ ...options, thread: new URL('./judge-thread.js', import.meta.url) });
}
