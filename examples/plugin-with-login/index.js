import { parseJson, valueAt } from 'gatehouse-plugin-kit';

/**
 * Calls an orchestrator that wraps its replies in `{"data": ...}`, its errors in `{"error": "..."}`, and selects the version of its API
 * by a header. The host logs in, because the adapter file describes the login: `auth` with `type: login`. It also logs in again when the
 * orchestrator answers 401.
 *
 * @type {import('gatehouse-plugin-kit').AdapterPlugin<{ apiVersion: string }>}
 */
export const plugin = {
  type: 'plugin-with-login',
  apiVersion: 1,
  summary: 'Unwraps the replies of an orchestrator with token login.',
  options: {
    type: 'object',
    additionalProperties: false,
    properties: {
      apiVersion: {
        description: 'Version of the API, as year and month.',
        type: 'string',
        pattern: '^20\\d\\d-(?:0[1-9]|1[0-2])$',
        default: '2026-01',
      },
    },
  },
  create: ({ apiVersion = '2026-01' }) => ({
    fixedHeaders: () => ({ 'x-api-version': apiVersion }),
    translate({ method, path, accept, contentType = 'application/json', body }) {
      const headers = { accept, 'x-api-version': apiVersion };
      if (!body) return [{ method, path, headers }];
      return [{ method, path, headers: { ...headers, 'content-type': contentType }, body }];
    },
    shape: (_call, reply) => memberOf(reply.body, '/data') ?? null,
    explain(reply) {
      const detail = memberOf(reply.body, '/error');
      return typeof detail === 'string' && detail !== '' ? { detail } : undefined;
    },
  }),
};

/** Returns a member of a JSON body. Returns undefined for every other body, because the data of an orchestrator may be anything. */
function memberOf(body, pointer) {
  const parsed = parseJson(body);
  return 'value' in parsed ? valueAt(parsed.value, pointer) : undefined;
}
