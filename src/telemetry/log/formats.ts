import winston from 'winston';
import type { Transport } from '../../core/component.js';
import type { LogFields, LogLevel } from '../../core/log.js';
import type { Redact } from '../../core/secret.js';
import type { Clock } from '../../lib/clock.js';
import { type Limits, rankOf } from './level-filter.js';
import { type GatedEntry, makeEntry, type Render, renderJson } from './line.js';
import { type RenderedFields, renderFields } from './to-plain-object.js';

export interface WrittenCall {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields | undefined;
  /** Fields of the log, which are plain; `undefined` if it has none. */
  readonly base: LogFields | undefined;
  readonly limits: Limits;
}

type Format = winston.Logform.Format;

/** The member of winston's entries that has the level. */
const LEVEL = Symbol.for('level');

/** The member of winston's entries that has the text. */
export const TEXT = Symbol.for('message');

const DEBUG = rankOf('debug');
const NO_FIELDS: RenderedFields = { fields: {}, json: '{}' };

/** Returns a format that makes entries of calls: with the time, with plain fields, and without secrets. Entries stay as they are. */
export function entryFormat(clock: Clock, redact: Redact): Format {
  return formatOf((info: WrittenCall | GatedEntry) => {
    if ('time' in info) return info;
    const { level, fields, base, limits } = info;
    const stacks = level === 'error' || limits.any >= DEBUG;
    const { fields: own, json } = fields ? renderFields(fields, stacks, redact) : NO_FIELDS;
    const content = {
      message: redact(info.message),
      fields: base ? { ...base, ...own } : own,
      fieldsJson: base ? undefined : json,
    };
    return Object.assign(makeEntry(clock, level, content), { limits, [LEVEL]: level });
  });
}

/** Returns a format that renders entries as JSON, once for all outputs. */
export function jsonFormat(): Format {
  return formatOf((entry: GatedEntry) => {
    renderJson(entry);
    return entry;
  });
}

/** Returns a format that renders the entries of an output, and leaves out those below its level. */
export function outputFormat(output: Transport, render: Render): Format {
  return formatOf(
    (entry: GatedEntry) =>
      rankOf(entry.level) <= entry.limits[output] && Object.assign(entry, { [TEXT]: render(entry) }),
  );
}

/** Returns a format of winston, whose types know nothing of entries. */
function formatOf(transform: (info: never) => object | false): Format {
  return winston.format(transform as never)();
}
