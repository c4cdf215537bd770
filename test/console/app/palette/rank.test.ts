import assert from 'node:assert/strict';
import { type Entry, rankEntries } from '../../../../console/src/app/palette/rank.js';

const entry = (group: string, title: string, more: Partial<Entry> = {}): Entry => ({
  key: `${group} ${title}`,
  group,
  title,
  run: () => undefined,
  ...more,
});

const titles = (entries: readonly Entry[]) => entries.map(({ title }) => title);

describe('the search for pages, adapters and actions', () => {
  it('lists everything without a query, in the order of the groups', () => {
    const entries = [entry('Pages', 'Overview'), entry('Actions', 'Sign out'), entry('Pages', 'Audit')];
    assert.deepEqual(titles(rankEntries(entries, ' ')), ['Overview', 'Audit', 'Sign out']);
  });

  it('puts equal titles first, then beginnings, then beginnings of words', () => {
    const entries = ['my-nso', 'anso', 'nso1.example.com', 'nso', 'edge.nso'].map((one) =>
      entry('Adapters', one),
    );
    assert.deepEqual(titles(rankEntries(entries, 'NSO')), [
      'nso',
      'nso1.example.com',
      'my-nso',
      'edge.nso',
      'anso',
    ]);
  });

  it('finds titles that contain every word', () => {
    const entries = [entry('Actions', 'Register an adapter'), entry('Pages', 'Adapters')];
    assert.deepEqual(titles(rankEntries(entries, 'adapter reg')), ['Register an adapter']);
  });

  it('keeps entries for any query, and at most eight of each group', () => {
    const many = Array.from({ length: 36 }, (_, at) => entry('Adapters', `edge${at}`));
    const search = entry('Requests', 'Search the audit log', { isForAnyQuery: true });
    const found = titles(rankEntries([...many, search], 'edge'));
    assert.equal(found.length, 9);
    assert.equal(found.at(-1), 'Search the audit log');
  });

  it('takes characters of regular expressions as they are', () => {
    assert.deepEqual(titles(rankEntries([entry('Adapters', 'a-b(c)[1]')], 'b(c)[')), ['a-b(c)[1]']);
  });
});
