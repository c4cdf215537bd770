import type { Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { LIMIT_BASES } from '../../settings/limits.js';
import type { ConsoleDeps } from '../console/deps.js';
import { count, countOrNull, listOf, names, objectOf, text } from '../lib/reply-schemas.js';

/** Returns the limits of callers and who is near them, as this node counts. */
export const getLimits: Operation<ConsoleDeps> = {
  id: 'getLimits',
  summary: 'Get the limits of callers, and the callers that are nearest to a limit.',
  description:
    'Returns the limits that apply now, with the numbers of counted callers and of refused calls, and up to 50 callers that are nearest to a limit. The numbers are those of this node.',
  method: 'GET',
  path: '/limits',
  roles: READERS,
  reply: {
    title: 'Limits of callers',
    ...objectOf({
      shared: {
        enum: ['process', 'cluster', 'share'],
        description:
          'process: only this process counts; cluster: the nodes and processes share the counts; share: the database is away, so this node applies its share of each limit',
      },
      limits: listOf({
        name: text,
        enabled: { type: 'boolean' },
        per: { enum: LIMIT_BASES },
        operations: names,
        adapters: names,
        roles: names,
        callerNames: names,
        requests: { ...countOrNull, description: 'Calls in the period; null: no limit of the rate' },
        periodSeconds: count,
        burst: { ...countOrNull, description: 'Calls at once; null: as many as requests' },
        concurrent: { ...countOrNull, description: 'Calls that run at once; null: no limit' },
        callers: { ...count, description: 'Callers that are counted now' },
        refused: { ...count, description: 'Refused calls since the start of the server' },
      }),
      callers: listOf({
        limit: text,
        caller: { ...text, description: 'Name, subject, client, role or address' },
        issuer: { ...text, description: 'Issuer of the token; empty for a role or an address' },
        remaining: { ...countOrNull, description: 'Calls that the rate permits now' },
        running: count,
        refused: count,
        usedPercent: { ...count, maximum: 100, description: 'Used part of the limit' },
      }),
    }),
  },
  handle: (_call, { limits }) => ({ body: limits() }),
};
