import { bytes, flag, integer, section } from './schema-parts.js';

/** Maximum number of seconds: a year (RFC 9110 recommends no longer freshness). */
const MAX_SECONDS = 31_536_000;

const pattern = {
  type: 'string',
  pattern: '^/[^?#\\s]*$',
  'x-hint': 'must be a path pattern such as /restconf/data/**',
} as const;

/** Schema of the key `cache` of an adapter. */
export const readCacheSchema = section(
  ['Cache', 'Cache for queries; null sends every query to the orchestrator.'],
  {
    rules: {
      title: 'Rules',
      description:
        'The first rule that matches the path decides. A query that no rule matches is not cached.',
      type: 'array',
      minItems: 1,
      items: section(
        ['Rule', 'Caching of replies at the paths that match.'],
        {
          paths: {
            title: 'Paths',
            description: 'Path patterns: * matches a part of a segment, ** any number of segments.',
            type: 'array',
            minItems: 1,
            uniqueItems: true,
            items: pattern,
          },
          ttlSeconds: integer(
            'Freshness',
            'Seconds for which a reply without its own freshness is used; 0 validates it each time.',
            { minimum: 0, maximum: MAX_SECONDS, default: 0 },
          ),
          overridesReplies: flag(
            'Overrides replies',
            'True uses ttlSeconds in place of the freshness, no-cache and private of replies; no-store counts always.',
            false,
          ),
          maxSeconds: integer(
            'Longest freshness',
            'Maximum number of seconds for which a reply is used without a request, whatever freshness it states.',
            { minimum: 1, maximum: MAX_SECONDS, default: 3_600 },
          ),
          staleIfErrorSeconds: integer(
            'Stale if error',
            'Maximum number of seconds after its freshness for which a reply is used if the orchestrator fails; 0: never.',
            { minimum: 0, maximum: MAX_SECONDS, default: 0 },
          ),
          perRoles: flag('Per roles', 'True caches separately for callers with different roles.', false),
          notFound: flag('Not found', 'True also caches replies with status 404.', false),
        },
        { required: ['paths'] },
      ),
    },
    maxEntries: integer('Entries', 'Maximum number of replies in the cache of one process.', {
      minimum: 1,
      maximum: 1_000_000,
      default: 1_000,
    }),
    maxBytes: bytes('Size', 'Maximum size of the cache of one process, in bytes.', 16_777_216),
    changesAll: {
      title: 'Changes of everything',
      description:
        'Path patterns; an action at a matching path removes every reply of the adapter from the cache.',
      type: 'array',
      uniqueItems: true,
      items: pattern,
      default: ['/**/operations/**'],
    },
  },
  { type: ['object', 'null'], default: null, required: ['rules'] },
);
