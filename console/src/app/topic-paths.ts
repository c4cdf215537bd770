/**
 * Beginnings of the paths that pages read again when the server reports a change of a topic. Written from the operations by
 * `UPDATE_GOLDEN=1 npm test -- test/console/app/topic-paths.test.ts`.
 */
export const PATHS_BY_TOPIC: Readonly<Record<string, readonly string[]>> = {
  forms: [
    '/json-forms/forms',
  ],
  tasks: [
    '/json-forms/tasks',
  ],
  adapters: [
    '/adapters',
    '/applications',
    '/health/status',
    '/health/adapters',
    '/health/applications',
    '/health/server',
    '/health/system',
    '/access/decision',
    '/access/operations',
    '/access/adapters',
    '/access/rules',
    '/limits',
    '/console/overview',
    '/console/traffic',
    '/console/calls',
    '/console/log',
    '/console/adapters/impact',
    '/console/profiles/',
  ],
  profiles: [
    '/profiles',
    '/access/decision',
    '/access/operations',
    '/access/adapters',
    '/access/rules',
    '/limits',
    '/console/overview',
    '/console/profiles/',
  ],
  secrets: [
    '/console/overview',
    '/console/secrets',
  ],
  deprecations: [
    '/deprecations',
  ],
};
