import { objectOf } from '../../../../src/json/json-object.js';
import { textOf } from '../../text/text.js';
import type { Schema } from '../api/operation.js';
import { withoutHintedPatterns } from '../configure/form-schema.js';
import type { SettingsKind } from '../configure/settings-kind.js';

const text = textOf('profiles');

/** Names that the form of a profile offers. */
export interface OfferedNames {
  readonly adapters: readonly string[];
  readonly roles: readonly string[];
}

/** Settings of a profile by section. Other members have no effect, and only the tab JSON has them. */
const SECTIONS = [
  { title: 'section.adapters', fields: ['description', 'services'] },
  { title: 'section.egress', fields: ['egress'] },
  { title: 'section.roles', fields: ['roles', 'access'] },
  { title: 'section.limits', fields: ['log', 'forms'] },
] as const;

const MEMBERS: readonly string[] = SECTIONS.flatMap(({ fields }) => fields);

/** Creates the editor's view of a profile: the settings that take effect, in sections. */
export function profileSettings(names: OfferedNames): SettingsKind {
  return {
    place: { path: [], members: MEMBERS, omitsEmptied: true },
    formSchema: (schema) => profileSchema(schema, names),
    uiSchema: ({ properties }) => sectionsOf(objectOf(properties)),
    jsonHelp: () => text('edit.help'),
  };
}

/** Returns the schema of the members that take effect, with titles and with names to choose from. */
function profileSchema(schema: Schema, names: OfferedNames): Schema {
  const all = objectOf(schema['properties']);
  const known = MEMBERS.filter((name) => Object.hasOwn(all, name));
  const members = Object.fromEntries(known.map((name) => [name, withoutDefault(objectOf(all[name]))]));
  const { description, services, roles } = members;
  return withoutHintedPatterns({
    type: 'object',
    properties: {
      ...members,
      ...(description && {
        description: {
          ...description,
          title: text('description'),
          description: text('description.help'),
        },
      }),
      ...(services && {
        services: {
          ...services,
          title: text('adapters'),
          description: text('services.help'),
          items: { type: 'string', title: text('adapter'), examples: names.adapters },
        },
      }),
      ...(roles && { roles: rolesSchema(roles, names) }),
    },
  });
}

function rolesSchema(roles: Readonly<Record<string, unknown>>, names: OfferedNames): object {
  const list = objectOf(roles['additionalProperties']);
  return {
    ...roles,
    additionalProperties: {
      ...list,
      items: { ...objectOf(list['items']), title: text('role'), examples: names.roles },
    },
  };
}

/** Returns the schema of a member without its default, which is an empty text or an empty list. */
function withoutDefault(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'default'));
}

function sectionsOf(properties: object): object {
  const sections = SECTIONS.map(({ title, fields }) => ({
    title: text(title),
    fields: fields.filter((name) => Object.hasOwn(properties, name)),
  }));
  return { 'ui:sections': sections.filter(({ fields }) => fields.length > 0) };
}
