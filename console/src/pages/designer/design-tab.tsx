import type { ReactNode } from 'react';
import { Segments } from '../../kit/segments.js';
import { useUrlState } from '../../kit/url-state.js';
import { LivePane } from './live-pane.js';
import { OutlinePane } from './outline-pane.js';
import { PropertiesPane } from './properties-pane.js';
import { SourcePane } from './source-pane.js';
import type { Design } from './use-design.js';

const VIEWS = [
  { key: 'form', label: 'Form' },
  { key: 'source', label: 'Source' },
] as const;

/** Three panes: the fields, the rendered form (or its source), and the properties of one field. */
export function DesignTab({ design }: { readonly design: Design }): ReactNode {
  const [{ view }, setUrl] = useUrlState({ view: 'form', at: '' });
  return (
    <div className="gh-panes">
      <section className="gh-pane" aria-label="Outline">
        <OutlinePane design={design} />
      </section>
      <section className="gh-pane" aria-label="Form and source">
        <div className="gh-pane-head">
          <Segments
            label="Show"
            options={VIEWS}
            value={view === 'source' ? 'source' : 'form'}
            onChange={(next) => setUrl({ view: next, at: '' })}
          />
        </div>
        <div className="gh-pane-body">
          {view === 'source' ? <SourcePane design={design} /> : <LivePane design={design} />}
        </div>
      </section>
      <section className="gh-pane" aria-label="Properties">
        <PropertiesPane key={design.visit} design={design} />
      </section>
    </div>
  );
}
