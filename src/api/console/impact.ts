import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { ConsoleDeps } from './deps.js';
import { count, listOf, names, objectOf, text } from './schema-parts.js';

const levelSchema = {
  ...objectOf({ from: text, to: text }),
  type: ['object', 'null'],
  description: 'Of the log; null where it stays',
} as const;

/** Returns the effect of activating a profile, by the rules of a reload, without activating it. */
export const getProfileImpact: Operation<ConsoleDeps> = {
  id: 'getProfileImpact',
  summary: 'Get what would start, stop and change if a profile were activated.',
  method: 'GET',
  path: '/profiles/:id/impact',
  roles: ['admin'],
  reply: {
    title: 'Impact of a profile',
    ...objectOf({
      profile: { ...text, description: 'Its id' },
      starts: names,
      stops: names,
      restarts: names,
      unchanged: { ...count, description: 'Adapters of which nothing would change' },
      settings: { ...names, description: 'Blocks of the settings that would say something else' },
      level: levelSchema,
      faults: {
        ...listOf({ pointer: text, code: text, message: text, fix: text }),
        description: 'What would refuse it; then nothing of the rest would happen',
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
