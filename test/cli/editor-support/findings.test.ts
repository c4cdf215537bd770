import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { defaults, render } from '../../deploy/helm.js';
import { runCommand } from '../../support/command-io.js';
import { HELM } from '../../support/need-list.js';
import { itWith } from '../../support/needs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startYamlLanguageServer, type YamlLanguageServer } from '../../support/yaml-language-server.js';
import { BROKEN_FILES } from './broken-files.js';
import {
  compileSchemaFiles,
  type FileKind,
  createCheckers,
  schemaErrors,
  type Findings,
} from './findings.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Returns the configuration files that the repository contains, by their paths. */
function shippedFiles(): readonly (readonly [path: string, kind: FileKind])[] {
  const examples = readdirSync(join(ROOT, 'config', 'examples')).filter((name) => name.endsWith('.yaml'));
  return [
    ['config/gatehouse.yaml', 'main'],
    ['deploy/systemd/gatehouse.yaml', 'main'],
    ['deploy/compose/config/gatehouse.yaml', 'main'],
    ...examples.map((name) => [`config/examples/${name}`, 'adapter'] as const),
  ];
}

function renderedMain(): string {
  const adapters = { nso1: { plugin: 'restconf', baseUrl: 'https://nso.example:8888' } };
  const configMap = render({ ...defaults, adapters }).find(({ kind }) => kind === 'ConfigMap');
  const { data } = configMap as unknown as { readonly data: Readonly<Record<string, string>> };
  return data['gatehouse.yaml'] ?? '';
}

describe('the schemas of configuration files', () => {
  let server: YamlLanguageServer;
  before(async () => (server = await startYamlLanguageServer()));
  after(() => server.close());

  describe('a file with a fault', () => {
    let all: readonly Findings[];
    before(async () => {
      const checkers = createCheckers(server);
      all = await Promise.all(BROKEN_FILES.map(checkers.examine));
      checkers.close();
    });

    for (const [at, { kind, title, check, ajv, editor }] of BROKEN_FILES.entries())
      it(`has the findings of the table: ${kind}, ${title}`, () => {
        const findings = all[at];
        assert.ok(findings);
        const said = JSON.stringify(findings, null, 2);
        assert.ok(
          findings.check.some((finding) => finding.startsWith(`${check} `)),
          said,
        );
        if (ajv === '') assert.deepEqual(findings.ajv, [], said);
        else assert.equal(findings.ajv[0]?.split(' ')[0], ajv === '/' ? '' : ajv, said);
        if (editor === '') assert.deepEqual(findings.editor, [], said);
        else assert.ok(findings.editor[0]?.startsWith(editor), said);
        // A person reads a sentence, never a regular expression.
        assert.ok(!/match the pattern|not allowed\. Expected|Matches/.test(findings.editor.join('\n')), said);
      });

    it('is found by the schema unless only gatehouse can know the fault', () => {
      const unseen = BROKEN_FILES.filter(({ ajv }) => ajv === '').map(({ title }) => title);
      assert.ok(BROKEN_FILES.length >= 35);
      assert.deepEqual(unseen, [
        ...['a reference without Vault', 'a variable that is not set', 'a variable that is no number'],
        ...['a network that is none', 'an unknown operation'],
        ...['an unknown plugin', 'an unknown option of the plugin'],
      ]);
    });
  });

  describe('the schemas for editors', () => {
    const validators = compileSchemaFiles();

    const modeline = (kind: FileKind) =>
      `# yaml-language-server: $schema=${pathToFileURL(join(ROOT, 'config', kind === 'main' ? 'gatehouse.schema.json' : 'adapter.schema.json')).href}\n`;

    for (const [path, kind] of shippedFiles())
      it(`accept ${path}`, async () => {
        const text = readFileSync(join(ROOT, path), 'utf8');
        assert.deepEqual(schemaErrors(validators[kind], text), []);
        assert.deepEqual(await server.diagnose(join(ROOT, path), modeline(kind) + text), []);
      });

    it('accept what gatehouse init writes, which names them in its first lines', async () => {
      const folder = temporaryFolder().path;
      await runCommand(['init', '--config', join(folder, 'gatehouse.yaml')], { printsSecret: true });
      for (const [name, key] of [
        ['gatehouse.yaml', 'sever: {}\n'],
        ['adapters/nso1.yaml', 'sever: {}\n'],
      ] as const) {
        const path = join(folder, name);
        const text = readFileSync(path, 'utf8');
        assert.deepEqual(await server.diagnose(path, text), []);
        const [found] = await server.diagnose(`${path}.broken.yaml`, text + key);
        assert.equal(found?.message, 'Property sever is not allowed.');
      }
    });

    itWith(HELM, 'accept the main file that the Helm chart renders', async () => {
      const text = renderedMain();
      assert.match(text, /^adapters:$/m);
      assert.deepEqual(schemaErrors(validators.main, text), []);
      assert.deepEqual(await server.diagnose(join(ROOT, 'chart.yaml'), modeline('main') + text), []);
    });

    it('accept an empty main file', async () => {
      assert.deepEqual(schemaErrors(validators.main, ''), []);
      assert.deepEqual(await server.diagnose(join(ROOT, 'empty.yaml'), modeline('main')), []);
    });

    it('complete keys, words and booleans, and explain a key', async () => {
      let files = 0;
      const complete = (kind: FileKind, text: string): Promise<readonly string[]> => {
        files += 1;
        return server.complete(join(ROOT, `complete-${files}.yaml`), modeline(kind) + text);
      };
      const sorted = (labels: readonly string[]) => [...labels].sort();
      const levels = await complete('main', 'log:\n  level: ');
      assert.deepEqual(sorted(levels), ['debug', 'error', 'info', 'spam', 'trace', 'warn']);
      assert.deepEqual(sorted(await complete('main', 'console:\n  enabled: ')), ['false', 'true']);
      assert.ok((await complete('main', 'server:\n  ')).includes('drainSeconds'));
      assert.ok((await complete('adapter', 'auth:\n  type: ')).includes('oauth2'));
      const keys = await complete('adapter', 'auth:\n  type: basic\n  ');
      assert.ok(keys.includes('password') && !keys.includes('token'), keys.join());
      const shown = await server.hover(
        join(ROOT, 'h.yaml'),
        `${modeline('main')}server:\n  drainSeconds: 3\n`,
        'drainS',
      );
      assert.match(shown, /Seconds that a stop waits for running calls/);
    });
  });
});
