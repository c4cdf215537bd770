import { isJsonObject } from '../../../../src/json/json-object.js';
import { textOf } from '../../text/text.js';
import type { Schema } from '../api/operation.js';

const text = textOf('configure');

/** Members of the settings of an adapter by section. A plugin may lack some of them. */
const SECTIONS = [
  { title: 'section.connection', fields: ['baseUrl', 'auth'] },
  { title: 'section.network', fields: ['tls', 'proxy', 'baseUrls', 'balance', 'reuseConnections'] },
  { title: 'section.health', fields: ['health', 'options'] },
  { title: 'section.limits', fields: ['timeouts', 'retry', 'queue', 'breaker', 'replyBytes'] },
  { title: 'section.access', fields: ['access', 'isolateBodies', 'redactReplies', 'replyHeaders'] },
  { title: 'section.advanced', fields: ['enabled', 'log', 'stub', 'record', 'recordings'] },
] as const;

/**
 * Returns the uiSchema that groups the settings of an adapter into sections, all but the first closed. The last one has
 * the members that no section names.
 */
export function sectionsOf({ properties }: Schema): object {
  if (!isJsonObject(properties)) return {};
  const named = new Set<string>(SECTIONS.flatMap(({ fields }) => fields));
  const others = Object.keys(properties).filter((name) => !named.has(name));
  const sections = SECTIONS.map(({ title, fields }) => ({
    title: text(title),
    fields: [
      ...fields.filter((name) => Object.hasOwn(properties, name)),
      ...(title === 'section.advanced' ? others : []),
    ],
    closed: title !== 'section.connection',
  }));
  return { 'ui:sections': sections.filter(({ fields }) => fields.length > 0) };
}
