import { createHash } from 'node:crypto';
import type { RequestError } from '../../core/problem.js';
import type { SchemaEngine, SchemaRegistry, SchemaValidator } from '../../core/schema-engine.js';
import { schemaProblem } from './schema-problem.js';

/**
 * Maximum number of cached validators, and maximum characters of their schemas in total. A validator is much
 * larger than its schema.
 */
const ENTRIES = 50;
const CHARACTERS = 2_000_000;

/** Bounded cache of the most recently used values. */
export class ValidatorCache<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly size: number }>();
  #size = 0;

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    // A map iterates in insertion order, so the entry moves to its end.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Adds a new value. `size` is the length of its schema. */
  set(key: string, value: Value, size: number): void {
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const [oldest, { size: freed }] of this.#entries) {
      if (this.#entries.size <= ENTRIES && this.#size <= CHARACTERS) return;
      this.#entries.delete(oldest);
      this.#size -= freed;
    }
  }
}

/** Schema as the caller sent it. */
export interface CallerSchema {
  readonly schema: unknown;
  /** Pointer to the schema in the caller's data, for messages. */
  readonly at: string;
  /** Draft of a schema without `$schema`. */
  readonly dialect: string;
}

/** Compiles callers' schemas and caches the most recent ones. */
export interface Compiler {
  /** Compiles a schema. Throws `schema_invalid`. */
  compile(given: CallerSchema): SchemaValidator;
  /**
   * Compiles the schema that `read` finds in a document. The same bytes are not read again while the schema
   * is cached. Throws the errors of `read`.
   */
  compileIn(document: Uint8Array, read: (document: Uint8Array) => CallerSchema): CompiledIn;
}

/** Schema that was found in a document, with its validator. */
interface CompiledIn {
  readonly schema: unknown;
  readonly validator: SchemaValidator;
}

/**
 * Creates a compiler. `registry` contains schemas that others may refer to, by URI; nothing is ever fetched.
 */
export function createCompiler(engine: SchemaEngine, registry: SchemaRegistry): Compiler {
  const cache = new ValidatorCache<CachedValidator>();
  const make = ({ schema, at, dialect }: CallerSchema): SchemaValidator => {
    const compiled = engine(schema, { dialect, registry });
    if ('validator' in compiled) return compiled.validator;
    const [first, ...others] = compiled.faults.map((fault): RequestError => placed(at, fault));
    throw schemaProblem('schema_invalid', [first ?? { pointer: at, message: 'cannot be used' }, ...others]);
  };
  return {
    compile(given) {
      const text = JSON.stringify(given.schema);
      const key = keyOf(given.dialect, text);
      const known = cache.get(key);
      if (known) return known.validator;
      const validator = make(given);
      cache.set(key, { validator }, text.length);
      return validator;
    },
    compileIn(document, read) {
      const key = keyOf('in', document);
      const known = cache.get(key);
      if (known && 'schema' in known) return known;
      const given = read(document);
      const compiled = { schema: given.schema, validator: make(given) };
      // Counted twice, because the schema is kept next to its validator.
      cache.set(key, compiled, 2 * document.length);
      return compiled;
    },
  };
}

type CachedValidator = CompiledIn | Pick<CompiledIn, 'validator'>;

function keyOf(kind: string, content: string | Uint8Array): string {
  return `${kind} ${createHash('sha256').update(content).digest('base64')}`;
}

/**
 * Converts a pointer into a schema to a pointer into the caller's data. A fault in a schema of the registry
 * keeps its pointer in the message.
 */
function placed(at: string, { pointer, message }: RequestError): RequestError {
  const isOurs = pointer !== '' && !pointer.startsWith('/');
  return isOurs ? { pointer: at, message: `${pointer} ${message}` } : { pointer: at + pointer, message };
}
