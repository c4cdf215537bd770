/**
 * Forwards each call as one request. The host adds the login, retries, limits and the audit trail.
 *
 * @type {import('gatehouse-plugin-kit').AdapterPlugin<object>}
 */
export const plugin = {
  type: 'plugin-minimal',
  apiVersion: 1,
  summary: 'Forwards calls unchanged.',
  options: { type: 'object', additionalProperties: false },
  create: () => ({
    translate: ({ method, path, accept, contentType = 'application/json', body }) => [
      body
        ? { method, path, headers: { accept, 'content-type': contentType }, body }
        : { method, path, headers: { accept } },
    ],
  }),
};
