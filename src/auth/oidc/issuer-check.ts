import type { HttpClient } from '../../core/http.js';
import type { IssuerCheck, IssuerCheckOptions, IssuerFinding } from '../../core/login.js';
import { isUntrustedCertificate } from '../../core/transport-failure.js';
import type { JsonObject } from '../../json/json-object.js';
import { discoveryUrl, endpointOf, ISSUER_LIMITS, keyUrl, parseIssuerJson } from '../fetch-keys.js';
import type { ConfiguredIssuer } from '../issuer.js';
import { readKeySet } from '../jwk.js';
import { type Algorithm, isAlgorithm } from '../keys.js';
import { checkClient, type ClientCheckDeps } from './client-check.js';
/** One request to an issuer: the document, or the reason why there is none. */
type Answer = { readonly document: JsonObject } | { readonly reason: string; readonly status?: number };

type Ask = (url: string) => Promise<Answer>;

/**
 * Returns the checks of the issuers that publish their keys, in the order of `auth.issuers`. A check opens a
 * connection of its own for each run.
 */
export function createIssuerChecks(
  issuers: readonly ConfiguredIssuer[],
  deps: ClientCheckDeps,
): readonly IssuerCheck[] {
  return issuers.flatMap((issuer, at): readonly IssuerCheck[] => {
    const { discovery, jwksUri, issuer: name } = issuer.rules;
    if (!discovery && jwksUri === undefined) return [];
    const placed = (finding: IssuerFinding): IssuerFinding => ({
      ...finding,
      pointer: `/issuers/${at}${finding.pointer}`,
    });
    return [{ issuer: name, run: async (options) => (await check(issuer, options, deps)).map(placed) }];
  });
}

async function check(
  issuer: ConfiguredIssuer,
  { triesClient = false, signal }: IssuerCheckOptions = {},
  deps: ClientCheckDeps,
): Promise<readonly IssuerFinding[]> {
  const { rules, ca } = issuer;
  const http = deps.openHttpClient(ca === undefined ? {} : { tls: { ca } });
  const ask: Ask = (url) => fetchDocument(url, http, signal);
  try {
    if (rules.jwksUri !== undefined)
      return await keyFindings({ url: rules.jwksUri, pointer: '/jwksUri' }, issuer, ask);
    const metadata = await checkMetadata(issuer, ask);
    if ('findings' in metadata) return metadata.findings;
    const findings = [
      ...(await discoveredKeys(metadata.document, issuer, ask)),
      ...clientFindings(metadata.document, issuer),
    ];
    if (!triesClient || findings.some(({ isWarning }) => !isWarning)) return findings;
    return [...findings, ...(await checkClient(issuer, http, deps))];
  } finally {
    await http.close();
  }
}

async function fetchDocument(
  url: string,
  http: HttpClient,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  try {
    const request = { method: 'GET', url, headers: { accept: 'application/json' } };
    const { status, body } = await http.send(request, ISSUER_LIMITS, signal);
    if (status !== 200) return { reason: `${url} answers with status ${status}`, status };
    return { document: parseIssuerJson(body) };
  } catch (error) {
    return { reason: `${url}: ${error instanceof Error ? error.message : 'unknown'}` };
  }
}

/** Fetches the metadata and compares its `issuer`. Returns findings if the metadata is not usable. */
async function checkMetadata(
  { rules: { issuer } }: ConfiguredIssuer,
  ask: Ask,
): Promise<{ readonly document: JsonObject } | { readonly findings: readonly IssuerFinding[] }> {
  const answer = await ask(discoveryUrl(issuer) ?? '');
  if ('reason' in answer) return { findings: [await unreachable(issuer, answer, ask)] };
  const { issuer: named } = answer.document;
  if (named === issuer) return answer;
  const pointer = '/issuer';
  const code = 'issuer_name';
  if (!isShownIssuer(named)) {
    const message = 'has metadata with no issuer, or an issuer that is not an https address';
    const fix = 'Check that the address is that of an OpenID provider.';
    return { findings: [{ pointer, code, message, fix }] };
  }
  const message = `is not the issuer in its metadata, "${named}": ${issuerDifference(issuer, named)} differs`;
  const fix = `Write issuer: ${named} - tokens contain the issuer in this spelling.`;
  return { findings: [{ pointer, code, message, fix }] };
}

