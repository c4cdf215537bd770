import { adapterDocument, type AdapterDocument } from '../../core/adapter-document.js';
import { Problem } from '../../core/problem.js';

type Nullable<T> = { readonly [Key in keyof T]?: T[Key] | null };

/** An adapter as clients send it; null, empty and absent members leave the value unchanged. */
export type SentAdapter = Omit<Nullable<AdapterDocument>, 'properties' | 'type'> & {
  readonly type?: string | null;
  readonly properties?: Nullable<AdapterDocument['properties']> | null;
};

/** Request body with an adapter. */
export interface AdapterBody {
  readonly properties: SentAdapter;
}

/** Merges the adapter that a client sent into the previous document, or into an empty document. */
export function documentFrom(sent: SentAdapter, previous?: AdapterDocument): AdapterDocument {
  const name = previous?.name ?? sent.name ?? '';
  const base = previous ?? adapterDocument({ name, model: sent.model ?? '' });
  sameName(name, sent.name, '/properties/name');
  sameName(name, sent.properties?.id, '/properties/properties/id');
  return {
    ...base,
    model: sent.model ?? base.model,
    properties: propertiesFrom(sent.properties ?? {}, base.properties),
    loggerProps: { ...base.loggerProps, ...sent.loggerProps },
  };
}

function propertiesFrom(
  { type, brokers, groups, properties }: Nullable<AdapterDocument['properties']>,
  base: AdapterDocument['properties'],
): AdapterDocument['properties'] {
  return {
    ...base,
    type: type === '' ? base.type : (type ?? base.type),
    brokers: brokers ?? base.brokers,
    groups: groups ?? base.groups,
    properties: properties ?? base.properties,
  };
}

/** Throws `invalid_request` if a client tries to rename an adapter: the name is its identity. */
function sameName(name: string, said: string | null | undefined, pointer: string): void {
  if (said === undefined || said === null || said === '' || said === name) return;
  const message = `must be "${name}": an adapter keeps its name`;
  throw new Problem('invalid_request', `${pointer} ${message}`, { errors: [{ pointer, message }] });
}
