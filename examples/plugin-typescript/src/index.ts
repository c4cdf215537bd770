import { type AdapterPlugin, parseJson, type UpstreamReply, valueAt } from 'gatehouse-plugin-kit';

/** Options of an adapter file, after validation against the schema below. */
interface Options {
  readonly site: string;
}

interface Device {
  readonly name: string;
  readonly site: string;
}

/** Returns only the devices of one site to callers of `/api/devices`. Other replies pass unchanged. */
export const plugin: AdapterPlugin<Options> = {
  type: 'plugin-typescript',
  apiVersion: 1,
  summary: 'Shows the devices of one site.',
  options: {
    type: 'object',
    additionalProperties: false,
    required: ['site'],
    properties: { site: { description: 'Name of the site.', type: 'string', minLength: 1 } },
  },
  create: ({ site }) => ({
    translate({ method, path, accept, contentType = 'application/json', body }) {
      if (!body) return [{ method, path, headers: { accept } }];
      return [{ method, path, headers: { accept, 'content-type': contentType }, body }];
    },
    shape({ path }, { body }) {
      if (path !== '/api/devices') return { rawJson: body };
      return devicesIn(body).filter((device) => device.site === site);
    },
  }),
};

/** Returns the devices of a reply, without entries that are no device: the data of an orchestrator may be anything. */
function devicesIn(body: UpstreamReply['body']): readonly Device[] {
  const parsed = parseJson(body);
  const list = 'value' in parsed ? valueAt(parsed.value, '/data') : undefined;
  return Array.isArray(list) ? list.filter(isDevice) : [];
}

function isDevice(value: unknown): value is Device {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'name' in value && typeof value.name === 'string' && 'site' in value && typeof value.site === 'string'
  );
}
