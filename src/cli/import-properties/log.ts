import { SYSLOG } from './skipped.js';
import { FILE, type ImportReport, looksSecret } from './import-report.js';
import { at, type SourceLocation } from './source-location.js';
import { type Keys, levelOf, type Machine } from './policies.js';

/** The block `log`: the level, the file and when it rotates, and who receives the lines as syslog messages. */
export function logOf(logger: SourceLocation, ledger: ImportReport, machine: Machine): Keys {
  const level = levelOf(logger, ledger);
  const file = fileOf(logger, ledger, machine);
  const rotation = rotationOf(logger, ledger);
  const syslog = syslogOf(at(logger, 'syslog'), ledger);
  return {
    ...(level !== undefined && { level }),
    ...(file !== undefined && { file }),
    ...(rotation && { rotation }),
    ...(syslog && { syslog }),
  };
}

/** The file, where its folder is here; else it is a task. */
function fileOf(logger: SourceLocation, ledger: ImportReport, machine: Machine): string | undefined {
  const [folder, name] = [at(logger, 'log_directory'), at(logger, 'log_filename')];
  if (typeof folder.value !== 'string' || typeof name.value !== 'string') return undefined;
  const path = `${folder.value}/${name.value}`.replaceAll(/\/{2,}/g, '/');
  if (!FILE.test(path) || looksSecret(folder.value) || looksSecret(name.value)) return undefined;
  for (const place of [folder, name]) ledger.use(place);
  if (machine.isThere(folder.value)) return path;
  ledger.tasks.push(`gatehouse.yaml: make the folder ${folder.value} here, and set log.file: ${path}.`);
  return undefined;
}

/** How large the file may grow, and how many are kept: written without a file too, for the one that will be set. */
function rotationOf(logger: SourceLocation, ledger: ImportReport): Keys | undefined {
  const bytes = ledger.whole(at(logger, 'log_max_file_size'), [1_024, Number.MAX_SAFE_INTEGER]);
  const keep = ledger.whole(at(logger, 'log_max_files'), [1, 10_000]);
  if (bytes === undefined && keep === undefined) return undefined;
  return { ...(bytes !== undefined && { bytes }), ...(keep !== undefined && { keep }) };
}

const HOST_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/;
const IPV6 = /^(?=.*:)[0-9A-Fa-f:.]{2,45}$/;
const FACILITY = /^(?:user|daemon|auth|authpriv|local[0-7])$/;

/** What the platform takes where nothing is said. */
const PLATFORM = { port: 514, facility: 'local0' };

/** A receiver that is reached over the network; the socket of the machine takes datagrams, which are not spoken here. */
function syslogOf(syslog: SourceLocation, ledger: ImportReport): Keys | undefined {
  ledger.leave(syslog, SYSLOG);
  const protocol = at(syslog, 'protocol');
  const scheme = schemeOf(protocol);
  if (scheme === undefined) return undefined;
  const name = ledger.word(at(syslog, 'host'), HOST_NAME);
  const address = ledger.word(at(syslog, 'host'), IPV6);
  const host = address === undefined ? name : `[${address}]`;
  if (host === undefined) return undefined;
  ledger.use(protocol);
  ledger.word(at(syslog, 'type'), /^(?:RFC)?5424$/);
  const port = ledger.whole(at(syslog, 'port'), [1, 65_535]) ?? PLATFORM.port;
  const appName = ledger.word(at(syslog, 'app_name'), /^[\w.+-]{1,48}$/);
  return {
    url: `${scheme}://${host}:${port}`,
    facility: ledger.word(at(syslog, 'facility'), FACILITY) ?? PLATFORM.facility,
    ...(appName !== undefined && { appName }),
  };
}

function schemeOf({ value }: SourceLocation): string | undefined {
  if (value === undefined || value === null || value === '') return 'udp';
  return typeof value === 'string' ? /^(udp|tcp|tls)[46]?$/.exec(value)?.[1] : undefined;
}
