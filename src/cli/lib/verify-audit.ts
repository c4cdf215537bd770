import { keyFileOf, readKeyFile } from '../../audit/key-file.js';
import type { ChainVerification } from '../../audit/verifier.js';
import { verifyFiles, verifyStore } from '../../audit/verify.js';
import { withConfiguredStore } from './configured-store.js';
import type { ChainHead } from '../../core/audit-chain.js';
import type { AuditSettings } from '../../core/settings.js';
import { createConfigLoader, type ConfigLoaderOptions, settingsOf } from '../../server/config-loader.js';

export interface AuditToVerify {
  readonly input: ConfigLoaderOptions;
  /** Files of one chain, oldest first; none: the trail of the configuration. */
  readonly files: readonly string[];
  /** Key of the files; the configuration is then not read. */
  readonly keyFile: string | undefined;
  /** A record that must be there. */
  readonly expected: ChainHead | undefined;
}

/** Follows the chain of an audit trail to its first break. Throws an Error that says what to do when it cannot begin. */
export async function verifyAudit({
  input,
  files,
  keyFile,
  expected,
}: AuditToVerify): Promise<ChainVerification> {
  if (keyFile !== undefined) return verifyFiles({ files, key: await keyIn(keyFile), expected });
  const { file, durability } = await auditSettings(input);
  if (durability === 'store' && files.length === 0)
    return withConfiguredStore(input, ({ audit }) => verifyStore(audit, expected));
  const key = await keyIn(keyFileOf(file));
  return verifyFiles({ files: files.length > 0 ? files : [file], key, expected });
}

/** Where the audit trail is, never comes from Vault: nothing has to be opened to know it. */
async function auditSettings(input: ConfigLoaderOptions): Promise<AuditSettings> {
  return settingsOf(await (await createConfigLoader(input)).read()).audit;
}

async function keyIn(path: string): Promise<string> {
  const key = await readKeyFile(path);
  if (key !== undefined) return key;
  throw new Error(`The key ${path} does not exist. Name the key of the files with --key.`);
}
