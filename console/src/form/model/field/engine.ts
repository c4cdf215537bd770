export { compileSchema } from '../../../../../src/json-schema/engine/index.js';

/** Returns true if schemas can be compiled. The task pages load the engine after their first view (`task/lazy-engine.ts`). */
export function isEngineReady(): boolean {
  return true;
}

/** Resolves as soon as schemas can be compiled. */
export function engineReady(): Promise<void> {
  return Promise.resolve();
}
