import type { JsonObject } from '../../../core/json-object.js';
import type { Builder, Check, Rule } from '../model.js';
import type { Formats } from '../formats/formats.js';
import { quoted, textIn } from './read-keyword.js';

/** Returns the rule for `format` if formats are checked. An unknown format accepts everything. */
export function formatRule(formats: Formats): Rule {
  return (schema, builder) => check(formats, schema, builder);
}

function check(formats: Formats, schema: JsonObject, builder: Builder): Check | undefined {
  const name = textIn(schema, 'format');
  const accepts = name === undefined || builder.formats === 'annotate' ? undefined : formats.get(name);
  if (!accepts) return undefined;
  const site = builder.site('format');
  return (value, run) => {
    if (typeof value !== 'string') return true;
    run.spend(value.length >> 3);
    return accepts(value) || run.fail(site, () => `must match format ${quoted(name ?? '')}`);
  };
}
