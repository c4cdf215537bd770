import type { AdapterDocument } from '../domain/adapter-document.js';
import type { NamedRecord } from '../domain/platform-state.js';

/**
 * What the database holds of an adapter, as one whatever it is: another version may have written it. The adapter is dead
 * then, and those who list adapters must be able to see that, and to delete it.
 */
export function keptDocument({ name, document }: Pick<NamedRecord, 'name' | 'document'>): AdapterDocument {
  const properties = objectOf(document['properties']);
  const model = textOf(document['model'], '');
  return {
    name,
    type: 'Adapter',
    model,
    properties: {
      id: name,
      type: textOf(properties['type'], model),
      brokers: listOf(properties['brokers']).filter((broker) => typeof broker === 'string'),
      groups: listOf(properties['groups']),
      properties: objectOf(properties['properties']),
    },
    isEncrypted: document['isEncrypted'] !== false,
    loggerProps: objectOf(document['loggerProps']),
    virtual: false,
  };
}

/** A text, a list or nothing has no members to look for. */
function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown, preset: string): string {
  return typeof value === 'string' ? value : preset;
}
