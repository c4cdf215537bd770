import type { Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import { count, listOf, names, objectOf, text } from '../lib/reply-schemas.js';
import type { ConsoleDeps } from './deps.js';

const levelChangeSchema = {
  ...objectOf({ from: text, to: text }),
  type: ['object', 'null'],
  description: 'Change of the log level; null if the level does not change',
} as const;

export const getProfileImpact: Operation<ConsoleDeps> = {
  id: 'getProfileImpact',
  summary: 'Get what would start, stop and change if a profile were activated.',
  description:
    'Returns which adapters would start, stop and restart, and which settings would change, if a profile were activated now. Changes nothing.',
  problems: ['profile_not_found'],
  method: 'GET',
  path: '/profiles/:id/impact',
  topics: ['adapters', 'profiles'],
  roles: READERS,
  reply: {
    title: 'Impact of a profile',
    ...objectOf({
      profile: { ...text, description: 'Id of the profile' },
      starts: names,
      stops: names,
      restarts: names,
      unchanged: { ...count, description: 'Number of adapters that would not change' },
      settings: { ...names, description: 'Sections of the settings that would change' },
      level: levelChangeSchema,
      faults: {
        ...listOf({ pointer: text, code: text, message: text, fix: text }),
        description: 'Faults that would prevent the activation; with a fault, no other effect would occur',
      },
    }),
  },
  async handle({ params: { id = '' } }, { monitoring }) {
    const impact = await monitoring.impact(id);
    if (!impact) throw new Problem('profile_not_found', 'Profile not found.');
    const faults = impact.faults.map(({ pointer, code, message, fix }) => ({ pointer, code, message, fix }));
    return { body: { profile: id, ...impact, level: impact.level ?? null, faults } };
  },
};
