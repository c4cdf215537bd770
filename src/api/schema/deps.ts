import type { JsonSchema } from '../../core/schema.js';

/** What is told of schemas. */
export interface SchemaDeps {
  /**
   * Schema of the settings of the adapter of this name, as its plugin wants them; where there is none, of an adapter of the
   * plugin of this name; `undefined` when there is neither. Throws `adapter_unavailable` for a plugin that cannot be used.
   */
  readonly adapterSchema: (name: string) => Promise<JsonSchema | undefined>;
  /** Schema of what can be set of an application; `undefined` when there is none. */
  readonly applicationSchema: (name: string) => JsonSchema | undefined;
  readonly profileSchema: () => JsonSchema;
  /** The plugins that adapters can name. */
  readonly adapterTypes: () => readonly string[];
}
