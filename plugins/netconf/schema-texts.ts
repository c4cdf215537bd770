import { Problem } from '../../src/core/problem.js';
import { shareOfMemory } from '../../src/lib/available-memory.js';
import { ByteBudget } from '../../src/lib/byte-budget.js';
import type { SchemaText } from './schema-text.js';

const MIB = 1024 * 1024;
/** Maximum size of the texts of one server, in bytes. */
const MAX_BYTES = 64 * MIB;

/** Texts that were fetched before, by `name@revision`. */
export interface SchemaTexts {
  /** Maximum size of all texts, in bytes. */
  readonly maxBytes: number;
  /** Returns the size of the texts so far, in bytes. */
  readonly size: () => number;
  get(key: string): SchemaText | undefined;
  /** Adds a text. Throws `adapter_unavailable` if the texts of all servers that start need too much memory. */
  set(key: string, text: SchemaText): void;
  /** Removes all texts. */
  clear(): void;
}

/** Memory for the texts of all servers of the process, which it needs until their modules are compiled. */
const BUDGET = new ByteBudget(limitsOf(shareOfMemory({ part: 1 / 8, maxMb: 1024 }) * MIB));

function limitsOf(bytes: number): ConstructorParameters<typeof ByteBudget>[0] {
  return { bytes, bytesPerOwner: Math.min(MAX_BYTES, bytes / 2) };
}

/** Creates the texts of the server of an adapter; none is known. */
export function createSchemaTexts(adapter: string, budget = BUDGET): SchemaTexts {
  const texts = new Map<string, SchemaText>();
  let size = 0;
  let reservation = budget.open(adapter);
  return {
    maxBytes: budget.limits.bytesPerOwner,
    size: () => size,
    get: (key) => texts.get(key),
    set(key, text) {
      size += text.text.length;
      if (!reservation.resize(size))
        throw new Problem(
          'adapter_unavailable',
          'the YANG modules of other servers that start fill the memory for them',
        );
      texts.set(key, text);
    },
    clear() {
      texts.clear();
      size = 0;
      reservation.release();
      reservation = budget.open(adapter);
    },
  };
}
