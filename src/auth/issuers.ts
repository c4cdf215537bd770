import { readFile } from 'node:fs/promises';
import type { CertificateFile, JudgeCertificates } from '../core/certificate.js';
import type { LocatedFault } from '../core/fault.js';
import type { OpenHttpClient } from '../core/http.js';
import type { Log } from '../core/log.js';
import type { PemFile } from '../core/secret.js';
import type { Scheduler } from '../lib/clock.js';
import { readCertificates } from '../lib/read-certificates.js';
import type { IssuerSettings } from '../settings/settings.js';
import { algorithmFaults, locationFaults, nameFaults } from './issuer-faults.js';
import { type ConfiguredIssuer, fixedKeys, type KeySource, type SharedKeys, shareKeys } from './issuer.js';
import { openRemoteKeys } from './jwks.js';
import { type Algorithm, type KeyReading, readHmacSecret, readPublicKey } from './keys.js';

interface IssuerDeps {
  readonly openHttpClient: OpenHttpClient;
  readonly clock: Scheduler;
  readonly log: Log;
  /** Key sources of earlier configurations; default: an empty set. */
  readonly shared?: SharedKeys;
  /** Judges CA certificates; absent: all are accepted. */
  readonly judge?: JudgeCertificates | undefined;
}

interface OpenedIssuers {
  /** Empty if there are faults. The caller closes their key sources. */
  readonly issuers: readonly ConfiguredIssuer[];
  readonly faults: readonly LocatedFault[];
}

/** The keys of one configured issuer, or all of its faults. */
type KeyOpening =
  | { readonly keys: KeySource; readonly ca?: string; readonly certificates?: readonly CertificateFile[] }
  | { readonly faults: readonly LocatedFault[] };

/** Inputs for the keys of one configured issuer. */
interface OpeningIssuer {
  readonly settings: IssuerSettings;
  /** Configured algorithms that are known and fit the kind of key. */
  readonly algorithms: readonly Algorithm[];
  /** `/<index>` */
  readonly pointer: string;
  readonly deps: IssuerDeps;
}

/**
 * Opens the configured issuers (`auth.issuers`): reads their key and CA files, but opens no connection.
 * Returns every fault. Pointers are relative to the list.
 */
export async function openIssuers(
  settings: readonly IssuerSettings[],
  deps: IssuerDeps,
): Promise<OpenedIssuers> {
  const openings = await Promise.all(
    settings.map((issuerSettings, at) => openKeys(issuerSettings, `/${at}`, deps)),
  );
  const issuers = openings.flatMap((opening, at) => {
    const rules = settings[at];
    return rules && 'keys' in opening ? [{ rules, ...opening }] : [];
  });
  const faults = openings.flatMap((opening) => ('faults' in opening ? opening.faults : []));
  const allFaults = [...nameFaults(settings), ...faults];
  if (allFaults.length === 0) return { issuers, faults: [] };
  await Promise.all(issuers.map(({ keys }) => keys.close()));
  return { issuers: [], faults: allFaults };
}

async function openKeys(settings: IssuerSettings, pointer: string, deps: IssuerDeps): Promise<KeyOpening> {
  const { algorithms, faults } = algorithmFaults(settings, pointer);
  if (faults.length > 0) return { faults };
  const issuer = { settings, algorithms, pointer, deps };
  if (settings.publicKeyFile !== undefined) return openKeyFile(issuer, settings.publicKeyFile);
  if (settings.secret === undefined) return openRemote(issuer);
  return openFixed(issuer, 'secret', readHmacSecret(settings.secret, algorithms));
}

async function openKeyFile(issuer: OpeningIssuer, file: PemFile): Promise<KeyOpening> {
  const pem = await readText(file);
  if (pem === undefined) return { faults: [unreadableFile(`${issuer.pointer}/publicKeyFile`)] };
  return openFixed(issuer, 'publicKeyFile', readPublicKey(pem, issuer.algorithms));
}

function openFixed({ settings, pointer }: OpeningIssuer, source: string, reading: KeyReading): KeyOpening {
  if ('key' in reading) return { keys: fixedKeys([reading.key]) };
  const { message, fix, algorithm } = reading.fault;
  if (algorithm === undefined)
    return { faults: [{ pointer: `${pointer}/${source}`, code: 'auth_key', message, fix }] };
  const at = settings.algorithms.indexOf(algorithm);
  return { faults: [{ pointer: `${pointer}/algorithms/${at}`, code: 'auth_algorithm', message, fix }] };
}

async function openRemote({ settings, algorithms, pointer, deps }: OpeningIssuer): Promise<KeyOpening> {
  const faults = locationFaults(settings, pointer);
  const ca = settings.caFile === undefined ? undefined : await readText(settings.caFile);
  if (settings.caFile !== undefined && ca === undefined) faults.push(unreadableFile(`${pointer}/caFile`));
  const certificates = ca === undefined ? [] : certificateFiles(settings.caFile, ca, pointer);
  if (certificates === undefined) faults.push(invalidCertificate(`${pointer}/caFile`));
  else if (deps.judge) faults.push(...certificates.flatMap(deps.judge));
  if (faults.length > 0) return { faults };
  const { issuer, jwksUri } = settings;
  const location = { issuer, ...(jwksUri !== undefined && { jwksUri }) };
  const { openHttpClient, clock, log, shared = shareKeys() } = deps;
  const open = (): KeySource =>
    openRemoteKeys({
      location,
      algorithms,
      client: openHttpClient(ca === undefined ? {} : { tls: { ca } }),
      clock,
      log: log.with({ issuer }),
    });
  const keys = shared.acquire(JSON.stringify([location, algorithms, ca]), open);
  return { keys, ...(ca !== undefined && { ca }), ...(certificates && { certificates }) };
}

async function readText(file: PemFile): Promise<string | undefined> {
  try {
    return typeof file === 'string' ? await readFile(file, 'utf8') : file.reveal();
  } catch {
    return undefined;
  }
}

/** Returns the CA certificates of an issuer; undefined if the text contains none, or an invalid one. */
function certificateFiles(
  source: PemFile | undefined,
  pem: string,
  pointer: string,
): readonly CertificateFile[] | undefined {
  try {
    const file = typeof source === 'string' ? source : null;
    const certificates = readCertificates(pem);
    return [{ pointer: `${pointer}/caFile`, file, kind: 'authority', certificates }];
  } catch {
    return undefined;
  }
}

function unreadableFile(pointer: string): LocatedFault {
  const message = 'names a file that cannot be read';
  return {
    pointer,
    code: 'auth_file',
    message,
    fix: 'Check that the file exists and that this process may read it.',
  };
}

function invalidCertificate(pointer: string): LocatedFault {
  const message = 'names a file that holds no PEM certificate';
  return { pointer, code: 'auth_file', message, fix: 'Give CA certificates as PEM text: BEGIN CERTIFICATE.' };
}
