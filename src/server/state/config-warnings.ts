import { dirname, resolve } from 'node:path';
import { addedFaults, type Fault } from '../../core/fault.js';
import type { Log } from '../../core/log.js';
import { objectOf } from '../../json/json-object.js';
import { pointerTo, valueAt } from '../../json/pointer.js';
import { didYouMean } from '../../lib/closest-name.js';
import { matchesName } from '../../lib/name-pattern.js';
import { listAt } from './access-policies.js';
import { accessWarnings } from './check-access.js';
import {
  adapterFolder,
  type ConfigSection,
  locateFault,
  type AdapterConfig,
  type Desired,
  type DesiredFiles,
} from './configuration.js';

/** Returns what is probably a mistake in files that are otherwise valid, as faults that refuse nothing. */
export function configWarnings(files: DesiredFiles): readonly Fault[] {
  const sections: readonly ConfigSection[] = [files.main, ...files.adapters];
  return [
    ...sections.flatMap(commentedFields),
    ...syslogPort(files.main),
    ...watchedOutputs(files.main),
    ...unmatchedAdapters(files),
    ...unusedMcpAdapters(files.main),
    ...files.adapters.flatMap(openOptions),
    ...accessWarnings(files),
    ...(files.ignored ?? []),
  ];
}

/** Files, and the state of the API that they are combined with. */
type FilesAndState = Pick<Desired, 'files' | 'state'>;

/** Logs a warning for each probable mistake that was not there `before`. */
export function warnOfConfig(desired: FilesAndState, log: Log, before?: FilesAndState): void {
  const warningsOf = (one: FilesAndState) => [...configWarnings(one.files), ...hiddenRecords(one)];
  const added = addedFaults(warningsOf(desired), before ? warningsOf(before) : []);
  for (const { file, line, pointer, message, fix } of added) {
    const place = line === 0 ? { file } : { file, line, pointer };
    log.warn('configuration has a probable mistake', { ...place, reason: message, fix });
  }
}

/** Returns warnings for adapters and limits of files that replace those of the API with the same name. */
function hiddenRecords({ files: { main, adapters }, state }: FilesAndState): readonly Fault[] {
  const hides = (written: ConfigSection['written'], pointer: string, what: string): Fault =>
    locateFault(written, {
      pointer,
      code: 'name',
      message: `replaces ${what} through the API`,
      fix: 'Rename it, or delete the one of the API after you have compared both.',
    });
  const registered = new Set(state.adapters.map(({ name }) => name));
  const limits = objectOf(valueAt(main.written.value, '/limits'));
  return [
    ...adapters
      .filter(({ id }) => registered.has(id))
      .map(({ id, written }) => hides(written, '', `the adapter "${id}" that is registered`)),
    ...state.limits
      .filter(({ name }) => Object.hasOwn(limits, name))
      .map(({ name }) =>
        hides(main.written, pointerTo('/limits', name), `the limit "${name}" that is stored`),
      ),
  ];
}

/** Returns warnings for references whose field is a comment, because a blank precedes the "#". */
function commentedFields({ written, references }: ConfigSection): readonly Fault[] {
  const { document, at } = written;
  const withWord = new Set(document.wordComments);
  return references
    .filter(({ pointer, reference }) => reference.field === null && withWord.has(at + pointer))
    .map(({ pointer }) =>
      locateFault(written, {
        pointer,
        code: 'reference',
        message: 'is a reference without a field, because the blank before "#" begins a comment',
        fix: 'Remove the blank before "#", or write a blank after "#" if the word is a comment.',
      }),
    );
}

const DEFAULT_SYSLOG_PORTS: Readonly<Record<string, number>> = { 'udp:': 514, 'tcp:': 601, 'tls:': 6514 };

/** Returns a warning for a syslog URL without a port: receivers often listen at another port than the standard one. */
function syslogPort({ written }: ConfigSection): readonly Fault[] {
  const url = valueAt(written.value, '/log/syslog/url');
  const [, scheme = ''] = /^((?:udp|tcp|tls):)\/\/(?:\[[^\]]*\]|[^:/]*)$/.exec(String(url)) ?? [];
  const port = DEFAULT_SYSLOG_PORTS[scheme];
  if (port === undefined) return [];
  const message = `names no port, so the messages go to port ${port}`;
  const fix = `Write the port of the receiver, for example ${scheme}//HOST:${port}.`;
  return [locateFault(written, { pointer: '/log/syslog/url', code: 'syslog', message, fix })];
}

/** Returns warnings for files of output in the folders of the configuration, which the server watches for changes. */
function watchedOutputs({ written }: ConfigSection): readonly Fault[] {
  // The values are absolute paths, the path of the main file is as the operator wrote it.
  const main = resolve(written.document.file);
  const watched = [dirname(main), adapterFolder(main)];
  const isWatched = (output: unknown): boolean =>
    typeof output === 'string' && watched.includes(dirname(output));
  const hasAuditFile = valueAt(written.value, '/audit/durability') !== 'store';
  return [...(hasAuditFile ? ['/audit/file'] : []), '/log/file']
    .filter((pointer) => isWatched(valueAt(written.value, pointer)))
    .map((pointer) =>
      locateFault(written, {
        pointer,
        code: 'path',
        message:
          'is in a folder that is watched for changes of the configuration, so that each write wakes the server',
        fix: 'Put the file into another folder, for example ../data.',
      }),
    );
}

/**
 * Returns warnings for adapters of limits and of `mcp` that do not exist now. Others may be registered later, so they refuse
 * nothing.
 */
function unmatchedAdapters({ main: { written }, adapters }: DesiredFiles): readonly Fault[] {
  const ids = adapters.map(({ id }) => id);
  // A main file with faults may have anything here.
  const limits = Object.keys(objectOf(valueAt(written.value, '/limits')));
  return [...limits.map((name) => pointerTo('/limits', name)), '/mcp'].flatMap((owner) =>
    listAt(written.value, `${owner}/adapters`)
      .map(String)
      .flatMap((pattern, at) =>
        ids.some((id) => matchesName(pattern, id))
          ? []
          : [
              locateFault(written, {
                pointer: `${owner}/adapters/${at}`,
                code: owner === '/mcp' ? 'mcp' : 'limits',
                message: `matches no adapter of the files${didYouMean(pattern, ids)}`,
                fix: 'Correct the name, unless the adapter is registered through the API.',
              }),
            ],
      ),
  );
}

/** Returns a warning for adapters whose methods are tools of an entrance that is not served. */
function unusedMcpAdapters({ written }: ConfigSection): readonly Fault[] {
  const isUsed = valueAt(written.value, '/mcp/enabled') === true;
  if (isUsed || listAt(written.value, '/mcp/adapters').length === 0) return [];
  const message = 'has no effect, because mcp.enabled is false';
  const fix = 'Set mcp.enabled to true, or remove the list.';
  return [locateFault(written, { pointer: '/mcp/adapters', code: 'mcp', message, fix })];
}

/** Returns a warning for a plugin whose options may have any name, so that a misspelled option is not found. */
function openOptions({ written, plugin, pluginFault }: AdapterConfig): readonly Fault[] {
  if (pluginFault !== undefined || plugin.options['additionalProperties'] === false) return [];
  const message = `its plugin "${plugin.type}" accepts options of any name, so a misspelled option is not found`;
  const fix = 'Add "additionalProperties": false to the schema "options" of the plugin.';
  return [locateFault(written, { pointer: '/plugin', code: 'plugin', message, fix })];
}
