import type { ReactNode } from 'react';
import '../../style/parts.css';
import { pathOf } from '../../api/request.js';
import { type SettingsSchema, settingsOf } from './settings-sample.js';

/** The settings of an adapter type, folded at first. */
export function SettingsTable({
  schema,
  model,
}: {
  readonly schema: SettingsSchema;
  readonly model: string;
}): ReactNode {
  return (
    <details className="gh-fold">
      <summary>Settings of {model}</summary>
      <dl className="gh-settings">
        {settingsOf(schema).map(({ key, takes, isRequired, what }) => (
          <div key={key}>
            <dt>
              <code>{key}</code> <span className="gh-quiet">{isRequired ? `${takes}, required` : takes}</span>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <a className="gh-link" href={pathOf(['schema', 'adapters', model])} target="_blank" rel="noreferrer">
        Complete JSON Schema
      </a>
    </details>
  );
}
