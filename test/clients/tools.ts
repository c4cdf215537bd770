import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Context } from 'mocha';
import { skip } from '../deploy/tool.js';

/** Folder into which `npm run api-tools` installs the programs. */
const FOLDER = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'gatehouse-ci', 'api-tools');

/** Programs by name. Each set has a record that is written after the whole set was installed. */
const PROGRAMS = {
  redocly: 'npm/node_modules/.bin/redocly',
  spectral: 'npm/node_modules/.bin/spectral',
  'openapi-typescript': 'npm/node_modules/.bin/openapi-typescript',
  schemathesis: 'python/bin/schemathesis',
  'openapi-python-client': 'python/bin/openapi-python-client',
  python: 'python/bin/python',
  'oapi-codegen': 'go/oapi-codegen',
  'mcp-inspector': 'mcp-inspector/node_modules/.bin/mcp-inspector',
  'react-jsonschema-form 5': 'rjsf-5/node_modules',
  'react-jsonschema-form 6': 'rjsf-6/node_modules',
  'JSON Forms': 'json-forms/node_modules',
} as const;

export type ApiTool = keyof typeof PROGRAMS;

/** Folder of the npm packages, for programs that import one of them. */
export const NPM_FOLDER = join(FOLDER, 'npm', 'node_modules');

function isInstalled(tool: ApiTool): boolean {
  const [set = ''] = PROGRAMS[tool].split('/');
  return existsSync(join(FOLDER, set, 'versions.json')) && existsSync(join(FOLDER, PROGRAMS[tool]));
}

/** Returns the names of the programs that are not installed. */
export function lackingApiTools(): readonly string[] {
  return (Object.keys(PROGRAMS) as ApiTool[]).filter((tool) => !isInstalled(tool));
}

/** Returns the path of a program. Skips the test with a reason if the program is not installed. */
export function apiTool(test: Context, tool: ApiTool): string {
  return isInstalled(tool)
    ? join(FOLDER, PROGRAMS[tool])
    : skip(test, `${tool} is not installed: npm run api-tools`);
}

/** Returns the folder of a program, for the search path of a program that starts it. */
export function folderOf(tool: ApiTool): string {
  return dirname(join(FOLDER, PROGRAMS[tool]));
}
