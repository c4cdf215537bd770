import type { Fault } from '../../core/fault.js';
import type { Handle } from './handle.js';

/** A part for the next snapshot, held for it; or the faults that refuse the configuration as a whole. */
export type BuildResult<T> =
  | {
      readonly part: Handle<T>;
      /** Set when the part is that of the former snapshot because its successor is no good: why that is so. */
      readonly outdated?: string;
    }
  | { readonly faults: readonly Fault[] };

/** The part of the former snapshot, once more. */
export function reuseHandle<T>(part: Handle<T>, outdated?: string): BuildResult<T> {
  return { part: part.hold(), ...(outdated !== undefined && { outdated }) };
}
