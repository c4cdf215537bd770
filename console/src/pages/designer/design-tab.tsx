import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Segments } from '../../kit/choices.js';
import { useUrlState } from '../../kit/url-state.js';
import { OutlinePane } from './outline-pane.js';
import { PropertiesPane } from './properties-pane.js';
import { SourcePane } from './source-pane.js';
import { textOf } from '../../text/text.js';
import type { Design } from './use-design.js';
import { FORM_DIALECT, withExample } from '../../design/examples.js';
import { documentText, type FormState, openForm, readJson } from '../../form/model/index.js';
import { resolveBinding } from '../../form/resolve-binding.js';
import { FormView } from '../../form/view/form-view.js';
import { Button } from '../../kit/button.js';
import { Empty, Notice } from '../../kit/feedback.js';
import { useToast } from '../../kit/toasts.js';
import { isEmptyForm } from '../../design/outline.js';

const text = textOf('designer');

const VIEWS = [
  { key: 'form', label: 'Form' },
  { key: 'source', label: 'Source' },
] as const;

/** Renders three panes: the fields, the rendered form (or its source), and the properties of one field. */
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

/**
 * Renders a preview of the form. Entered data stays while the form changes, and can be saved as an example.
 */
function LivePane({ design }: { readonly design: Design }): ReactNode {
  const { draft, canEdit, change } = design;
  const showToast = useToast();
  const { schema, uiSchema, bindingSchema } = draft;
  const source = useMemo(() => ({ schema, uiSchema, bindingSchema }), [schema, uiSchema, bindingSchema]);
  const [state, setState] = useState<FormState | undefined>(() => tryOpen(source, '{}'));
  const opened = useRef(source);
  useEffect(() => {
    if (opened.current === source) return;
    opened.current = source;
    setState((previous) => tryOpen(source, previous ? documentText(previous) : '{}'));
  }, [source]);
  if (isEmptyForm(schema))
    return (
      <div data-drop-area>
        <Empty title={text('emptyTitle')}>{text(canEdit ? 'emptyHelp' : 'emptyReadOnly')}</Empty>
      </div>
    );
  if (!state)
    return (
      <Notice kind="danger" title="The form cannot be displayed">
        The schema has errors. Open the tab Check to see them.
      </Notice>
    );
  const addExample = () => {
    change(withExample(draft, 'accepted', JSON.parse(documentText(state)) as unknown));
    showToast('success', 'Added as an example. Save the form to keep it.');
  };
  return (
    <>
      <FormView state={state} onChange={setState} resolveBinding={resolveBinding} />
      {canEdit && (
        <div className="gh-actions">
          <Button isSmall onPress={addExample}>
            Add entered data as example
          </Button>
        </div>
      )}
    </>
  );
}

function tryOpen(
  source: { readonly schema: unknown; readonly uiSchema: unknown; readonly bindingSchema: unknown },
  data: string,
): FormState | undefined {
  try {
    return openForm({ ...source, data: readJson(data) }, { dialect: FORM_DIALECT });
  } catch {
    return undefined;
  }
}
