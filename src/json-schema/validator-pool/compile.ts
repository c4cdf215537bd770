import { createHash } from 'node:crypto';
import type { RequestError } from '../../core/problem.js';
import type { SchemaEngine, SchemaRegistry, SchemaValidator } from '../../core/schema-engine.js';
import { schemaProblem } from './schema-problem.js';

/** Most validators that are kept, and most characters of their schemas together: what is compiled is larger by far. */
const ENTRIES = 50;
const CHARACTERS = 2_000_000;

/** Keeps what was used last, within bounds. */
export class ValidatorCache<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly size: number }>();
  #size = 0;

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    // A map iterates in the order of insertion: the entry moves to its end.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Adds a value that is not there yet; `size` is the length of its schema. */
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

/** A schema as it was sent. */
export interface CallerSchema {
  readonly schema: unknown;
  /** Pointer of the schema in what the caller sent, for messages. */
  readonly at: string;
  /** Draft of a schema that names none. */
  readonly dialect: string;
}

/** Compiles callers' schemas and keeps the last ones. */
export interface Compiler {
  /** Throws `schema_invalid`. */
  compile(given: CallerSchema): SchemaValidator;
  /** The schema that `read` finds in a document; the same bytes are not read again while it is kept. Throws what `read` throws. */
  compileIn(document: Uint8Array, read: (document: Uint8Array) => CallerSchema): CompiledIn;
}

/** A schema that was found, and what applies it. */
export interface CompiledIn {
  readonly schema: unknown;
  readonly validator: SchemaValidator;
}

/** Makes a compiler. `registry` holds schemas that others may refer to, by URI; nothing is ever fetched. */
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
      // Twice: the schema is kept beside what was made of it.
      cache.set(key, compiled, 2 * document.length);
      return compiled;
    },
  };
}

type CachedValidator = CompiledIn | Pick<CompiledIn, 'validator'>;

function keyOf(kind: string, content: string | Uint8Array): string {
  return `${kind} ${createHash('sha256').update(content).digest('base64')}`;
}

/** A fault in a schema of the registry stands there, and not in what was sent. */
function placed(at: string, { pointer, message }: RequestError): RequestError {
  const isOurs = pointer !== '' && !pointer.startsWith('/');
  return isOurs ? { pointer: at, message: `${pointer} ${message}` } : { pointer: at + pointer, message };
}
