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
    /**
     * Keys of an adapter's file without `plugin`, `brokers`, `groups` and `log`, or the settings of the
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
