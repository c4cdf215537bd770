import { Ajv2020 } from 'ajv/dist/2020.js';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import formats from 'ajv-formats';
import type { CompileSchema } from '../domain/schema.js';
import { violationsOf } from './violations.js';

/** Pointers that one validation collects; the context (`this`) of the generated code, so that calls cannot mix. */
interface Marks {
  readonly secrets: Set<string>;
  readonly paths: Set<string>;
}

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  allErrors: true,
  verbose: false,
  discriminator: true,
  useDefaults: true,
  // `toString` and its like are members only where they are written.
  ownProperties: true,
  passContext: true,
  addUsedSchema: false,
  logger: false,
});
formats.default(ajv);
ajv.addKeyword({ keyword: 'x-hint', schemaType: 'string' });
addMark('x-secret', 'secrets');
addMark('x-path', 'paths');

/**
 * Compiles a schema of draft 2020-12 in Ajv's strict mode, formats included. A schema object is compiled once and kept.
 * `x-hint` beside `pattern`, `format`, `oneOf` and the like is the message when one of them fails.
 * A verdict lists at most {@link VIOLATION_LIMIT} violations, sorted by pointer.
 */
export const compileSchema: CompileSchema = (schema) => {
  const validate = ajv.compile(schema);
  return (value) => {
    const marks: Marks = { secrets: new Set(), paths: new Set() };
    const valid = validate.call(marks, value);
    return {
      violations: valid ? [] : violationsOf(validate.errors ?? [], schema),
      secrets: [...marks.secrets],
      paths: [...marks.paths],
    };
  };
};

type MarkArguments = [marked: boolean, value: string, schema?: object, at?: DataValidationCxt];

/** A keyword that fails nothing and remembers where it was met. */
function addMark(keyword: string, list: keyof Marks): void {
  ajv.addKeyword({
    keyword,
    type: 'string',
    schemaType: 'boolean',
    errors: false,
    validate(this: Marks, ...[marked, , , at]: MarkArguments) {
      if (marked && at) this[list].add(at.instancePath);
      return true;
    },
  });
}
