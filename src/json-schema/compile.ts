import { hash } from 'node:crypto';
import { _, Ajv, type KeywordCxt, Name, type Options } from 'ajv';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { strConcat } from 'ajv/dist/compile/codegen/code.js';
import type { AnyValidateFunction } from 'ajv/dist/types/index.js';
import type { CompileSchema, JsonSchema, ValidationResult } from '../core/schema.js';
import { READY_MADE } from './ready-made.js';
import { violationsOf } from './violations.js';

/**
 * Annotations that one validation collects: the instance locations of secrets and of file paths. The object
 * is the `this` of the generated code, so that each validation has a separate one. Most schemas mark no location, and
 * need no Set.
 */
class SchemaAnnotations {
  #secrets: Set<string> | undefined;
  #paths: Set<string> | undefined;

  get secrets(): Set<string> {
    return (this.#secrets ??= new Set());
  }

  get paths(): Set<string> {
    return (this.#paths ??= new Set());
  }

  /** Returns the locations in the order in which they were found. */
  found(): Pick<ValidationResult, 'secrets' | 'paths'> {
    return { secrets: listOf(this.#secrets), paths: listOf(this.#paths) };
  }
}

function listOf(found: ReadonlySet<string> | undefined): readonly string[] {
  return found ? [...found] : [];
}

const OPTIONS: Options = {
  allowUnionTypes: true,
  allErrors: true,
  verbose: false,
  useDefaults: true,
  // Inherited members such as `toString` are not members of the instance.
  ownProperties: true,
  passContext: true,
  addUsedSchema: false,
  logger: false,
  // Violations have their own wording.
  messages: false,
  // Ajv's optimizer takes half of the compile time, and V8 produces equally fast code without it.
  code: { optimize: false },
};

/** Creates an instance for schemas of draft 2020-12. */
export function createAjv(options: Options = {}): Ajv2020 {
  return withFormatsAndKeywords(new Ajv2020({ ...OPTIONS, strict: true, discriminator: true, ...options }));
}

let ajv: Ajv2020 | undefined;

/** Instance for third-party schemas. Not strict, so that unknown keywords are accepted. */
let ajvDraft07: Ajv | undefined;

const validators = new WeakMap<JsonSchema, AnyValidateFunction>();

function validatorOf(schema: JsonSchema): AnyValidateFunction {
  const known = validators.get(schema) ?? READY_MADE.get(digestOf(schema));
  const isDraft07 = String(schema['$schema']).startsWith('http://json-schema.org/draft-07/schema');
  const validate = known ?? (isDraft07 ? draft07() : (ajv ??= createAjv())).compile(schema);
  validators.set(schema, validate);
  return validate;
}

/** Returns the key of a schema in {@link READY_MADE}. */
export function digestOf(schema: JsonSchema): string {
  return hash('sha256', JSON.stringify(schema), 'base64url');
}

function draft07(): Ajv {
  const options = { ...OPTIONS, strict: false, unicodeRegExp: false };
  return (ajvDraft07 ??= withFormatsAndKeywords(new Ajv(options)));
}

/**
 * Compiles a schema of draft 2020-12 in Ajv's strict mode, with format checks. A schema whose `$schema` names
 * draft-07 is compiled as draft-07 without the strict mode. The validator of each schema object is kept.
 * `x-hint` replaces the message of `pattern`, `format`, `oneOf` and similar keywords next to it. `x-type-hint`
 * ends the message of `type`. `x-unit` names the unit of a number in messages. `x-documented` has keywords that only the API description has; it validates nothing, like `x-restart`.
 * A result lists at most {@link VIOLATION_LIMIT} violations, sorted by pointer.
 */
export const compileSchema: CompileSchema = (schema) => {
  const validate = validatorOf(schema);
  return (value) => {
    const annotations = new SchemaAnnotations();
    const valid = validate.call(annotations, value);
    const violations = valid ? [] : violationsOf(validate.errors ?? [], schema, value);
    const { secrets, paths } = annotations.found();
    return { violations, secrets, paths };
  };
};

function withFormatsAndKeywords<T extends Ajv>(instance: T): T {
  addFormats.default(instance);
  instance.addKeyword({ keyword: 'x-hint', schemaType: 'string' });
  instance.addKeyword({ keyword: 'x-type-hint', schemaType: 'string' });
  instance.addKeyword({ keyword: 'x-unit', schemaType: 'string' });
  instance.addKeyword({ keyword: 'x-documented', schemaType: 'object' });
  instance.addKeyword({ keyword: 'x-restart', schemaType: 'boolean' });
  // Annotations of schemas that are made from YANG, such as those of the methods of a device.
  instance.addVocabulary(
    ['', '-bits', '-enum', '-identities', '-identityref', '-length', '-number', '-pattern', '-range'].map(
      (part) => `x-yang${part}`,
    ),
  );
  addAnnotationKeyword(instance, 'x-secret', 'secrets');
  addAnnotationKeyword(instance, 'x-path', 'paths');
  return instance;
}

/**
 * Adds an annotation keyword: it accepts every value, and records the instance locations that it applies to.
 */
function addAnnotationKeyword(instance: Ajv, keyword: string, target: 'secrets' | 'paths'): void {
  instance.addKeyword({
    keyword,
    type: 'string',
    schemaType: 'boolean',
    // Code rather than a function, so that the bundle can contain it.
    code({ gen, it, schema }: KeywordCxt) {
      const place = strConcat(new Name('instancePath'), it.errorPath);
      if (schema === true) gen.code(_`this.${new Name(target)}.add(${place})`);
    },
  });
}
