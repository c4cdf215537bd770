import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeOperations } from '../../../src/features/operations.js';

const FILE = fileURLToPath(new URL('../../../../console/src/app/topic-paths.ts', import.meta.url));

const HEAD = `/**
 * Beginnings of the paths that pages read again when the server reports a change of a topic. Written from the operations by
 * \`UPDATE_GOLDEN=1 npm test -- test/console/app/topic-paths.test.ts\`.
 */
export const PATHS_BY_TOPIC: Readonly<Record<string, readonly string[]>> = {
`;

describe('the paths that pages read again after an event', () => {
  it('are those of the operations that name its topic', () => {
    const text = `${HEAD}${[...pathsByTopic()].map(([topic, paths]) => `  ${topic}: [\n${paths.map((path) => `    '${path}',\n`).join('')}  ],\n`).join('')}};\n`;
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(FILE, text);
    assert.equal(readFileSync(FILE, 'utf8'), text, 'run UPDATE_GOLDEN=1 npm run test:unit');
  });
});

function pathsByTopic(): ReadonlyMap<string, readonly string[]> {
  const byTopic = new Map<string, string[]>();
  for (const { paths, row } of describeOperations())
    for (const topic of row.topics ?? []) {
      const [path = ''] = paths[0]?.split(':', 1) ?? [];
      byTopic.set(topic, [...(byTopic.get(topic) ?? []), path]);
    }
  return byTopic;
}
