import { type ReactNode, useMemo } from 'react';
import { fieldCount } from '../../design/outline.js';
import { Segments } from '../../kit/choices.js';
import { useUrlState } from '../../kit/url-state.js';
import { textOf } from '../../text/text.js';
import { LivePane } from './live-pane.js';
import { OutlinePane } from './outline-pane.js';
import { PropertiesPane } from './properties-pane.js';
import { SourcePane } from './source-pane.js';
import type { Design } from './use-design.js';

const text = textOf('designer');

const VIEWS = ['form', 'table', 'source'] as const;

/** A form with more fields than this is shown as a table, until the user chooses otherwise. */
const MAX_FIELDS = 60;

/** Renders three panes: the fields, the rendered form (or its source), and the properties of one field. */
export function DesignTab({ design }: { readonly design: Design }): ReactNode {
  const [{ view, width }, setUrl] = useUrlState({ view: '', width: 'full', at: '' });
  const isLarge = useMemo(() => fieldCount(design.draft.schema) > MAX_FIELDS, [design.draft.schema]);
  const known = VIEWS.find((one) => one === view) ?? (isLarge ? 'table' : 'form');
  return (
    <div className="gh-panes">
      <section className="gh-pane" aria-label={text('outline')}>
        <OutlinePane design={design} />
      </section>
      <section className="gh-pane" aria-label={text('formAndSource')}>
        <div className="gh-pane-head">
          <Segments
            label={text('show')}
            options={[
              { key: 'form', label: text('viewForm') },
              { key: 'table', label: text('viewTable') },
              { key: 'source', label: text('viewSource') },
            ]}
            value={known}
            onChange={(next) => setUrl({ view: next, at: '' })}
          />
          {known !== 'source' && (
            <Segments
              label={text('previewWidth')}
              options={[
                { key: 'full', label: text('widthFull') },
                { key: 'phone', label: text('widthPhone') },
              ]}
              value={width === 'phone' ? 'phone' : 'full'}
              onChange={(next) => setUrl({ width: next })}
            />
          )}
        </div>
        <div className="gh-pane-body">
          {known === 'source' ? (
            <SourcePane design={design} />
          ) : (
            <LivePane design={design} view={known} isPhone={width === 'phone'} />
          )}
        </div>
      </section>
      <section className="gh-pane" aria-label={text('properties')}>
        <PropertiesPane key={design.visit} design={design} />
      </section>
    </div>
  );
}
