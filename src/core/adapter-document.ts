/** An adapter as clients send and receive it (wire section 5.1). */
export interface AdapterDocument {
  readonly name: string;
  readonly type: 'Adapter';
  /** Name of the plugin, or of the npm package for an adapter of the public catalog. */
  readonly model: string;
  readonly properties: {
    /** Equal to `name`. */
    readonly id: string;
    readonly type: string;
    readonly brokers: readonly string[];
    readonly groups: readonly unknown[];
    /** Tags of the adapter for filters and notifications; absent without tags. */
    readonly tags?: readonly string[];
    /**
     * Keys of an adapter's file without `plugin`, `brokers`, `groups`, `tags` and `log`, or the settings of the
     * catalog adapter. Secrets are references.
     */
    readonly properties: Readonly<Record<string, unknown>>;
  };
  readonly isEncrypted: boolean;
  /** Logging settings that clients store, with the levels in use. */
  readonly loggerProps: Readonly<Record<string, unknown>>;
  readonly virtual: boolean;
}

/**
 * Creates the document of an adapter from its name, its model and these properties. All other members have
 * default values.
 */
export function adapterDocument(
  { name, model }: Pick<AdapterDocument, 'name' | 'model'>,
  properties: Partial<Omit<AdapterDocument['properties'], 'id'>> = {},
): AdapterDocument {
  return {
    name,
    type: 'Adapter',
    model,
    properties: { id: name, type: model, brokers: [], groups: [], properties: {}, ...properties },
    isEncrypted: true,
    loggerProps: {},
    virtual: false,
  };
}

/**
 * Returns a document without the members that every adapter has whatever its author wrote: fixed values, copies of the
 * name and the model, and empty lists.
 */
export function writtenDocument({ name, model, properties, loggerProps }: AdapterDocument): object {
  const { type, brokers, groups, tags, properties: settings } = properties;
  return {
    name,
    model,
    properties: {
      ...(type !== model && { type }),
      ...(brokers.length > 0 && { brokers }),
      ...(groups.length > 0 && { groups }),
      ...(tags && { tags }),
      properties: settings,
    },
    ...(Object.keys(loggerProps).length > 0 && { loggerProps }),
  };
}

/** Prefix of the package-like names of plugins that come with the product. */
const PACKAGE_PREFIX = '@gatehouse/adapter-';

/**
 * Returns the model of a plugin that comes with the product, as replies show it. Clients of the platform expect the name of
 * a package: `ipctl copy adapter` takes the type of an adapter from the text after the first `-`.
 */
export function packageModelOf(type: string): string {
  return PACKAGE_PREFIX + type;
}

/**
 * Returns the other name of a plugin in the list of types: the part before the first `-`, which `ipctl copy adapter` finds
 * in the model; undefined if the type has no `-`.
 */
export function shortTypeOf(type: string): string | undefined {
  const [first = '', ...others] = type.split('-');
  return others.length > 0 && first !== '' ? first : undefined;
}

/** Returns the plugin, among `types`, that a model names by its type, its package or its short type. */
export function typeOfModel(model: string, types: readonly string[]): string | undefined {
  return (
    types.find((type) => model === type || model === packageModelOf(type)) ??
    types.find((type) => model === shortTypeOf(type))
  );
}
