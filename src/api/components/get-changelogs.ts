import type { Operation } from '../../core/operation.js';
import { parseChangelog } from './changelog.js';
import type { LifecycleDeps } from './deps.js';
import type { Lifecycle } from './lifecycle.js';

/** Row that tells what changed in components of a kind from release to release (wire decision 9). */
export function changelogOperation<Deps extends LifecycleDeps>(life: Lifecycle<Deps>): Operation<Deps> {
  return {
    id: `get${life.noun}Changelogs`,
    summary: `Tell what changed in an ${life.kind} from release to release.`,
    method: 'GET',
    path: '/:name/changelogs',
    roles: ['admin'],
    reply: {
      title: 'Changelogs',
      type: 'object',
      required: ['results', 'total'],
      properties: {
        results: {
          type: 'array',
          items: {
            type: 'object',
            required: ['version', 'date', 'changes'],
            properties: {
              version: { type: 'string' },
              date: { type: ['string', 'null'] },
              changes: { type: 'array', items: { type: 'string' } },
            },
          },
        },
        total: { type: 'integer' },
      },
    },
    async handle({ params, query }, deps) {
      const { name = '' } = params;
      life.find(deps, name);
      const releases = parseChangelog((await deps.changelogOf(life.kind, name)) ?? '');
      const release = query.get('release');
      const results = releases.filter(({ version }) => release === null || version === release);
      return { body: { results, total: results.length } };
    },
  };
}
