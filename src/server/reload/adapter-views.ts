import { documentOf } from '../../config/adapter-record.js';
import type { AdapterDocument } from '../../core/adapter-document.js';
import type { AdapterView } from '../../core/adapter-directory.js';
import { loggerPropsOf } from '../../core/logger-props.js';
import { listedIn } from './apply-overrides.js';
import type { DesiredAdapter } from './desired-state.js';
import { keptDocument } from './stored-document.js';
import type { ActiveSnapshot } from './active-snapshot.js';
import { levelsOf } from './log-levels.js';
import { referenceSyntax } from './reference-syntax.js';

/** The adapters of a snapshot as clients see them, in the order of the configuration. */
export function adapterViews(snapshot: ActiveSnapshot): readonly AdapterView[] {
  const { adapters, state } = snapshot.desired;
  const isListed = listedIn(state.profile);
  return adapters.flatMap((desired) => viewOf(desired, snapshot, isListed) ?? []);
}

/** The view of one adapter. */
export function adapterView(snapshot: ActiveSnapshot, name: string): AdapterView | undefined {
  const { adapters, state } = snapshot.desired;
  const desired = adapters.find(({ id }) => id === name);
  return desired && viewOf(desired, snapshot, listedIn(state.profile));
}

function viewOf(
  desired: DesiredAdapter,
  snapshot: ActiveSnapshot,
  isListed: (id: string) => boolean,
): AdapterView | undefined {
  const { id, record, written } = desired;
  const instance = snapshot.adapters.get(id);
  if (!instance) return undefined;
  const behind = snapshot.outdated.get(id);
  return {
    document: shown(desired, snapshot),
    isActive: isListed(id),
    instance,
    ...(behind !== undefined && { behind }),
    ...(record ? { revision: record.revision } : { file: written.document.file }),
  };
}

/** As the file says it; without the options of a plugin that cannot tell which of them are secrets. */
function filed({ id, written, unusable }: DesiredAdapter): AdapterDocument {
  const document = documentOf(id, written, referenceSyntax);
  if (unusable === undefined) return document;
  const own = Object.entries(document.properties.properties).filter(([key]) => key !== 'options');
  return { ...document, properties: { ...document.properties, properties: Object.fromEntries(own) } };
}

/** Levels in use stand where clients look for them. */
function shown(desired: DesiredAdapter, { logLevel }: ActiveSnapshot): AdapterDocument {
  const { record } = desired;
  const kept = record ? keptDocument(record) : filed(desired);
  return { ...kept, loggerProps: loggerPropsOf(levelsOf(desired, logLevel), kept.loggerProps) };
}
