import type {
  CompiledSchema,
  CompileOptions,
  ValidationOutcome,
  SchemaFault,
  SchemaValidator,
  ValidateOptions,
} from '../../core/schema-engine.js';
import { isJsonObject } from '../../json/json-object.js';
import { pointerTokens } from '../../json/pointer.js';
import { compileNodes } from './compile-nodes.js';
import { DRAFT_URIS, publishedDialect } from './dialects.js';
import { DocumentRegistry } from './documents/registry.js';
import { CompileFault } from './documents/schema-location.js';
import { type Dialect, type SchemaNode } from './model.js';
import { type RunLimits, Stopped, type StopReason, ValidationRun } from './validation-run.js';

/** How a schema is compiled, besides its meaning. */
interface CompileControl {
  /**
   * Called with the number of steps before each part of the work: schemas read, checks created, characters of references
   * resolved. Infinite for what a count of steps does not bound: patterns that need RE2, and evaluated members. May throw.
   */
  readonly spend?: (steps: number) => void;
  /** True for a schema that was compiled before without faults, so that its meta-schema is not applied again. */
  readonly isKnown?: boolean;
}

/** Default limits of one validation, and the maximum nesting of applied schemas. */
const DEFAULT_FUEL = 3_000_000;
const DEFAULT_ERROR_LIMIT = 100;
const MAX_SCHEMA_DEPTH = 1_000;

/**
 * Checks a schema against its meta-schema and compiles the schema. Never throws because of the content of a
 * schema.
 */
export function compileSchema(
  schema: unknown,
  options: CompileOptions = {},
  control: CompileControl = {},
): CompiledSchema {
  try {
    return compile(schema, options, control);
  } catch (error) {
    if (!(error instanceof CompileFault)) throw error;
    return { faults: [faultOf(error)] };
  }
}

function compile(
  schema: unknown,
  { dialect: dialectUri, registry = {}, formats = 'assert' }: CompileOptions,
  { spend = () => undefined, isKnown = false }: CompileControl,
): CompiledSchema {
  if (!isJsonObject(schema) && typeof schema !== 'boolean')
    return { faults: [{ pointer: '', message: 'must be an object, true or false' }] };
  const documents = new DocumentRegistry(registry, spend);
  const origin = { document: '', parent: undefined, token: '' };
  const root = documents.add(schema, '', documents.dialect(dialectUri ?? DRAFT_URIS.at(-1) ?? '', origin));
  const violations = isKnown ? [] : metaschemaFaults(schema, root.resource.dialect);
  const faults =
    violations.length > 0 ? violations : compileNodes(root, documents, { formats, spend }).map(faultOf);
  return faults.length > 0 ? { faults } : { validator: validatorOf(root) };
}

function faultOf({ pointer, message }: CompileFault): SchemaFault {
  return { pointer, message };
}

/** Meta-schemas of the drafts by URI, each compiled on first use. */
const compiledMetaschemas = new Map<string, SchemaNode>();

/** Validates a schema against its published meta-schema. Custom meta-schemas are not checked. */
function metaschemaFaults(schema: unknown, { uri }: Dialect): readonly SchemaFault[] {
  const dialect = publishedDialect(uri);
  if (!dialect) return [];
  const node = compiledMetaschemas.get(dialect.uri) ?? compileMetaschema(dialect);
  compiledMetaschemas.set(dialect.uri, node);
  // Only the depth of a schema is limited here. Its size is limited by the caller.
  const { outcome, errors } = run(node, {
    value: schema,
    limits: limitsOf({ fuel: Number.MAX_SAFE_INTEGER }),
  });
  if (outcome === 'out of fuel') return [{ pointer: '', message: 'is nested too deep' }];
  return errors.map(({ instancePath, message }) => ({ pointer: instancePath, message }));
}

function compileMetaschema(dialect: Dialect): SchemaNode {
  const spend = () => undefined;
  const documents = new DocumentRegistry({}, spend);
  const root = documents.resource(dialect.uri, dialect)?.root;
  if (!root) throw new TypeError(`the meta-schema ${dialect.uri} is missing`);
  compileNodes(root, documents, { formats: 'annotate', spend });
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

function limitsOf({ fuel = DEFAULT_FUEL, errors = DEFAULT_ERROR_LIMIT }: ValidateOptions): RunLimits {
  return { fuel, errors, depth: MAX_SCHEMA_DEPTH };
}

/** Input of one validation. With a focus, only errors at that instance location are reported. */
interface RunInput {
  readonly value: unknown;
  readonly limits: RunLimits;
  readonly focus?: readonly string[];
}

function run(root: SchemaNode, { value, limits, focus = [] }: RunInput): ValidationOutcome {
  const validation = new ValidationRun(limits, focus);
  const exceeded = applyWithinLimits(validation, root, value);
  const { errors, spent: steps } = validation;
  const exhausted = exceeded === 'fuel' || exceeded === 'depth';
  const outcome = exhausted ? 'out of fuel' : errors.length > 0 ? 'invalid' : 'valid';
  return { outcome, errors, truncated: exceeded === 'errors', steps };
}

/** Applies the schema. Returns the limit that ended the run early; undefined if the run is complete. */
function applyWithinLimits(
  validation: ValidationRun,
  root: SchemaNode,
  value: unknown,
): StopReason | undefined {
  try {
    validation.apply(root, value, undefined);
    return undefined;
  } catch (error) {
    if (error instanceof Stopped) return error.reason;
    // The stack of this thread is too small for the allowed depth.
    if (error instanceof RangeError) return 'depth';
    throw error;
  }
}
