import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A case of the public JSON-Schema-Test-Suite. */
export interface SuiteCase {
  /** The file, the group and the description of the test. */
  readonly name: string;
  readonly file: string;
  readonly schema: unknown;
  readonly data: unknown;
  readonly valid: boolean;
}

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

/**
 * Returns the cases of a draft's folder, for example `draft7` or `draft7/optional/format`, without those of folders
 * below.
 */
export function casesIn(root: string, folder: string): readonly SuiteCase[] {
  const folderPath = join(root, 'tests', folder);
  return readdirSync(folderPath)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) =>
      (readJson(join(folderPath, file)) as readonly Group[]).flatMap(
        ({ description: group, schema, tests }) =>
          tests.map(({ description, data, valid }) => ({
            name: `${folder}/${file}: ${group}: ${description}`,
            file,
            schema,
            data,
            valid,
          })),
      ),
    );
}

/** Returns the external schemas that the suite refers to, by URI. */
export function remotesOf(root: string, draft: string): Readonly<Record<string, unknown>> {
  const folderPath = join(root, 'remotes');
  const files = readdirSync(folderPath, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.json'),
  );
  const own = files.filter((file) => !/^(draft|v1)/.test(file) || file.startsWith(`${draft}/`));
  return Object.fromEntries(
    own.map((file) => [`http://localhost:1234/${file}`, readJson(join(folderPath, file))]),
  );
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
