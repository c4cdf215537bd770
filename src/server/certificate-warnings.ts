import { readFile } from 'node:fs/promises';
import { type CertificateFile, judgeCertificates } from '../core/certificate.js';
import type { Fault } from '../core/fault.js';
import { readCertificates } from '../lib/read-certificates.js';
import { type ConfigSection, locateFault } from './state/configuration.js';
import type { ResolvedSection } from './state/resolve.js';

/** Pointers of the settings that name certificates: of the main file, and of an adapter. */
const CERTIFICATE_SETTING = /\/(?:certFile|caFile|clientCaFile)$/;

/**
 * Returns what an operator should know about the certificates in the files of a section, at the time `now` in milliseconds
 * since 1970: those that expire soon, and unusable ones in a bundle. Files that cannot be read are faults elsewhere.
 */
export async function certificateWarnings(
  { written }: ConfigSection,
  { files }: ResolvedSection,
  now: number,
): Promise<readonly Fault[]> {
  const named = [...files].filter(([pointer]) => CERTIFICATE_SETTING.test(pointer));
  const read = await Promise.all(named.map(([pointer, file]) => readCertificateFile(pointer, file)));
  return read
    .flatMap((file) => (file ? judgeCertificates(file, now) : []))
    .filter(({ isWarning }) => isWarning)
    .map((warning) => locateFault(written, warning));
}

async function readCertificateFile(pointer: string, file: string): Promise<CertificateFile | undefined> {
  try {
    const certificates = readCertificates(await readFile(file, 'utf8'));
    return { pointer, file, kind: pointer.endsWith('/certFile') ? 'own' : 'authority', certificates };
  } catch {
    return undefined;
  }
}
