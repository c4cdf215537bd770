import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import formats from 'ajv-formats';
import type { CompileSchema } from '../core/schema.js';
import { violationsOf } from './violations.js';

/**
 * Pointers that one validation collects. They are the context (`this`) of the generated code, so that
 * concurrent calls cannot mix.
 */
interface SchemaAnnotations {
  readonly secrets: Set<string>;
  readonly paths: Set<string>;
}

const OPTIONS: Options = {
  allowUnionTypes: true,
  allErrors: true,
  verbose: false,
  useDefaults: true,
  // Inherited members such as `toString` do not count as members.
  ownProperties: true,
  passContext: true,
  addUsedSchema: false,
  logger: false,
  // V8 optimizes as well as Ajv's own optimizer, which takes half of the compile time.
  code: { optimize: false },
};

const ajv = withKeywords(new Ajv2020({ ...OPTIONS, strict: true, discriminator: true }));

/** For schemas from elsewhere: not strict, so features beyond the draft are accepted. */
const ajvDraft07 = withKeywords(new Ajv({ ...OPTIONS, strict: false, unicodeRegExp: false }));

/**
 * Compiles a schema of draft 2020-12 in Ajv's strict mode, including formats. A schema whose `$schema` names
 * draft-07 is compiled as draft-07 and not strictly. Each schema object is compiled once and kept.
 * `x-hint` next to `pattern`, `format`, `oneOf` and similar keywords is the message if one of them fails.
 * A result lists at most {@link VIOLATION_LIMIT} violations, sorted by pointer.
 */
export const compileSchema: CompileSchema = (schema) => {
  const isDraft07 = String(schema['$schema']).startsWith('http://json-schema.org/draft-07/schema');
  const validate = (isDraft07 ? ajvDraft07 : ajv).compile(schema);
  return (value) => {
    const marks: SchemaAnnotations = { secrets: new Set(), paths: new Set() };
    const valid = validate.call(marks, value);
    return {
      violations: valid ? [] : violationsOf(validate.errors ?? [], schema),
      secrets: [...marks.secrets],
      paths: [...marks.paths],
    };
  };
};

type MarkArguments = [marked: boolean, value: string, schema?: object, at?: DataValidationCxt];

function withKeywords<T extends Ajv>(into: T): T {
  formats.default(into);
  into.addKeyword({ keyword: 'x-hint', schemaType: 'string' });
  addMark(into, 'x-secret', 'secrets');
  addMark(into, 'x-path', 'paths');
  return into;
}

/** Adds a keyword that always passes and records where it applies. */
function addMark(into: Ajv, keyword: string, list: keyof SchemaAnnotations): void {
  into.addKeyword({
    keyword,
    type: 'string',
    schemaType: 'boolean',
    errors: false,
    validate(this: SchemaAnnotations, ...[marked, , , at]: MarkArguments) {
      if (marked && at) this[list].add(at.instancePath);
      return true;
    },
  });
}
