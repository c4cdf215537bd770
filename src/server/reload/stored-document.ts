import { adapterDocument, type AdapterDocument } from '../../core/adapter-document.js';
import { isJsonObject, type JsonObject } from '../../core/json-object.js';
import type { NamedRecord } from '../../core/platform-state.js';

/**
 * What the database holds of an adapter, as one whatever it is: another version may have written it. The adapter is dead
 * then, and those who list adapters must be able to see that, and to delete it.
 */
export function keptDocument({ name, document }: Pick<NamedRecord, 'name' | 'document'>): AdapterDocument {
  const properties = parseStoredObject(document['properties']);
  const model = textOf(document['model'], '');
  const said = {
    type: textOf(properties['type'], model),
    brokers: listOf(properties['brokers']).filter((broker) => typeof broker === 'string'),
    groups: listOf(properties['groups']),
    properties: parseStoredObject(properties['properties']),
  };
  return {
    ...adapterDocument({ name, model }, said),
    isEncrypted: document['isEncrypted'] !== false,
    loggerProps: parseStoredObject(document['loggerProps']),
  };
}

/** A text, a list or nothing has no members to look for. */
function parseStoredObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown, preset: string): string {
  return typeof value === 'string' ? value : preset;
}
