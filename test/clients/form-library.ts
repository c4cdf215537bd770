import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { temporaryFolder } from '../support/temporary-folder.js';

const PROGRAMS = fileURLToPath(new URL('../../../test/clients/programs/form-libraries', import.meta.url));

/** A schema with a UI schema, as the compiler writes it for a form library. */
interface LibraryForm {
  readonly schema: object;
  readonly uiSchema?: object;
}

/** Texts that a form library shows in place of a field that it cannot render. */
const FAILURES =
  /^.*(?:Unsupported field|Unknown field type|Missing items definition|No applicable (?:cell|renderer)|threw ).*$/gm;

/** Builds the page of a form library to one script. `packages` is the folder that contains the packages. */
export async function buildLibraryPage(program: string, packages: string): Promise<string> {
  const folder = temporaryFolder().path;
  cpSync(PROGRAMS, folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(packages, join(folder, 'node_modules'));
  await build({
    configFile: false,
    logLevel: 'error',
    root: folder,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: join(folder, 'out'),
      lib: { entry: join(folder, program), formats: ['iife'], name: 'page', fileName: () => 'page.js' },
      target: 'es2022',
      minify: false,
      reportCompressedSize: false,
    },
  });
  return join(folder, 'out', 'page.js');
}

/** A page of a form library, and the messages that the library writes to the console. */
export interface LibraryPage {
  readonly page: Page;
  /** Renders a form, and returns what the library cannot render. */
  show(form: LibraryForm, data?: unknown): Promise<readonly string[]>;
  /** Returns the data of the form, of react-jsonschema-form after it was submitted. */
  data(): Promise<unknown>;
}

/** Opens the page of a form library. */
export async function openLibraryPage(page: Page, script: string): Promise<LibraryPage> {
  const messages: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) messages.push(message.text().slice(0, 300));
  });
  page.on('pageerror', (error) => messages.push(String(error)));
  await page.setContent('<!doctype html><html lang="en"><title>Form</title><main id="root"></main></html>');
  await page.addScriptTag({ path: script });
  return {
    page,
    async show(form, data) {
      messages.length = 0;
      await page.evaluate(
        ([shown, value]) => {
          (globalThis as unknown as PageFunctions).show(shown, value);
        },
        [form, data] as const,
      );
      // Effects of the library run before the next frame ends.
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            (globalThis as unknown as PageFunctions).requestAnimationFrame(() => setTimeout(resolve));
          }),
      );
      const text = await page.locator('main').innerText();
      return [...messages, ...(text.match(FAILURES) ?? [])];
    },
    data: () => page.evaluate(() => (globalThis as unknown as PageFunctions).shown.data),
  };
}

interface PageFunctions {
  show(form: LibraryForm, data: unknown): void;
  requestAnimationFrame(callback: () => void): void;
  readonly shown: { readonly data?: unknown };
}

/** Returns data with one entry in each list, so that a form library renders the fields of entries. */
export function dataWithEntries(schema: Schema, root = schema, depth = 0): unknown {
  const { type, properties, items } = resolved(schema, root);
  if (depth > 8) return undefined;
  if (type === 'array') {
    const entry = items && resolved(items, root);
    return entry?.type === 'object' ? [dataWithEntries(entry, root, depth + 1) ?? {}] : undefined;
  }
  const members = Object.entries(properties ?? {}).flatMap(([name, member]) => {
    const value = dataWithEntries(member, root, depth + 1);
    return value === undefined ? [] : [[name, value] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

interface Schema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

function resolved(schema: Schema, root: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const target = schema.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((parent, name) => (parent as Record<string, unknown>)[name], root);
  return resolved(target as Schema, root);
}
