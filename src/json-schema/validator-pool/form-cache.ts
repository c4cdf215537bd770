import type { SchemaRegistry, SchemaValidator } from '../../core/schema-engine.js';
import { BoundedMap } from '../../lib/bounded-map.js';
import type { CallerSchema, CountedEngine } from './compile.js';
import type { TaskResult } from './task.js';

/** Modules that the main thread loads only when it applies a schema. */
export interface InlineEngine {
  readonly engine: CountedEngine;
  readonly schemaOfForm: (form: Uint8Array) => CallerSchema;
  readonly validateWithin: (
    fuel: number,
    body: Uint8Array,
    validator: SchemaValidator,
  ) => TaskResult | undefined;
}

/**
 * Limits of what the main thread does. A step takes up to a microsecond, and a kilobyte of JSON ten. What exceeds a limit
 * goes to a thread, as every form does at first.
 */
export const INLINE_LIMITS = {
  /** Maximum size of a form and of a request, in bytes. */
  formBytes: 32_768,
  bodyBytes: 16_384,
  /** Maximum number of steps to compile a schema, and to apply it. */
  compileSteps: 2_000,
  fuel: 5_000,
  /** Maximum number of compiled schemas, and of the steps that compiling all of them took: a measure of their memory. */
  forms: 64,
  totalSteps: 20_000,
} as const;

/** Form whose schema is compiled in the main thread. */
interface KnownForm {
  readonly bytes: Buffer;
  readonly validator: SchemaValidator;
}

interface FormCacheOptions {
  readonly load: () => Promise<InlineEngine>;
  readonly registry: SchemaRegistry;
}

/** Forms whose schemas the main thread applies. */
export interface FormCache {
  /** Validates a request with a known form. Returns undefined if the form is unknown, or a limit is exceeded. */
  validate(form: Uint8Array, body: Uint8Array): TaskResult | undefined;
  /**
   * Takes note of the result of a thread. A form that a thread has used twice in short time, and whose schema needs few
   * steps, becomes known. Its bytes must not change any more.
   */
  note(form: Uint8Array, result: TaskResult): void;
  close(): void;
}

/**
 * Creates an empty cache. Sending a request to a thread and back takes longer than applying a small schema, so that the
 * main thread applies those whose cost is known to be small: a thread has compiled the schema and counted the steps.
 */
export function createFormCache({ load, registry }: FormCacheOptions): FormCache {
  const known = new BoundedMap<string, KnownForm>({
    maxEntries: INLINE_LIMITS.forms,
    maxWeight: INLINE_LIMITS.totalSteps,
  });
  const usedOnce = new BoundedMap<string, true>({ maxEntries: INLINE_LIMITS.forms });
  let inline: InlineEngine | undefined;
  let isClosed = false;

  const add = async (form: Buffer): Promise<void> => {
    inline ??= await load();
    if (isClosed) return;
    const compiled = compileWithin(inline, form, registry);
    if (compiled) known.set(keyOf(form), { bytes: form, validator: compiled.validator }, compiled.steps);
  };
  return {
    validate(form, body) {
      if (!inline || form.length > INLINE_LIMITS.formBytes || body.length > INLINE_LIMITS.bodyBytes)
        return undefined;
      const bytes = bufferOf(form);
      const found = known.get(keyOf(bytes));
      if (!found?.bytes.equals(bytes)) return undefined;
      return inline.validateWithin(INLINE_LIMITS.fuel, body, found.validator);
    },
    note(form, result) {
      if (isClosed || form.length > INLINE_LIMITS.formBytes || !isCheap(result)) return;
      const bytes = bufferOf(form);
      const key = keyOf(bytes);
      // A known form comes from a thread if its data exceeded a limit.
      if (known.get(key)?.bytes.equals(bytes)) return;
      if (usedOnce.get(key)) {
        usedOnce.delete(key);
        // Without its engine the main thread validates nothing, and the threads go on as before.
        add(Buffer.from(bytes)).catch(() => undefined);
      } else usedOnce.set(key, true);
    },
    close() {
      isClosed = true;
      known.clear();
      usedOnce.clear();
    },
  };
}

function isCheap(result: TaskResult): boolean {
  return 'validation' in result && (result.compileSteps ?? Infinity) <= INLINE_LIMITS.compileSteps;
}

/** Compiles the schema of a form that a thread has compiled before. Returns undefined if that takes too many steps. */
function compileWithin(
  { engine, schemaOfForm }: InlineEngine,
  form: Buffer,
  registry: SchemaRegistry,
): { readonly validator: SchemaValidator; readonly steps: number } | undefined {
  let steps = 0;
  const spend = (count: number): void => {
    steps += count;
    if (steps > INLINE_LIMITS.compileSteps) throw new TooCostly();
  };
  try {
    const { schema, dialect } = schemaOfForm(form);
    const compiled = engine(schema, { dialect, registry }, { spend, isKnown: true });
    return 'validator' in compiled ? { validator: compiled.validator, steps } : undefined;
  } catch (error) {
    if (error instanceof TooCostly) return undefined;
    throw error;
  }
}

/** Thrown inside a compilation that takes too many steps. */
class TooCostly extends Error {}

/** Number of bytes that distinguish most forms: a form starts with its id. */
const KEY_BYTES = 64;

/** Returns the key of a form. Two forms may have the same key; then the last one is known. */
function keyOf(form: Buffer): string {
  return form.toString('latin1', 0, KEY_BYTES);
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
