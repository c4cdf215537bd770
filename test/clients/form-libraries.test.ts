import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type CompiledModule, compileYang } from '../../src/yang/compile.js';
import type { Dialect } from '../../src/yang/json-schema/dialect.js';
import { directoryLibrary } from '../../src/yang/modules/library.js';
import { openBrowser } from '../support/browser.js';
import { CHOICES_MODULE } from '../support/choices-module.js';
import {
  type ApiTool,
  apiToolNeed,
  BROWSER,
  PUBLIC_MODULES,
  PUBLIC_MODULES_FOLDER,
} from '../support/need-list.js';
import { describeWith, itWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { asModule, compileBody, compileText, judgeOf } from '../support/yang.js';
import { buildLibraryPage, dataWithEntries, type LibraryPage, openLibraryPage } from './form-library.js';
import { apiTool } from './tools.js';

/** One public module of so many, their number, and the maximum length of a schema: a library needs seconds for longer ones. */
const EVERY = 3;
const MAX_MODULES = 40;
const MAX_SCHEMA_LENGTH = 80_000;

/** One test of all libraries renders hundreds of forms. */
const LIBRARIES_TEST_MS = 900_000;

const S = '{ type string; }';
const SERVER = 'list server { key "name port"; leaf name { type string; } leaf port { type uint16; } }';

/** Modules with one construct each. */
const OWN_MODULES: Readonly<Record<string, string>> = {
  'every construct': CHOICES_MODULE,
  'a choice at the top': `choice w { leaf a ${S} leaf b ${S} } leaf c ${S}`,
  'a choice in a case': `container c { choice o { case x { choice i { leaf a ${S} leaf b ${S} } } leaf y ${S} } }`,
  'three choices': `container c { ${['p', 'q', 'r'].map((name) => `choice ${name} { leaf ${name}1 ${S} leaf ${name}2 ${S} }`).join(' ')} }`,
  'a list in a list': `list l { key k; leaf k ${S} container c { ${SERVER} } }`,
  'a shared grouping': `grouping g { ${SERVER} } container a { uses g; } container b { uses g; } container c { uses g; }`,
  numbers:
    'leaf a { type int8; } leaf b { type uint64; } leaf c { type decimal64 { fraction-digits 2; } } leaf d { type int32 { range "1|5..9"; } }',
  unions: `typedef t { type union { type int8; type string { pattern "x.*"; } } } leaf a { type t; } leaf-list b { type t; }
     leaf c { type union { type t; type boolean; type empty; } } leaf-list d { type union { type uint16; type enumeration { enum any; } } }
     leaf e { type union { type enumeration { enum any; } type string { pattern "[a-z]+"; } } }
     leaf-list f { type union { type enumeration { enum any; } type string { length 3; } } }
     list l { key k; leaf k { type union { type uint8; type enumeration { enum any; } } } leaf m { type string; } }`,
  presence: `container c { presence "on"; leaf m { type string; mandatory true; } }`,
  'an empty container': 'container c; container d { presence "on"; }',
  'any data': 'anydata a; anyxml x; container c { anydata a; }',
  'leaf-lists': `identity i; identity j { base i; } leaf-list a ${S} leaf-list b { type enumeration { enum x; enum y; } }
     leaf-list c { type identityref { base i; } } leaf-list d { type bits { bit x; } }`,
  'dates and addresses': `leaf a { type string { pattern "a"; pattern "[ab]"; length "1|3"; } }`,
};

/** A form that a user fills with the mouse. */
const SITE = `identity transport; identity fast { base transport; } identity safe { base transport; }
   container site { choice way { case tcp { leaf port { type uint16; mandatory true; } } leaf udp ${S} }
     leaf flags { type bits { bit up; bit down; } } leaf transport { type identityref { base transport; } }
     list server { key name; leaf name ${S} } }`;

const FILLED = {
  'm:site': { port: 830, flags: 'up down', transport: 'm:safe', server: [{ name: 'core' }] },
};

interface FormLibrary {
  readonly name: ApiTool;
  readonly title: string;
  readonly program: string;
  readonly dialect: Dialect;
  /** Fills in {@link FILLED}. */
  readonly fill: (page: Page) => Promise<void>;
}

const RJSF = { program: 'rjsf.js', dialect: 'rjsf', fill: fillRjsf } as const;

const JSON_FORMS = { name: 'JSON Forms', dialect: 'jsonforms' } as const;

const VANILLA = 'JSON Forms with vanilla renderers';

const LIBRARIES: readonly FormLibrary[] = [
  { ...RJSF, name: 'react-jsonschema-form 5', title: 'react-jsonschema-form 5' },
  { ...RJSF, name: 'react-jsonschema-form 6', title: 'react-jsonschema-form 6' },
  { ...JSON_FORMS, title: 'JSON Forms', program: 'json-forms.js', fill: fillMaterial },
  { ...JSON_FORMS, title: VANILLA, program: 'json-forms-vanilla.js', fill: fillVanilla },
];

for (const { name, title, program, dialect, fill } of LIBRARIES)
  describeWith([apiToolNeed(name), BROWSER], `${title} with schemas of YANG modules`, function () {
    this.timeout(LIBRARIES_TEST_MS);
    let library: LibraryPage;
    const opened = openedBySuite();

    before(async () => {
      const script = await buildLibraryPage(program, apiTool(name));
      const browser = await opened(openBrowser());
      const { page } = await opened(browser.look('http://127.0.0.1', { height: 1400 }));
      library = await openLibraryPage(page, script);
    });

    for (const [construct, body] of Object.entries(OWN_MODULES))
      it(`renders ${construct} without an error`, async () => {
        const text = body.startsWith('module') ? body : asModule(body);
        const { schema, uiSchema } = compileText(text, { dialect });
        assert.deepEqual(await library.show({ schema, uiSchema }, dataWithEntries(schema)), []);
        // Without a UI schema, the library makes a layout from the schema. The vanilla renderers have none for objects.
        if (title === VANILLA) return;
        assert.deepEqual(await library.show({ schema }, dataWithEntries(schema)), []);
      });

    itWith(PUBLIC_MODULES, 'renders public modules without an error', async () => {
      const modules = publicModules(dialect);
      const failures: unknown[] = [];
      for (const { module, schema, uiSchema } of modules) {
        const found = await library.show({ schema, uiSchema }, dataWithEntries(schema));
        if (found.length > 0) failures.push([module, found[0]]);
      }
      assert.deepEqual(failures, []);
      assert.equal(modules.length, MAX_MODULES);
    });

    it('returns valid data of a form with a choice, bits, a list and an identityref', async () => {
      const { schema, uiSchema } = compileBody(SITE, { dialect });
      assert.deepEqual(await library.show({ schema, uiSchema }), []);
      await fill(library.page);
      const data = await library.data();
      assert.deepEqual(data, FILLED);
      assert.equal(judgeOf(compileBody(SITE))(data), true);
    });
  });

async function fillRjsf(page: Page): Promise<void> {
  const field = (name: string) => page.locator(`[id="root_m:site_${name}"]`);
  await page.locator('select[id="root_m:site__oneof_select"]').selectOption({ label: 'tcp' });
  await field('port').fill('830');
  await field('flags').fill('up down');
  await field('transport').selectOption({ label: 'safe' });
  await page.locator('.rjsf-array-item-add button, .array-item-add button, .btn-add').first().click();
  await field('server_0_name').fill('core');
  await page.locator('button[type=submit]').click();
  await page.waitForFunction(() => 'data' in (globalThis as unknown as { shown: object }).shown);
}

async function fillMaterial(page: Page): Promise<void> {
  await page.getByRole('spinbutton', { name: 'port' }).fill('830');
  await page.getByRole('textbox', { name: 'flags' }).fill('up down');
  await page.getByRole('combobox', { name: 'transport' }).click();
  await page.getByRole('option', { name: 'safe' }).click();
  await page.getByRole('button', { name: /add/i }).first().click();
  // An entry is added closed.
  await page.locator('.MuiAccordionSummary-root').first().click();
  await page.locator('.MuiAccordionDetails-root input').first().fill('core');
  await waitForName(page);
}

async function fillVanilla(page: Page): Promise<void> {
  await page.getByRole('spinbutton', { name: 'port' }).fill('830');
  await page.getByRole('textbox', { name: 'flags' }).fill('up down');
  await page.getByRole('combobox', { name: 'transport' }).selectOption({ label: 'safe' });
  await page.getByRole('button', { name: /add/i }).first().click();
  await page.getByRole('textbox', { name: 'name' }).fill('core');
  await waitForName(page);
}

async function waitForName(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    JSON.stringify((globalThis as unknown as { shown: object }).shown).includes('"core"'),
  );
}

/** Returns the compiled public modules with data whose schemas are short enough. */
function publicModules(dialect: Dialect): readonly CompiledModule[] {
  const library = directoryLibrary([PUBLIC_MODULES_FOLDER]);
  const files = readdirSync(PUBLIC_MODULES_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yang'))
    .sort()
    .filter((_file, at) => at % EVERY === 0);
  const found: CompiledModule[] = [];
  for (const file of files) {
    if (found.length === MAX_MODULES) break;
    const text = readFileSync(join(PUBLIC_MODULES_FOLDER, file), 'utf8');
    const compiled = compileYang([{ file, text }], { library, dialect });
    if ('faults' in compiled) continue;
    found.push(...compiled.modules.filter(hasShortSchema));
  }
  return found.slice(0, MAX_MODULES);
}

function hasShortSchema({ schema }: CompiledModule): boolean {
  const hasData = Object.keys(schema['properties'] ?? {}).length > 0 || 'oneOf' in schema;
  return hasData && JSON.stringify(schema).length <= MAX_SCHEMA_LENGTH;
}