/** Returns the finding for an issuer without metadata. Tries other spellings, to name one that works. */
async function unreachable(
  issuer: string,
  { reason, status }: { readonly reason: string; readonly status?: number },
  ask: Ask,
): Promise<IssuerFinding> {
  const message = `has no metadata: ${reason}`;
  const code = status === undefined ? 'issuer_unreachable' : 'issuer_metadata';
  for (const spelling of otherSpellings(issuer)) {
    const answer = await ask(discoveryUrl(spelling) ?? '');
    const named = 'document' in answer ? answer.document['issuer'] : undefined;
    if (!isShownIssuer(named)) continue;
    return {
      pointer: '/issuer',
      code: 'issuer_name',
      message,
      fix: `Write issuer: ${named} - it answers there.`,
    };
  }
  return { pointer: '/issuer', code, message, fix: adviceFor(issuer, reason, status) };
}

function adviceFor(issuer: string, reason: string, status: number | undefined): string {
  // The issuer of a key set (`jwksUri`) may be any text.
  const realm = URL.canParse(issuer) ? realmOf(new URL(issuer).pathname) : undefined;
  if (status === 404 && realm !== undefined)
    return `Check the name of the realm, "${realm}": letters of both cases differ.`;
  if (status !== undefined) return 'Check that the address is that of an OpenID provider, with its path.';
  if (isUntrustedCertificate(reason))
    return 'Set caFile to the PEM file of the CA that signed the certificate of the issuer.';
  return 'Check that the issuer runs, and that this machine may connect to it.';
}

async function discoveredKeys(
  metadata: JsonObject,
  issuer: ConfiguredIssuer,
  ask: Ask,
): Promise<readonly IssuerFinding[]> {
  const url = usableEndpoint(metadata, 'jwks_uri');
  return 'reason' in url
    ? [badMetadata(url.reason)]
    : keyFindings({ url: url.value, pointer: '/discovery' }, issuer, ask);
}

/** Fetches the keys and looks for a key for each listed algorithm. */
async function keyFindings(
  { url, pointer }: { readonly url: string; readonly pointer: string },
  { rules }: ConfiguredIssuer,
  ask: Ask,
): Promise<readonly IssuerFinding[]> {
  const answer = await ask(url);
  if ('reason' in answer) {
    const code = answer.status === undefined ? 'issuer_unreachable' : 'issuer_keys';
    const fix = adviceFor(rules.issuer, answer.reason, answer.status);
    return [{ pointer, code, message: `has no keys: ${answer.reason}`, fix }];
  }
  const listed = rules.algorithms.filter(isAlgorithm);
  const published = algorithmsIn(answer.document, listed);
  const missing = listed.filter((algorithm) => !published.includes(algorithm));
  if (missing.length === 0) return [];
  const offered = namedAlgorithms(answer.document);
  const message = `has ${missing.join(', ')}, for which the issuer publishes no key`;
  const advice = offered.length > 0 ? `The keys of the issuer are for ${offered.join(', ')}. ` : '';
  const fix = `${advice}List the algorithms with which the issuer signs its access tokens.`;
  const isUsable = published.length > 0;
  return [
    { pointer: '/algorithms', code: 'issuer_keys', message, fix, ...(isUsable && { isWarning: true }) },
  ];
}

/** Returns the listed algorithms for which the set has a usable key. */
function algorithmsIn(document: JsonObject, listed: readonly Algorithm[]): readonly Algorithm[] {
  try {
    return readKeySet(document, listed).keys.flatMap(({ algorithms }) => algorithms);
  } catch {
    return [];
  }
}

function namedAlgorithms({ keys }: JsonObject): readonly string[] {
  const named = (Array.isArray(keys) ? keys : []).map(
    (key: unknown) => (key as { alg?: unknown } | null)?.alg,
  );
  return [...new Set(named.filter((name) => typeof name === 'string').filter(isAlgorithm))];
}

