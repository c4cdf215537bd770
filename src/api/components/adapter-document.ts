import { adapterDocument, type AdapterDocument } from '../../core/adapter-document.js';
import { Problem } from '../../core/problem.js';

type Nullable<T> = { readonly [Key in keyof T]?: T[Key] | null };

/** An adapter as clients send it: null, empty and absent mean that there is nothing to say. */
export type SentAdapter = Omit<Nullable<AdapterDocument>, 'properties' | 'type'> & {
  readonly type?: string | null;
  readonly properties?: Nullable<AdapterDocument['properties']> | null;
};

/** A body with one. */
export interface AdapterBody {
  readonly properties: SentAdapter;
}

/** The document that a client asks for: what it says, over what was there before or over nothing. */
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

/** The name is the adapter's identity: who wants another one registers another adapter. */
function sameName(name: string, said: string | null | undefined, pointer: string): void {
  if (said === undefined || said === null || said === '' || said === name) return;
  const message = `must be "${name}": an adapter keeps its name`;
  throw new Problem('invalid_request', `${pointer} ${message}`, { errors: [{ pointer, message }] });
}
