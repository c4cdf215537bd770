import type { Schema } from '../api/operation.js';
import type { OfferReferences } from './references.js';
import type { SettingsPlace } from './settings-text.js';

/** How the editor of settings shows one kind of document. */
export interface SettingsKind {
  readonly place: SettingsPlace;
  /** Returns the schema of the form for the schema of the server. */
  readonly formSchema: (schema: Schema, offer?: OfferReferences) => Schema;
  /** Returns the uiSchema for a schema of the form. */
  readonly uiSchema: (schema: Schema) => object;
  /** Returns the help below the tab JSON. */
  readonly jsonHelp: () => string;
}
