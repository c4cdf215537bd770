import type { JsonObject } from '../json/json-object.js';

/** Settings for one kind of orchestrator, from which a new adapter starts. */
export interface AdapterTemplate {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  /** Kind of its authentication, in words. */
  readonly login: string;
  readonly model: string;
  /** Settings of the adapter: host names are examples, and secrets are references. */
  readonly settings: JsonObject;
}
