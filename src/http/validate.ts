import type { CompileSchema, JsonSchema, Validator } from '../core/schema.js';
import { bodyProblem } from './parse.js';

/** Throws `invalid_request` with every violation; fills the schema's defaults into the body. */
export type Validate = (schema: JsonSchema, body: unknown) => void;

/** Creates the validator of request bodies. Compiles each schema on first use and caches the result. */
export function createValidate(compile: CompileSchema): Validate {
  const validators = new WeakMap<JsonSchema, Validator>();
  return (schema, body) => {
    const validator = validators.get(schema) ?? compile(schema);
    validators.set(schema, validator);
    const [first, ...others] = validator(body).violations.map(({ pointer, message }) => ({
      pointer,
      message,
    }));
    if (first) throw bodyProblem('invalid_request', [first, ...others]);
  };
}
