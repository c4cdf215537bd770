import { type Deprecation, partsOf, stageAt } from '../../core/deprecation.js';
import type { Operation } from '../../core/operation.js';
import { nameOf } from './deprecated-operation.js';
import { DEPRECATIONS } from './deprecations.js';
import type { DeprecationsDeps } from './deps.js';
import { dayOf } from './releases.js';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0, description: 'Since the start of the server' } as const;
const moment = { type: ['string', 'null'], format: 'date-time' } as const;
const route = { method: { enum: ['GET', 'POST', 'PUT', 'DELETE'] }, path: text } as const;
const day = {
  type: 'string',
  format: 'date',
  description: 'Nominal: releases have no published days',
} as const;

const rowSchema = {
  type: 'object',
  required: [
    ...['operation', 'method', 'path', 'stage', 'deprecatedIn', 'deprecatedOn', 'removedIn', 'removedOn'],
    ...['replacements', 'calls', 'lastCall', 'callers'],
  ],
  properties: {
    operation: { ...text, description: 'Name in the configuration' },
    ...route,
    stage: {
      enum: ['current', 'deprecated', 'removed'],
      description: 'At the release that this server stands for',
    },
    deprecatedIn: text,
    deprecatedOn: day,
    removedIn: text,
    removedOn: day,
    replacements: {
      type: 'array',
      items: { type: 'object', required: ['method', 'path'], properties: route },
    },
    calls: count,
    lastCall: moment,
    callers: {
      type: 'array',
      description: 'Who called it, most calls first; those who called longest ago may be forgotten',
      items: {
        type: 'object',
        required: ['caller', 'issuer', 'calls', 'lastCall'],
        properties: {
          caller: { ...text, description: 'Subject of the token; the address when no token was needed' },
          issuer: text,
          calls: count,
          lastCall: moment,
        },
      },
    },
  },
} as const;

/** Returns the table of deprecated operations at this server's release, with their remaining callers. */
export const getDeprecations: Operation<DeprecationsDeps> = {
  id: 'getDeprecations',
  summary: 'List the deprecated operations, their replacements and their remaining callers.',
  method: 'GET',
  path: '/deprecations',
  roles: ['admin'],
  reply: {
    title: 'Deprecated operations',
    type: 'object',
    required: ['release', 'results', 'total'],
    properties: {
      release: { ...text, description: 'The release that this server stands for' },
      results: { type: 'array', items: rowSchema },
      total: { type: 'integer', minimum: 0 },
    },
  },
  handle(_call, { release, deprecatedCalls }) {
    const results = DEPRECATIONS.map((row) => {
      const operation = nameOf(row);
      const counted = deprecatedCalls.countOf(operation);
      return {
        operation,
        ...partsOf(row.route),
        ...stagesOf(row, release),
        replacements: row.replacements.map(partsOf),
        calls: counted?.calls ?? 0,
        lastCall: counted ? momentOf(counted) : null,
        callers: deprecatedCalls.callersOf(operation).map((one) => ({ ...one, lastCall: momentOf(one) })),
      };
    });
    return { body: { release, results, total: results.length } };
  },
};

function stagesOf(row: Deprecation, release: string): object {
  const { deprecatedIn, removedIn } = row;
  return {
    stage: stageAt(release, row),
    deprecatedIn,
    deprecatedOn: dayOf(deprecatedIn).toISOString().slice(0, 10),
    removedIn,
    removedOn: dayOf(removedIn).toISOString().slice(0, 10),
  };
}

function momentOf({ lastCall }: { readonly lastCall: number }): string {
  return new Date(lastCall).toISOString();
}
