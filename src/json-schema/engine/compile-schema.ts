import { pointerTokens } from '../../core/pointer.js';
import type {
  CompiledSchema,
  CompileOptions,
  ValidationOutcome,
  SchemaFault,
  SchemaValidator,
  ValidateOptions,
} from '../../core/schema-engine.js';
import { isJsonObject } from '../../core/json-object.js';
import { compileNodes } from './compile-nodes.js';
import { DRAFT_URIS, publishedDialect } from './dialects/dialects.js';
import { CompileFault } from './documents/compile-fault.js';
import { DocumentRegistry } from './documents/registry.js';
import { type Dialect, type SchemaNode } from './model.js';
import { type RunLimits, Stopped, ValidationRun } from './run/run.js';

const FUEL = 3_000_000;
const DEPTH = 1_000;
const ERRORS = 100;

/**
 * Checks a schema against its meta-schema and compiles it. Never throws because of the content of a schema.
 */
export function compileSchema(schema: unknown, options: CompileOptions = {}): CompiledSchema {
  try {
    return compile(schema, options);
  } catch (error) {
    if (!(error instanceof CompileFault)) throw error;
    return { faults: [faultOf(error)] };
  }
}

function compile(
  schema: unknown,
  { dialect: named, registry = {}, formats = 'assert' }: CompileOptions,
): CompiledSchema {
  if (!isJsonObject(schema) && typeof schema !== 'boolean')
    return { faults: [{ pointer: '', message: 'must be an object, true or false' }] };
  const library = new DocumentRegistry(registry);
  const origin = { document: '', parent: undefined, token: '' };
  const root = library.add(schema, '', library.dialect(named ?? DRAFT_URIS.at(-1) ?? '', origin));
  const broken = brokenRules(schema, root.resource.dialect);
  const faults = broken.length > 0 ? broken : compileNodes(root, library, formats).map(faultOf);
  return faults.length > 0 ? { faults } : { validator: validatorOf(root) };
}

function faultOf({ pointer, message }: CompileFault): SchemaFault {
  return { pointer, message };
}

/** Compiled meta-schemas of the drafts, created on first use. */
const METASCHEMAS = new Map<string, SchemaNode>();

/** Returns the violations of a published meta-schema. Custom meta-schemas are not checked. */
function brokenRules(schema: unknown, { uri }: Dialect): readonly SchemaFault[] {
  const dialect = publishedDialect(uri);
  if (!dialect) return [];
  const node = METASCHEMAS.get(dialect.uri) ?? compileMetaschema(dialect);
  METASCHEMAS.set(dialect.uri, node);
  // The size of a schema is not limited here, only its depth.
  const { outcome, errors } = run(node, {
    value: schema,
    limits: limitsOf({ fuel: Number.MAX_SAFE_INTEGER }),
  });
  if (outcome === 'out of fuel') return [{ pointer: '', message: 'is nested too deep' }];
  return errors.map(({ instancePath, message }) => ({ pointer: instancePath, message }));
}

function compileMetaschema(dialect: Dialect): SchemaNode {
  const library = new DocumentRegistry({});
  const root = library.resource(dialect.uri, dialect)?.root;
  if (!root) throw new TypeError(`the meta-schema ${dialect.uri} is missing`);
  compileNodes(root, library, 'annotate');
  return root;
}

function validatorOf(root: SchemaNode): SchemaValidator {
  return {
    dialect: root.resource.dialect.uri,
    validate: (value, options = {}) => run(root, { value, limits: limitsOf(options) }),
    validateAt: (value, pointer, options = {}) =>
      run(root, { value, limits: limitsOf(options), focus: pointerTokens(pointer) }),
  };
}

function limitsOf({ fuel = FUEL, errors = ERRORS }: ValidateOptions): RunLimits {
  return { fuel, errors, depth: DEPTH };
}

interface Job {
  readonly value: unknown;
  readonly limits: RunLimits;
  readonly focus?: readonly string[];
}

function run(root: SchemaNode, { value, limits, focus = [] }: Job): ValidationOutcome {
  const validation = new ValidationRun(limits, focus);
  const stopped = attempt(validation, root, value);
  const { errors, spent: steps } = validation;
  const exhausted = stopped === 'fuel' || stopped === 'depth';
  const outcome = exhausted ? 'out of fuel' : errors.length > 0 ? 'invalid' : 'valid';
  return { outcome, errors, truncated: stopped === 'errors', steps };
}

function attempt(validation: ValidationRun, root: SchemaNode, value: unknown): Stopped['why'] | undefined {
  try {
    validation.apply(root, value, undefined);
    return undefined;
  } catch (error) {
    if (error instanceof Stopped) return error.why;
    // The stack of this machine is too small for the allowed depth.
    if (error instanceof RangeError) return 'depth';
    throw error;
  }
}
