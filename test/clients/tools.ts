import { dirname, join } from 'node:path';
import { API_TOOLS, API_TOOLS_FOLDER, type ApiTool } from '../support/need-list.js';

/** Folder of the npm packages, for programs that import one of them. */
export const NPM_FOLDER = join(API_TOOLS_FOLDER, 'npm', 'node_modules');

/** Returns the path of a program that `npm run api-tools` installs; `apiToolNeed` returns whether it is installed. */
export function apiTool(tool: ApiTool): string {
  return join(API_TOOLS_FOLDER, API_TOOLS[tool]);
}

/** Returns the folder of a program, for the search path of a program that starts it. */
export function folderOf(tool: ApiTool): string {
  return dirname(apiTool(tool));
}
