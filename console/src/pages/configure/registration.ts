/** A new adapter: its settings are sent as written, so that long numbers keep their digits. */
interface Registration {
  readonly name: string;
  /** Type of the plugin. */
  readonly model: string;
  /** The settings as JSON. */
  readonly settings: string;
}

/** Returns the body of the request that registers an adapter, or tests its connection. */
export function registrationOf({ name, model, settings }: Registration): string {
  const [id, type] = [JSON.stringify(name), JSON.stringify(model)];
  return `{"properties":{"name":${id},"type":"Adapter","model":${type},"properties":{"id":${id},"type":${type},"brokers":[],"groups":[],"properties":${settings}}}}`;
}
