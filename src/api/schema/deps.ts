import type { JsonSchema } from '../../core/schema.js';

/** Dependencies of the schema operations. */
export interface SchemaDeps {
  /**
   * Returns the schema of the settings of the adapter with this name, as its plugin defines it. If no such
   * adapter exists, returns the schema for adapters of the plugin with this name; `undefined` if neither
   * exists. Throws `adapter_unavailable` if the plugin cannot be used.
   */
  readonly adapterSchema: (name: string) => Promise<JsonSchema | undefined>;
  /** Returns the schema of the settings of an application; `undefined` if the application does not exist. */
  readonly applicationSchema: (name: string) => JsonSchema | undefined;
  readonly profileSchema: () => JsonSchema;
  /** Returns the plugins that adapters can name. */
  readonly adapterTypes: () => readonly string[];
}
