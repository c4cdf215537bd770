import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readTemplates, templateIds } from '../../src/config/adapter-templates.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const FOLDER = join(import.meta.dirname, '../../../config/examples');

/** Title, description and login of some templates, by their names. */
const DOCUMENTED: Readonly<Record<string, readonly string[]>> = {
  'ansible-awx': ['Ansible AWX', 'Automation controller', 'Token'],
  'cisco-catalyst-center': [
    'Cisco Catalyst Center',
    'Campus network controller, formerly DNA Center',
    'Session login',
  ],
  netbox: ['NetBox 4.5 or later', 'Network source of truth', 'Token'],
  'nokia-nsp': ['Nokia NSP', 'Network Services Platform', 'OAuth 2.0 client credentials'],
};

/** Types of authentication in the settings that each described login may have. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  'HTTP Basic': ['basic'],
  'OAuth 2.0 client credentials': ['oauth2'],
  'Session login': ['login'],
  'JSON Web Token': ['login'],
  Token: ['bearer'],
  'Token of version 1': ['header'],
  'API key': ['bearer'],
};

describe('the templates of adapters', () => {
  it('have a title, a description and a login that people look for', async () => {
    const templates = await readTemplates(FOLDER);
    const described = templates.map(
      ({ id, title, summary, login }) => [id, [title, summary, login]] as const,
    );
    for (const [id, texts] of described)
      assert.match(texts.join('|'), /^[A-Z][^|\n]+(?:\|[A-Z][^|\n]+){2}$/, id);
    assert.deepEqual(Object.fromEntries(described.filter(([id]) => id in DOCUMENTED)), DOCUMENTED);
  });

  it('log in as their description says', async () => {
    for (const { id, login, settings } of await readTemplates(FOLDER)) {
      const { type } = settings['auth'] as { readonly type: string };
      assert.ok(TYPES[login]?.includes(type), `${id}: ${login}, ${type}`);
    }
  });

  it('are one for each example file, in the order of their titles', async () => {
    const files = readdirSync(FOLDER).flatMap((name) => /^(.+)\.yaml$/.exec(name)?.[1] ?? []);
    assert.deepEqual([...templateIds()].sort(), files.sort());
    const templates = await readTemplates(FOLDER);
    assert.equal(templates.length, files.length);
    const titles = templates.map(({ title }) => title);
    const sorted = [...titles].sort((first, second) => first.localeCompare(second, 'en'));
    assert.deepEqual(titles, sorted);
  });

  it('have settings that name a base URL, contain no files, and refer to Vault for every secret', async () => {
    for (const { id, model, settings } of await readTemplates(FOLDER)) {
      assert.match(model, /^(?:restconf|http-rest)$/, id);
      assert.match(String(settings['baseUrl']), /^https:\/\//, id);
      assert.equal(settings['tls'], undefined, id);
      assert.match(JSON.stringify(settings['auth']), /\$VAULT_adapters\//, id);
    }
  });

  it('are empty where the examples are not installed', async () => {
    assert.deepEqual(await readTemplates(temporaryFolder().path), []);
  });
});
