import type { CompiledSchema } from '../../../src/core/schema-engine.js';
import type { compileSchema as Compile } from '../../../src/json-schema/engine/index.js';

// Replaces `form/model/field/engine.ts` in the build of the task pages: the engine is half of their scripts, and most
// forms can be shown without it.

let compile: typeof Compile | undefined;
let loading: Promise<void> | undefined;

/** Compiles a schema; without the engine, returns a schema with unknown faults. */
export function compileSchema(...input: Parameters<typeof Compile>): CompiledSchema {
  return compile ? compile(...input) : { faults: [] };
}

export function isEngineReady(): boolean {
  return compile !== undefined;
}

/** Loads the engine. Resolves also if it cannot be loaded: the server checks each form too. The next call tries again. */
export function engineReady(): Promise<void> {
  loading ??= import('../../../src/json-schema/engine/index.js').then(
    (loaded) => {
      compile = loaded.compileSchema;
    },
    () => {
      loading = undefined;
    },
  );
  return loading;
}
