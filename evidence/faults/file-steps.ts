import { createPrivateKey } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import { createSigningKey } from '../../src/auth/key-file.js';
import { rewriteFile } from '../../src/cli/secrets-migrate.js';
import { createKeyFile } from '../../src/features/audit/trail/key.js';
import { LogFile } from '../../src/telemetry/log/log-file.js';

/** Something that is kept in files outside of the store and the trail. */
interface FileStep {
  /** Names of the files in the folder, including temporary files. */
  readonly files: readonly string[];
  take(folder: string): Promise<void>;
  /**
   * Returns the fault of the files afterwards. A file must be whole or absent, and must exist after a
   * successful step.
   */
  wrong(folder: string, isDone: boolean): string | undefined;
}

const AUDIT_KEY = 'audit.log.key';
const SIGNING_KEY = 'key.pem';
const CONFIG = 'gatehouse.yaml';
const LOG = 'gatehouse.log';
/** The configuration before and after the rewrite, and the pattern that distinguishes them. */
export const REWRITE = {
  before: `# before\n${'x'.repeat(9_000)}\n`,
  after: `# after\n${'y'.repeat(9_000)}\n`,
  patch: '[]\n',
};
const LINE = `${'a line of the log '.repeat(80)}\n`;
const ROTATION = { bytes: 1024, hours: null, keep: 2, compress: true };
const BEGIN = Date.UTC(2026, 0, 2, 3, 4, 5);
const HOUR_MS = 3_600_000;
const ARCHIVES = [1, 2, 3].map((hour) => `${LOG}.20260102T0${3 + hour}0405.000Z`);

/** Numbers of the lots that are drawn for drafts. */
const LOTS = [1, 2, 3, 4].map((lot) => lot.toString(16).padStart(12, '0'));
const draftsOf = (name: string): readonly string[] =>
  LOTS.map((lot) => `${name}.00000000-0000-4000-8000-${lot}.tmp`);
const hiddenDraftsOf = (name: string): readonly string[] => LOTS.map((lot) => `.${name}.${lot}.tmp`);

export const FILE_STEPS: Readonly<Record<string, FileStep>> = {
  'a key of the trail': {
    files: [AUDIT_KEY, ...draftsOf(AUDIT_KEY)],
    take: (folder) => createKeyFile(join(folder, AUDIT_KEY)),
    wrong: (folder, isDone) =>
      wrongText(textOf(folder, AUDIT_KEY), isDone, (text) => /^[0-9a-f]{64}\n$/.test(text)),
  },
  'a signing key': {
    files: [SIGNING_KEY, ...draftsOf(SIGNING_KEY)],
    async take(folder) {
      await createSigningKey(join(folder, SIGNING_KEY));
    },
    wrong: (folder, isDone) => wrongText(textOf(folder, SIGNING_KEY), isDone, isPrivateKey),
  },
  'a rewritten configuration': {
    files: [
      ...[CONFIG, `${CONFIG}.bak`, `${CONFIG}.bak.2`, `${CONFIG}.json-patch`],
      ...[...hiddenDraftsOf(CONFIG), ...hiddenDraftsOf(`${CONFIG}.json-patch`)],
    ],
    async take(folder) {
      await rewriteFile({ file: join(folder, CONFIG), ...REWRITE });
    },
    wrong: wrongRewrite,
  },
  'a log that is put away': {
    files: [LOG, ...ARCHIVES, ...ARCHIVES.map((name) => `${name}.gz`)],
    take: putLogAway,
    wrong: (folder) =>
      wrongText(archivesIn(folder).join(''), true, (text) => text === LINE.repeat(text.length / LINE.length)),
  },
};

function wrongText(
  text: string | undefined,
  isDone: boolean,
  isWhole: (text: string) => boolean,
): string | undefined {
  if (text === undefined) return isDone ? 'done, and not there' : undefined;
  return isWhole(text) ? undefined : 'not whole';
}

function textOf(folder: string, name: string): string | undefined {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'ec';
  } catch {
    return false;
  }
}

function wrongRewrite(folder: string, isDone: boolean): string | undefined {
  const text = textOf(folder, CONFIG);
  const { before, after, patch } = REWRITE;
  if (text !== after && (isDone || text !== before)) return 'the file is neither as before nor as after';
  const backups = readdirSync(folder).filter((name) => name.startsWith(`${CONFIG}.bak`));
  if (text === after && backups.length === 0) return 'rewritten without a backup';
  if (backups.some((name) => textOf(folder, name) !== before)) return 'a backup is not whole';
  return wrongText(textOf(folder, `${CONFIG}.json-patch`), isDone, (found) => found === patch);
}

/** Fills the file an hour after the other, and has it put away each time. */
async function putLogAway(folder: string): Promise<void> {
  let now = BEGIN;
  const failures: unknown[] = [];
  const failed = (error: unknown): void => void failures.push(error);
  const file = new LogFile(join(folder, LOG), {
    rotation: ROTATION,
    clock: { now: () => now },
    failed,
  });
  for (let hour = 0; hour < 4; hour += 1) {
    const stream = file.open();
    stream.on('error', failed);
    stream.end(LINE);
    await finished(stream).catch(() => undefined);
    now += HOUR_MS;
    file.needsReopen();
  }
  if (failures.length > 0) throw failures[0] as Error;
}

function archivesIn(folder: string): readonly string[] {
  const files = readdirSync(folder).filter((name) => /\.\d+T\d+\.\d+Z(\.gz)?$/.test(name));
  return files.map((name) => {
    const bytes = readFileSync(join(folder, name));
    return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  });
}
