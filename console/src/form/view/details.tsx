import type { ReactNode } from 'react';
import { labelOf, type Condition, type Row } from '../model/index.js';
import { useFormController } from './form-controller.js';
import { Icon } from './icon.js';
import type { Labels } from './labels.js';
import { brief } from './shown-text.js';

/** Details of a row: path, description, constraints and errors. */
export function Details({ row }: { readonly row: Row | undefined }): ReactNode {
  const { labels } = useFormController();
  if (!row) return null;
  return (
    <aside className="gf-details" aria-label={labels.about} tabIndex={0}>
      <h3>{row.title}</h3>
      <p className="gf-code gf-path">{row.pointer}</p>
      {row.errors.map(({ message, keyword }) => (
        <p key={keyword + message} className="gf-error">
          <Icon name="error" /> {message}
        </p>
      ))}
      {row.unknown && <p className="gf-warning">{labels.unknown}</p>}
      {row.description !== undefined && <p className="gf-description">{row.description}</p>}
      {row.help !== undefined && <p className="gf-description">{row.help}</p>}
      <dl>
        {detailsOf(row, labels).map(([name, value]) => (
          <div key={name + value}>
            <dt>{name}</dt>
            <dd>{brief(value)}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}

/** YANG statements that have a line of their own in the details. */
const SHOWN_STATEMENTS: ReadonlySet<string> = new Set([
  'type',
  'units',
  'key',
  'keys',
  'when',
  'must',
  'presence',
]);

function detailsOf(row: Row, labels: Labels): readonly (readonly [string, string])[] {
  const { units, defaultValue, list, yang } = row;
  const words = [
    row.required && labels.required,
    row.readOnly && labels.readOnly,
    row.deprecated && labels.deprecated,
  ].filter((word) => word !== false);
  return [
    [labels.type, [row.type, ...words].join(', ')] as const,
    ...(units === undefined ? [] : [[labels.units, units] as const]),
    ...(defaultValue === undefined ? [] : [[labels.default, labelOf(defaultValue)] as const]),
    ...(list && list.keys.length > 0 ? [[labels.listKeys, list.keys.join(' ')] as const] : []),
    ...row.when.map((condition) => [labels.condition, conditionText(condition, labels)] as const),
    ...row.must.map((condition) => [labels.rule, conditionText(condition, labels)] as const),
    ...Object.entries(yang).flatMap(([name, value]) =>
      !SHOWN_STATEMENTS.has(name) && (typeof value === 'string' || typeof value === 'boolean')
        ? [[name, String(value)] as const]
        : [],
    ),
  ];
}

function conditionText({ xpath, message, holds }: Condition, labels: Labels): string {
  const result = holds === undefined ? labels.undecided : holds ? labels.holds : labels.violated;
  return `${message ?? xpath} (${result})`;
}
