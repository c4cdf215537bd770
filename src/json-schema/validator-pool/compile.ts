import { createHash } from 'node:crypto';
import type { RequestError } from '../../core/problem.js';
import type {
  CompiledSchema,
  CompileOptions,
  SchemaRegistry,
  SchemaValidator,
} from '../../core/schema-engine.js';
import { jsonText } from '../../json/write-json.js';
import { BoundedMap } from '../../lib/bounded-map.js';
import { schemaProblem } from './task.js';

/**
 * Maximum number of cached validators, and maximum total length of their schemas in characters. A validator
 * is much larger than its schema.
 */
const CACHE_LIMITS = { maxEntries: 50, maxWeight: 2_000_000 };

export interface CallerSchema {
  readonly schema: unknown;
  /** Pointer to the schema in the request body, for messages. */
  readonly at: string;
  /** Dialect of a schema without `$schema`. */
  readonly dialect: string;
}

/** A `SchemaEngine` that reports the steps before it does them, and that can skip the check of the schema itself. */
export type CountedEngine = (
  schema: unknown,
  options: CompileOptions,
  control: { readonly spend?: (steps: number) => void; readonly isKnown?: boolean },
) => CompiledSchema;

/** Compiles callers' schemas and caches the validators. */
export interface Compiler {
  /** Compiles a schema. Throws `schema_invalid`. */
  compile(callerSchema: CallerSchema): SchemaValidator;
  /**
   * Compiles the schema that `read` extracts from a document. Calls `read` only if no validator is cached for
   * the same bytes. Throws `schema_invalid` and the errors of `read`.
   */
  compileIn(document: Uint8Array, read: (document: Uint8Array) => CallerSchema): CompiledDocument;
}

/** Schema of a document, with its validator. */
export interface CompiledDocument {
  readonly schema: unknown;
  readonly validator: SchemaValidator;
  readonly steps: number;
}

/**
 * Creates a compiler. `registry` contains schemas that callers' schemas may refer to, by URI. The compiler
 * never fetches a schema.
 */
export function createCompiler(engine: CountedEngine, registry: SchemaRegistry): Compiler {
  const cache = new BoundedMap<string, CachedValidator>(CACHE_LIMITS);
  const compileCallerSchema = ({ schema, at, dialect }: CallerSchema): CompiledDocument => {
    let steps = 0;
    const spend = (count: number): void => void (steps += count);
    const compiled = engine(schema, { dialect, registry }, { spend });
    if ('validator' in compiled) return { schema, validator: compiled.validator, steps };
    const [first, ...others] = compiled.faults.map((fault): RequestError => toCallerPointer(at, fault));
    throw schemaProblem('schema_invalid', [first ?? { pointer: at, message: 'cannot be used' }, ...others]);
  };
  return {
    compile(callerSchema) {
      const text = jsonText(callerSchema.schema);
      const key = cacheKeyOf(callerSchema.dialect, text);
      const cached = cache.get(key);
      if (cached) return cached.validator;
      const { validator } = compileCallerSchema(callerSchema);
      cache.set(key, { validator }, text.length);
      return validator;
    },
    compileIn(document, read) {
      const key = cacheKeyOf('in', document);
      const cached = cache.get(key);
      if (cached && 'schema' in cached) return cached;
      const compiled = compileCallerSchema(read(document));
      // Counted twice, because the cache holds the schema and its validator.
      cache.set(key, compiled, 2 * document.length);
      return compiled;
    },
  };
}

type CachedValidator = CompiledDocument | Pick<CompiledDocument, 'validator'>;

function cacheKeyOf(kind: string, content: string | Uint8Array): string {
  return `${kind} ${createHash('sha256').update(content).digest('base64')}`;
}

/**
 * Converts a pointer into a schema to a pointer into the request body. For a fault in a schema of the
 * registry, the message contains the pointer.
 */
function toCallerPointer(at: string, { pointer, message }: RequestError): RequestError {
  const isRegistrySchema = pointer !== '' && !pointer.startsWith('/');
  return isRegistrySchema
    ? { pointer: at, message: `${pointer} ${message}` }
    : { pointer: at + pointer, message };
}
