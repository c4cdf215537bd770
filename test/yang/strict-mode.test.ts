import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type CompileOptions, compileYang } from '../../src/yang/compile.js';
import { type Dialect, DIALECTS, defaultDraft, SCHEMA_KEYWORDS } from '../../src/yang/json-schema/dialect.js';
import { directoryLibrary, headingOf } from '../../src/yang/modules/library.js';
import { CHOICES_MODULE } from '../support/choices-module.js';
import { PUBLIC_MODULES, PUBLIC_MODULES_FOLDER } from '../support/need-list.js';
import { itWith } from '../support/needs.js';
import { asModule } from '../support/yang.js';

const S = '{ type string; }';
const ENTRIES = `list b { key k; leaf k ${S} }`;

/** Modules with constructs whose rules relate several members. */
const MODULES: Readonly<Record<string, string>> = {
  'choices in choices': CHOICES_MODULE,
  'a mandatory choice with a list': `container c { presence "on"; choice ch { mandatory true; leaf a ${S} ${ENTRIES} } }`,
  'a case with mandatory nodes': `choice ch { case x { leaf a { type string; mandatory true; } container n { leaf m { type string; mandatory true; } } ${ENTRIES} } leaf y ${S} }`,
  'a mandatory choice of containers': `choice ch { mandatory true; container p { container q { leaf a ${S} } } container r { ${ENTRIES} } }`,
  'a container in a case': `choice ch { container p { leaf a { type string; mandatory true; } choice i { leaf d ${S} leaf-list e ${S} } } leaf y ${S} }`,
  'any data': 'anydata a; anyxml x; choice ch { anyxml u; anydata v; }',
  unions: `leaf a { type union { type uint16; type enumeration { enum any; } type boolean; type empty; } }
    leaf b { type union { type union { type int8; type uint32; } type string { length 3; pattern "a.*"; } } } leaf-list d { type union { type int8; type string; } }`,
  types: `leaf a { type uint8 { range "1|5..9"; } } leaf b { type decimal64 { fraction-digits 18; range "-1..1|3.5"; } } leaf d { type binary { length 5; } }
    leaf e { type bits { bit x; bit y; } } leaf f { type instance-identifier; } leaf g { type string { length "1|3"; pattern "a" { modifier invert-match; } pattern "b"; } }
    identity i; identity j { base i; } leaf h { type identityref { base i; } } leaf k { type identityref { base j; } } leaf l { type leafref { path "../a"; } }`,
  operations: `rpc r { input { choice ch { mandatory true; leaf a ${S} ${ENTRIES} } } output { leaf o { type string; mandatory true; } } }
    notification n { choice ch { leaf a ${S} ${ENTRIES} } }`,
};

/** Asserts that all documents of a module compile in Ajv's strict mode, in each dialect. */
function assertStrict(file: string, text: string, options: CompileOptions = {}): void {
  for (const dialect of DIALECTS) {
    const compile = (target?: string) => {
      const more = { dialect, content: 'all', ...(target !== undefined && { target }) } as const;
      const made = compileYang([{ file, text }], { ...options, ...more });
      assert.ok('modules' in made, file);
      for (const { schema } of made.modules)
        assert.doesNotThrow(() => strictAjv(dialect).compile(schema), `${file} ${dialect} ${target ?? ''}`);
      return made.modules.flatMap(({ targets }) => targets);
    };
    compile().slice(0, MAX_TARGETS).forEach(compile);
  }
}

const MAX_TARGETS = 4;

function strictAjv(dialect: Dialect): Ajv {
  const options = { strict: true, validateSchema: false };
  const ajv = defaultDraft(dialect) === '07' ? new Ajv(options) : new Ajv2020(options);
  addFormats.default(ajv);
  return ajv.addVocabulary([...SCHEMA_KEYWORDS]);
}

describe("schemas in Ajv's strict mode", () => {
  for (const [name, body] of Object.entries(MODULES))
    it(`compile for ${name}`, () => {
      assertStrict('m.yang', body.startsWith('module') ? body : asModule(body));
    });

  itWith(PUBLIC_MODULES, 'compile for public modules', () => {
    const library = directoryLibrary([PUBLIC_MODULES_FOLDER]);
    const modules = readdirSync(PUBLIC_MODULES_FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yang'))
      .sort()
      .map((file) => ({ file, text: readFileSync(join(PUBLIC_MODULES_FOLDER, file), 'utf8') }))
      .filter(({ text }) => text.length <= MAX_LENGTH && headingOf(text)?.kind === 'module');
    const compiled = modules.filter(
      (source, at) => at % EVERY === 0 && 'modules' in compileYang([source], { library }),
    );
    for (const { file, text } of compiled) assertStrict(file, text, { library });
    assert.ok(compiled.length > 10, `${compiled.length} modules`);
  });
});

/** One module of so many is compiled, if its text has at most so many characters. */
const EVERY = 25;
const MAX_LENGTH = 100_000;
