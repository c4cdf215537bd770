import type { Operation } from '../../core/operation.js';
import type { AdaptersDeps } from './deps.js';

/** Returns the names of the adapters that serve each broker (wire decision 10). */
export const getBrokerMap: Operation<AdaptersDeps> = {
  id: 'getBrokerMap',
  summary: 'Get the adapters that serve each broker.',
  method: 'GET',
  path: '/brokers/mapping',
  roles: ['admin'],
  reply: {
    title: 'Broker mapping',
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
  },
  handle(_call, { adapters }) {
    const mapping = new Map<string, string[]>();
    for (const { document } of adapters.list())
      for (const broker of document.properties.brokers)
        mapping.set(broker, [...(mapping.get(broker) ?? []), document.name]);
    return { body: Object.fromEntries(mapping) };
  },
};
