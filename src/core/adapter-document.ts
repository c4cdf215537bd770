/** An adapter as clients send it and see it (wire section 5.1). */
export interface AdapterDocument {
  readonly name: string;
  readonly type: 'Adapter';
  /** The plugin, or the npm package of an adapter of the public catalogue. */
  readonly model: string;
  readonly properties: {
    /** Equal to `name`. */
    readonly id: string;
    readonly type: string;
    readonly brokers: readonly string[];
    readonly groups: readonly unknown[];
    /**
     * The keys of an adapter's file without `plugin`, `brokers`, `groups` and `log`, or the catalogue adapter's own settings;
     * secrets as references.
     */
    readonly properties: Readonly<Record<string, unknown>>;
  };
  readonly isEncrypted: boolean;
  /** What clients keep here about logging; the levels in it are those in use. */
  readonly loggerProps: Readonly<Record<string, unknown>>;
  readonly virtual: boolean;
}

/** The document of an adapter of which nothing is said but its name, its model and these properties. */
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
