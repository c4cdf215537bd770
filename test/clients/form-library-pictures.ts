import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { compileYang } from '../../src/yang/compile.js';
import { directoryLibrary } from '../../src/yang/modules/library.js';
import { ROOT } from '../docs/markdown.js';
import { openBrowser } from '../support/browser.js';
import { buildLibraryPage, openLibraryPage } from './form-library.js';

// Makes the pictures of form libraries in docs/images: `node dist/test/clients/form-library-pictures.js`.

const MODULES = process.env['YANG_MODULES'] ?? '../shared/data/yang';

/** Data that shows a choice, a list and an identityref of each module. */
const PICTURES = [
  {
    module: 'ietf-access-control-list@2019-03-04',
    data: {
      'ietf-access-control-list:acls': {
        acl: [
          {
            name: 'web',
            type: 'ietf-access-control-list:ipv4-acl-type',
            aces: { ace: [{ name: 'https', matches: { ipv4: { protocol: 6 } } }] },
          },
        ],
      },
    },
  },
  {
    module: 'ietf-system@2014-08-06',
    data: {
      'ietf-system:system': {
        hostname: 'edge1',
        clock: { 'timezone-name': 'Europe/Berlin' },
        ntp: { server: [{ name: 'ntp1', udp: { address: '192.0.2.1' } }] },
      },
    },
  },
  {
    module: 'ietf-key-chain@2017-06-15',
    data: {
      'ietf-key-chain:key-chains': {
        'key-chain': [
          {
            name: 'ospf',
            key: [{ 'key-id': '1', lifetime: { 'send-accept-lifetime': { always: [null] } } }],
          },
        ],
      },
    },
  },
] as const;

const LIBRARIES = [
  { name: 'rjsf', dialect: 'rjsf', program: 'rjsf.js', set: 'rjsf-6' },
  { name: 'json-forms', dialect: 'jsonforms', program: 'json-forms.js', set: 'json-forms' },
] as const;

const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
const library = directoryLibrary([MODULES]);
const files = readdirSync(MODULES, { recursive: true, encoding: 'utf8' });
const browser = await openBrowser();
for (const { name, dialect, program, set } of LIBRARIES) {
  const packages = join(cache, 'gatehouse-ci', 'api-tools', set, 'node_modules');
  if (!existsSync(packages)) throw new Error(`${name} is not installed: npm run api-tools -- ${set}`);
  const script = await buildLibraryPage(program, packages);
  for (const { module, data } of PICTURES) {
    const file = files.find((one) => one.endsWith(`/${module}.yang`)) ?? '';
    const compiled = compileYang([{ file, text: readFileSync(join(MODULES, file), 'utf8') }], {
      library,
      dialect,
    });
    if ('faults' in compiled) throw new Error(`${module} has faults`);
    const [form] = compiled.modules;
    if (!form) continue;
    const { page, close } = await browser.look('http://127.0.0.1', { width: 900, height: 900 });
    const shown = await openLibraryPage(page, script);
    const failures = await shown.show(form, data);
    await page.addStyleTag({ content: 'body { font: 14px sans-serif; margin: 16px; }' });
    const picture = `${name}-${module.replace(/@.*/, '')}.png`;
    await page.screenshot({ path: join(ROOT, 'docs', 'images', picture) });
    process.stderr.write(`${picture} ${failures.join('; ')}\n`);
    await close();
  }
}
await browser.close();
