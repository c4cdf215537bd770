import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { FORM_DIALECT, withExample } from '../../design/examples.js';
import { isEmptyForm } from '../../design/outline.js';
import { documentText, type FormState, openForm, readJson } from '../../form/model/index.js';
import { resolveBinding } from '../../form/resolve-binding.js';
import { FormView } from '../../form/view/form-view.js';
import { Button } from '../../kit/button.js';
import { Empty, Notice } from '../../kit/feedback.js';
import { useToast } from '../../kit/toasts.js';
import { locale } from '../../text/locale.js';
import { textOf } from '../../text/text.js';
import type { Design } from './use-design.js';

const text = textOf('designer');

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
export function LivePane({ design, view, isPhone }: LivePaneProps): ReactNode {
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
  const source = useMemo(() => ({ schema, uiSchema, bindingSchema }), [schema, uiSchema, bindingSchema]);
  const [state, setState] = useState<FormState | undefined>(() => tryOpen(source, preview));
  const opened = useRef({ source, preview });
  useEffect(() => {
    if (opened.current.source === source && opened.current.preview === preview) return;
    const isDataChanged = opened.current.preview !== preview;
    opened.current = { source, preview };
    setState((previous) => tryOpen(source, isDataChanged || !previous ? preview : documentText(previous)));
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

function tryOpen(
  source: { readonly schema: unknown; readonly uiSchema: unknown; readonly bindingSchema: unknown },
  data: string,
): FormState | undefined {
  try {
    return openForm(
      { ...source, data: readJson(data) },
      { dialect: FORM_DIALECT, computes: true, language: locale() },
    );
  } catch {
    return undefined;
  }
}
