import assert from 'node:assert/strict';
import { checkMistake, type Mistake } from '../../support/mistakes.js';

const OPTIONS = `options: { type: 'object', additionalProperties: false, properties: { password: { type: 'string', 'x-secret': true } } }`;

/** Returns the source of a plugin; its function `create` begins on line 6. */
const source = (create: string, options = OPTIONS): string =>
  `export const plugin = {\n  type: 'acme',\n  apiVersion: 1,\n  summary: 'Test.',\n  ${options},\n  ${create},\n};\n`;

const PASSWORD = 'hunter22hunter22';

function install(index: string, { keywords = ['gatehouse-plugin'], more = {} } = {}): Mistake {
  return {
    files: {
      'adapters/nso1.yaml': `plugin: acme\nbaseUrl: http://127.0.0.1:9\noptions: { password: ${PASSWORD} }\n`,
      'node_modules/acme/package.json': JSON.stringify({
        name: 'acme',
        version: '1.0.0',
        type: 'module',
        exports: './index.js',
        keywords,
      }),
      'node_modules/acme/index.js': index,
      ...more,
    },
  };
}

const CORRECT_PLUGIN =
  'Correct the plugin "acme", or install another version; in its folder, "npm install" installs the packages that it needs, and "npm run build" compiles it.';
const UNUSABLE = 'its plugin "acme" cannot be used';
const BREACH = `${UNUSABLE}: it breaks the contract`;
const NO_TRANSLATE =
  'what create() of its plugin returns has no function "translate"; write translate(call), which returns the requests';

describe('gatehouse check tells what is wrong with a plugin', () => {
  for (const [mistake, mistaken, says] of [
    [
      'P01 a syntax error, with its line',
      install('export const plugin = {\n  create() {\n'),
      `${UNUSABLE}: SyntaxError: Unexpected end of input (acme/index.js:3) | ${CORRECT_PLUGIN}`,
    ],
    [
      'P01 a syntax error in another module of the plugin',
      install("import './other.js';\n", {
        more: { 'node_modules/acme/other.js': 'const a = 1;\nconst b = = 2;\n' },
      }),
      `${UNUSABLE}: SyntaxError: Unexpected token '=' (acme/other.js:2) | ${CORRECT_PLUGIN}`,
    ],
    [
      'P01 an error while the module is loaded',
      install("const a = 1;\nthrow new Error('boom');\n"),
      `${UNUSABLE}: boom (acme/index.js:2) | ${CORRECT_PLUGIN}`,
    ],
    [
      'P04 another type',
      install(source('create() {}').replace("'acme'", "'other'")),
      `${BREACH}: its type is not the name of its package; write type: 'acme' | ${CORRECT_PLUGIN}`,
    ],
    [
      'P06 a package without the keyword',
      install(source('create() {}'), { keywords: [] }),
      'names an npm package without the keyword "gatehouse-plugin" | If the package is a plugin, add "gatehouse-plugin" to "keywords" in node_modules/acme/package.json.',
    ],
    [
      'P07 an error of create(), with its line and without secrets',
      install(source("create(options) {\n    throw new Error('boom: ' + options.password.reveal());\n  }")),
      'its plugin failed to create it: boom: [redacted] (acme/index.js:7) | Correct the code of the plugin "acme", or the options that it does not expect.',
    ],
    [
      'P09 a missing package',
      install("import 'not-installed';\n"),
      `${UNUSABLE}: Cannot find package 'not-installed' imported from node_modules/acme/index.js | ${CORRECT_PLUGIN}`,
    ],
    [
      'P11 no function translate',
      install(source('create() { return {}; }')),
      `${NO_TRANSLATE} | ${CORRECT_PLUGIN}`,
    ],
  ] as const)
    // prettier-ignore
    it(mistake, async () => {
      const { faults } = await checkMistake(mistaken);
      assert.deepEqual(faults, [`adapters/nso1.yaml:1:9 /plugin: ${says}`]);
      assert.ok(!faults.join().includes(PASSWORD));
    });

  it('P05 options of any name, as a warning', async () => {
    const options = OPTIONS.replace('additionalProperties: false, ', '');
    const { faults, warnings } = await checkMistake(
      install(source('create() { return { translate() {} }; }', options)),
    );
    assert.deepEqual(faults, []);
    assert.ok(
      warnings.startsWith(
        'warning: adapters/nso1.yaml:1:9 /plugin: its plugin "acme" accepts options of any name, so a misspelled option is not found [plugin]\n    Add "additionalProperties": false to the schema "options" of the plugin.\n',
      ),
      warnings,
    );
  });
});
