import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { text } from '../../design/designer-text.js';
import { withExample } from '../../design/examples.js';
import { fieldCount, isEmptyForm } from '../../design/outline.js';
import { documentText, type FormState } from '../../form/model/index.js';
import { resolveBinding } from '../../form/resolve-binding.js';
import { FormView } from '../../form/view/form-view.js';
import { Button } from '../../kit/button.js';
import { Filter, Segments } from '../../kit/choices.js';
import { Empty, Notice } from '../../kit/feedback.js';
import { useToast } from '../../kit/toasts.js';
import { useUrlState } from '../../kit/url-state.js';
import { openPreview, useFormLanguage } from './form-preview.js';
import { OutlinePane } from './outline-pane.js';
import { PropertiesPane } from './properties-pane.js';
import { SourcePane } from './source-pane.js';
import type { Design } from './use-design.js';

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
          {known !== 'source' && <PreviewLanguage design={design} />}
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

/** Renders the language of the preview; nothing for a form without translations. */
function PreviewLanguage({ design: { draft } }: { readonly design: Design }): ReactNode {
  const { language, options, choose } = useFormLanguage(draft);
  if (options.length === 1) return null;
  return <Filter label={text('language')} value={language} options={options} onChange={choose} />;
}

interface LivePaneProps {
  readonly design: Design;
  readonly view: 'form' | 'table';
  /** True shows the form in the width of a phone. */
  readonly isPhone: boolean;
}

/**
 * Renders a preview of the form. Entered data stays while the form changes, is undone like edits of the form, and can
 * be saved as an example.
 */
function LivePane({ design, view, isPhone }: LivePaneProps): ReactNode {
  const { draft, canEdit, change } = design;
  const showToast = useToast();
  const [state, setState] = usePreview(design);
  if (isEmptyForm(draft.schema))
    return (
      <div data-drop-area>
        <Empty title={text('emptyTitle')}>{text(canEdit ? 'emptyHelp' : 'emptyReadOnly')}</Empty>
      </div>
    );
  if (!state)
    return (
      <Notice kind="danger" title={text('previewFailed')}>
        {text('schemaErrors')}
      </Notice>
    );
  const addExample = () => {
    change(withExample(draft, 'accepted', JSON.parse(documentText(state)) as unknown));
    showToast('success', text('exampleAdded'));
  };
  return (
    <>
      <div className="gh-preview" data-width={isPhone ? 'phone' : 'full'}>
        <FormView
          key={view}
          state={state}
          onChange={setState}
          resolveBinding={(binding, values) => resolveBinding(binding, values, draft.schema)}
          view={view}
          isPreview
        />
      </div>
      {canEdit && (
        <div className="gh-actions">
          <Button isSmall onPress={addExample}>
            {text('saveExample')}
          </Button>
        </div>
      )}
    </>
  );
}

/** Opens the form with the data of the preview, again after each change of the form and after undo. */
function usePreview({
  draft,
  preview,
  enter,
}: Design): readonly [FormState | undefined, (next: FormState) => void] {
  const { schema, uiSchema, bindingSchema } = draft;
  const { language } = useFormLanguage(draft);
  const source = useMemo(
    () => ({ schema, uiSchema, bindingSchema, language }),
    [schema, uiSchema, bindingSchema, language],
  );
  const [state, setState] = useState<FormState | undefined>(() => openPreview(source, preview));
  const opened = useRef({ source, preview });
  useEffect(() => {
    if (opened.current.source === source && opened.current.preview === preview) return;
    const isDataChanged = opened.current.preview !== preview;
    opened.current = { source, preview };
    setState((previous) =>
      openPreview(source, isDataChanged || !previous ? preview : documentText(previous)),
    );
  }, [source, preview]);
  const change = (next: FormState) => {
    setState(next);
    const editName = next.past.at(-1)?.editName ?? '';
    // A default from an orchestrator is no edit of the person: it is not undone.
    if (next.data === state?.data || editName === '') return;
    const data = documentText(next);
    opened.current = { source, preview: data };
    enter(data, `preview ${editName}`);
  };
  return [state, change];
}
