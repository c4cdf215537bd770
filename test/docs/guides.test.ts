import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { PROBLEMS } from '../../src/core/problem-codes.js';
import { makeCertificate } from '../support/certificates.js';
import { runCommand } from '../support/command-io.js';
import { BASH } from '../support/need-list.js';
import { itWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { codeOf, readPage, readPages, ROOT } from './markdown.js';

const pages = readPages();
const blocks = pages.flatMap((page) => page.blocks);
const inLanguage = (language: string) => blocks.filter((block) => block.language === language);
const sorted = (texts: Iterable<string>): readonly string[] => [...new Set(texts)].sort();

/** Matches a call of the program up to the first special character of the shell. */
const INVOCATION =
  /(?:npx gatehouse|node (?:--\S+ )*dist\/bin\/gatehouse\.js|(?:^|[$<]\(|\| )gatehouse) +([^|;&)>"#\n]+)/gm;

describe('shell scripts in the documentation', () => {
  itWith(BASH, 'are valid, also those that no test executes', () => {
    const folder = temporaryFolder().path;
    const scripts = inLanguage('sh');
    for (const [at, { text }] of scripts.entries()) writeFileSync(join(folder, `${at}.sh`), text);
    const { stdout } = spawnSync('bash', ['-c', 'for f in *.sh; do bash -n $f || echo $f; done'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const invalid = stdout.match(/\d+/g) ?? [];
    const wrong = invalid.map((at) => scripts[Number(at)]?.place);
    assert.deepEqual(wrong, []);
  });
});

describe('replies in the documentation', () => {
  it('are valid JSON', () => {
    for (const { place, text } of inLanguage('json'))
      assert.doesNotThrow(() => JSON.parse(text) as unknown, place);
  });
});

describe('configurations in the documentation', () => {
  // test/examples/readmes.test.ts checks the files of plugins, which exist only where their package is installed.
  // `gatehouse apply` checks the files of stored rules, and the guide runs it.
  const examples = inLanguage('yaml').filter(
    ({ place, mark = '' }) =>
      !place.startsWith('examples/plugin-') && !/^file: records\/(?:access-rules|limits)\//.test(mark),
  );

  it('include main files and adapter files', () => {
    assert.ok(examples.length >= 15);
    assert.ok(examples.some(({ text }) => isAdapter(text)) && examples.some(({ text }) => !isAdapter(text)));
  });

  it('are valid', async () => {
    for (const { place, text } of examples) {
      const { code, out } = await check(text);
      assert.equal(code, 0, `${place}: ${out}`);
    }
  });
});

function isAdapter(text: string): boolean {
  return /^plugin:/m.test(text);
}

/** The `vault` block that examples with references need. */
const VAULT = 'vault: { address: "https://vault.example:8200", auth: { method: token } }\n';

/** The folder that examples of adapters with references to files need. */
const SECRET_FILES = 'secrets: { files: { root: secrets } }\n';

async function check(text: string): ReturnType<typeof runCommand> {
  const folder = join(temporaryFolder().path, 'config');
  const main = join(folder, 'gatehouse.yaml');
  const file = isAdapter(text) ? join(folder, 'adapters', 'example.yaml') : main;
  mkdirSync(join(folder, 'adapters'), { recursive: true });
  writeFileSync(main, text.includes('$FILE_') ? VAULT + SECRET_FILES : VAULT);
  writeFileSync(
    file,
    file === main && text.includes('$VAULT_') && !/^vault:/m.test(text) ? text + VAULT : text,
  );
  const { cert, key } = await makeCertificate({ dns: 'a.example' });
  for (const [, kind = '', name = ''] of text.matchAll(/(\w+)File: ([\w-][\w/-]*\.(?:pem|key))/g)) {
    mkdirSync(dirname(join(dirname(file), name)), { recursive: true });
    writeFileSync(join(dirname(file), name), kind === 'key' ? key : cert, { mode: 0o600 });
  }
  for (const [, adapter = ''] of text.matchAll(/folder: (\S+)$/gm)) linkAdapter(join(dirname(file), adapter));
  return runCommand(['check', '--config', main]);
}

/** Links a community adapter to the path that an example names. */
function linkAdapter(place: string): void {
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(ROOT, 'test/support/catalogue-adapter'), place);
}

describe('command lines in the documentation', () => {
  const lines = inLanguage('sh').flatMap(({ place, text }) => commandLinesIn(place, text));

  it('use existing commands and options', async () => {
    const wrong = await Promise.all(lines.map(faultsIn));
    assert.deepEqual(wrong.flat(), []);
  });

  it('show each command at least once', async () => {
    const commands = (await runCommand(['--help'])).out.matchAll(/^ {2}([a-z-]+) /gm);
    const shown = lines.map(({ words: [command = ''] }) => command);
    assert.deepEqual(sorted(shown), sorted([...commands].map(([, name = '']) => name)));
  });

  it('are checked by a test that reports unknown commands and options', async () => {
    const [first, second, third] = commandLinesIn(
      'here',
      'npx gatehouse chek\nA=$(npx gatehouse check --jsn)\ngatehouse hash',
    );
    assert.deepEqual(await faultsIn(first!), ['here: there is no command "chek"']);
    assert.deepEqual(await faultsIn(second!), ['here: check has no option --jsn']);
    assert.deepEqual(await faultsIn(third!), []);
  });
});

interface CommandLine {
  readonly place: string;
  /** The command and its arguments. */
  readonly words: readonly string[];
}

function commandLinesIn(place: string, text: string): readonly CommandLine[] {
  const found = text.replaceAll('\\\n', ' ').matchAll(INVOCATION);
  return [...found].map(([, words = '']) => ({ place, words: words.trim().split(/\s+/) }));
}

async function faultsIn({ place, words: [command = '', ...rest] }: CommandLine): Promise<readonly string[]> {
  const firstOption = rest.findIndex((word) => word.startsWith('-'));
  const plain = firstOption < 0 ? rest : rest.slice(0, firstOption);
  const { out } = await runCommand([command, ...plain, '--help']);
  if (!out.startsWith(`Usage: gatehouse ${command}`)) return [`${place}: there is no command "${command}"`];
  const known = new Set(out.match(/--[a-z-]+/g));
  return rest
    .filter((word) => word.startsWith('-') && !known.has(word))
    .map((word) => `${place}: ${command} has no option ${word}`);
}

describe('the page about problems', () => {
  const { prose } = readPage('docs/how-to/fix-problems.md');
  const rows = [...prose.matchAll(/^\| [^|]+ \| ([^|]+?) +\|/gm)].flatMap(([, cell = '']) =>
    cell.split(', '),
  );
  const documented = rows.flatMap((cell) => codeOf(cell) ?? []);

  it('lists exactly the problem codes that operators handle', () => {
    const theirs = Object.entries(PROBLEMS).filter(
      ([, { status }]) => [401, 403, 429].includes(status) || status >= 500,
    );
    assert.deepEqual(sorted(documented), sorted(theirs.map(([code]) => code)));
  });
});

describe('the migration guide', () => {
  const page = readPage('docs/how-to/move-from-the-platform.md');
  const blocksOf = (language: string) =>
    page.blocks.filter((block) => block.language === language).map(({ text }) => text);

  it('shows the files and the report that the command produces for its example', async () => {
    const folder = temporaryFolder().path;
    const [properties = ''] = blocksOf('json');
    writeFileSync(join(folder, 'properties.json'), properties);
    const out = join(folder, 'gatehouse');
    const result = await runCommand(['import-properties', join(folder, 'properties.json'), '--out', out]);
    assert.equal(result.code, 0, result.err);
    const files = blocksOf('yaml').map((text) => {
      const [, path = '', content = ''] = /^# (\S+)\n(.*)$/s.exec(text) ?? [];
      assert.equal(readFileSync(join(folder, path), 'utf8').replace(/^#.*\n/, ''), content);
      return path;
    });
    assert.equal(files.length, 3);
    const [report = ''] = blocksOf('');
    assert.ok(result.out.replaceAll(out, 'gatehouse').endsWith(report), result.out);
  });
});

describe('the page about embedded task pages', () => {
  it('shows a page that accepts task outcomes from gatehouse only', () => {
    const printed: unknown[][] = [];
    const listeners: ((event: object) => void)[] = [];
    const { blocks } = readPage('docs/how-to/embed-a-task-page.md');
    const { text = '' } = blocks.find(({ language }) => language === 'js') ?? {};
    runInNewContext(text, {
      window: {
        addEventListener: (_: string, listener: (event: object) => void) => listeners.push(listener),
      },
      console: { log: (...words: unknown[]) => printed.push(words) },
    });
    const message = {
      type: 'gatehouse.task',
      task: '1',
      view: 'ShowJsonForm',
      outcome: 'approved',
      reason: '',
      export: { site: 'ber1' },
    };
    listeners[0]?.({ origin: 'https://elsewhere.example', data: message });
    listeners[0]?.({ origin: 'https://gatehouse.example', data: { ...message, type: 'other' } });
    assert.deepEqual(printed, []);
    listeners[0]?.({ origin: 'https://gatehouse.example', data: message });
    assert.deepEqual(printed, [['approved', { site: 'ber1' }]]);
  });
});
