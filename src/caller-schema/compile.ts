import { createHash } from 'node:crypto';
import type { RequestError } from '../domain/problem.js';
import type { SchemaEngine, SchemaRegistry, SchemaValidator } from '../domain/schema-engine.js';
import { refusal } from './refusal.js';
import { ValidatorCache } from './validator-cache.js';

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
}

/** Makes a compiler. `registry` holds schemas that others may refer to, by URI; nothing is ever fetched. */
export function createCompiler(engine: SchemaEngine, registry: SchemaRegistry): Compiler {
  const cache = new ValidatorCache<SchemaValidator>();
  return {
    compile({ schema, at, dialect }) {
      const text = JSON.stringify(schema);
      const key = `${dialect} ${createHash('sha256').update(text).digest('base64')}`;
      const known = cache.get(key);
      if (known) return known;
      const compiled = engine(schema, { dialect, registry });
      if ('faults' in compiled) {
        const [first, ...others] = compiled.faults.map((fault): RequestError => placed(at, fault));
        throw refusal('schema_invalid', [first ?? { pointer: at, message: 'cannot be used' }, ...others]);
      }
      cache.set(key, compiled.validator, text.length);
      return compiled.validator;
    },
  };
}

/** A fault in a schema of the registry stands there, and not in what was sent. */
function placed(at: string, { pointer, message }: RequestError): RequestError {
  const isOurs = pointer !== '' && !pointer.startsWith('/');
  return isOurs ? { pointer: at, message: `${pointer} ${message}` } : { pointer: at + pointer, message };
}
