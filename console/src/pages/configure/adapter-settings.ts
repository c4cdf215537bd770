import { textOf } from '../../text/text.js';
import { formSchema } from './form-schema.js';
import { sectionsOf } from './form-sections.js';
import type { SettingsKind } from './settings-kind.js';

const text = textOf('configure');

/** The settings of an adapter as the whole document of the editor. */
export const ADAPTER_SETTINGS: SettingsKind = {
  place: { path: [] },
  formSchema,
  uiSchema: sectionsOf,
  jsonHelp: () => text('jsonHelp'),
};

/** The settings of an adapter in its document. */
export const ADAPTER_DOCUMENT: SettingsKind = {
  ...ADAPTER_SETTINGS,
  place: { path: ['properties', 'properties'] },
};