/** Returns what prevents the sign-in with a browser or at a shell, according to the metadata. */
function clientFindings(
  metadata: JsonObject,
  { rules: { signIn } }: ConfiguredIssuer,
): readonly IssuerFinding[] {
  if (!signIn) return [];
  const endpoints = ['authorization_endpoint', 'token_endpoint'].map((name) =>
    usableEndpoint(metadata, name),
  );
  const methods = metadata['code_challenge_methods_supported'];
  const lacksPkce = Array.isArray(methods) && !methods.includes('S256');
  return [
    ...endpoints.flatMap((endpoint) => ('reason' in endpoint ? [badMetadata(endpoint.reason)] : [])),
    ...(lacksPkce
      ? [
          {
            pointer: '/signIn',
            code: 'issuer_pkce',
            message: 'needs PKCE with S256 (RFC 7636), which the metadata of the issuer does not list',
            fix: 'Allow the code challenge method S256 at the issuer.',
          },
        ]
      : []),
  ];
}

function usableEndpoint(
  metadata: JsonObject,
  name: string,
): { readonly value: string } | { readonly reason: string } {
  try {
    const value = endpointOf(metadata, name);
    return keyUrl(value) ? { value } : { reason: `its ${name} is not https` };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : 'unknown' };
  }
}

function badMetadata(reason: string): IssuerFinding {
  const fix = 'Check the hostname settings of the issuer, and of the proxy in front of it.';
  return { pointer: '/issuer', code: 'issuer_metadata', message: `has unusable metadata: ${reason}`, fix };
}

/** Maximum length of an issuer in a message, in characters. */
const SHOWN_LENGTH = 300;

/** Returns true if a message may contain the issuer that a server names: a URL of usual length. */
export function isShownIssuer(named: unknown): named is string {
  return typeof named === 'string' && named.length <= SHOWN_LENGTH && keyUrl(named) !== undefined;
}

/**
 * Returns the difference between two issuers in words, for example `the trailing slash`. Both are URLs. Issuers
 * are compared character by character (OpenID Connect Discovery 1.0, section 4.3).
 */
export function issuerDifference(configured: string, named: string): string {
  const [ours, theirs] = [new URL(configured), new URL(named)];
  if (configured.replace(/\/$/, '') === named.replace(/\/$/, '')) return 'the trailing slash';
  const parts: readonly (readonly [string, boolean])[] = [
    ['http instead of https', ours.protocol === 'http:' && theirs.protocol === 'https:'],
    ['https instead of http', ours.protocol === 'https:' && theirs.protocol === 'http:'],
    ['the host', ours.hostname !== theirs.hostname],
    ['the port', ours.hostname === theirs.hostname && ours.port !== theirs.port],
    [pathDifference(ours.pathname, theirs.pathname), ours.pathname !== theirs.pathname],
  ];
  const differing = parts.flatMap(([name, differs]) => (differs ? [name] : []));
  return differing.length === 0 ? 'the spelling' : differing.join(' and ');
}

function pathDifference(ours: string, theirs: string): string {
  const [ourRealm, theirRealm] = [realmOf(ours), realmOf(theirs)];
  return ourRealm !== undefined && theirRealm !== undefined && ourRealm !== theirRealm
    ? 'the realm'
    : 'the path';
}

/** Returns the realm in the path of a Keycloak issuer; `undefined` for any other path. */
export function realmOf(pathname: string): string | undefined {
  return /\/realms\/([^/]+)\/?$/.exec(pathname)?.[1];
}

/**
 * Returns other spellings under which operators often find the issuer: the other scheme, the path `/auth` of
 * Keycloak before version 17, and the suffix `/v2.0` of Microsoft Entra ID. Omits unsafe URLs.
 */
export function otherSpellings(issuer: string): readonly string[] {
  const url = new URL(issuer);
  const withPath = (pathname: string): string => url.origin + pathname.replace(/\/$/, '');
  const candidates = [
    issuer.replace(/^https?:/, url.protocol === 'https:' ? 'http:' : 'https:'),
    ...(url.pathname.startsWith('/realms/') ? [withPath(`/auth${url.pathname}`)] : []),
    ...(url.pathname.startsWith('/auth/realms/') ? [withPath(url.pathname.slice('/auth'.length))] : []),
    ...(url.pathname.includes('/v2.0') ? [] : [withPath(`${url.pathname.replace(/\/$/, '')}/v2.0`)]),
  ];
  return candidates.filter((candidate) => keyUrl(candidate) !== undefined);
}
