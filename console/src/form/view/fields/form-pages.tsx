import { type ReactNode, useEffect, useRef } from 'react';
import { pointerTo } from '../../../../../src/json/pointer.js';
import { withCode } from '../../../text/inline-code.js';
import { checkAt, type FormState, type Layout, layoutOf, rowsOf } from '../../model/index.js';
import { Button, Icon } from '../controls.js';
import { useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { ValueTable } from '../print-view.js';
import { FieldGroups, type FieldNode } from './field-groups.js';

interface PagesProps {
  readonly state: FormState;
  /** The members of the form. */
  readonly nodes: readonly FieldNode[];
  /** Prefix of the ids of all fields. */
  readonly id: string;
  /** Index of the shown page; the page after the last one reviews the values. */
  readonly at: number;
  readonly show: (page: number) => void;
}

/** Returns the index of the page of a member. Members without a page are on the last one. */
export function pageOf({ pages }: Layout, name: string): number {
  const found = pages.findIndex(({ fields }) => fields.includes(name));
  return found === -1 ? pages.length - 1 : found;
}

/** A form in pages: their titles with the present one, the fields of the page, and buttons to the pages around it. */
export function FormPages({ state, nodes, id, at, show }: PagesProps): ReactNode {
  const controller = useFormController();
  const layout = layoutOf(state, '');
  const titles = [...layout.pages.map(({ title }) => title), formText('reviewPage')];
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(at);
  useEffect(() => {
    if (shown.current === at) return;
    shown.current = at;
    // A field of the page may have the focus already.
    if (heading.current?.parentElement?.contains(document.activeElement) !== true) heading.current?.focus();
  }, [at]);
  const ofPage = nodes.filter(({ row }) => pageOf(layout, row.key) === at);
  const errorsOn = (page: number) =>
    nodes.reduce(
      (sum, { row }) => sum + (pageOf(layout, row.key) === page ? row.errors.length + row.errorsBelow : 0),
      0,
    );
  const next = () => {
    controller.flush();
    const names = [...(layout.pages[at]?.fields ?? []), ...ofPage.map(({ row }) => row.key)];
    const pointers = [
      ...new Set([...ofPage.map(({ row }) => row.pointer), ...missingOf(controller.now(), names)]),
    ];
    const checked = pointers.reduce(checkAt, controller.now());
    controller.change(checked);
    const wrong = rowsOf(checked).rows.find(
      ({ pointer, errors }) =>
        errors.length > 0 && pointers.some((one) => `${pointer}/`.startsWith(`${one}/`)),
    );
    if (wrong) controller.goTo({ id: wrong.id, stop: 0 });
    else show(at + 1);
  };
  const page = layout.pages[at];
  return (
    <section className="gf-page" aria-labelledby={`${id}-page`}>
      <ol className="gf-steps">
        {titles.map((title, step) => (
          <li key={step} aria-current={step === at ? 'step' : undefined}>
            <Button onClick={() => show(step)}>
              {errorsOn(step) > 0 && <Icon name="error" />}
              <span dir="auto">{title}</span>
            </Button>
          </li>
        ))}
      </ol>
      <h2 id={`${id}-page`} ref={heading} tabIndex={-1}>
        <span dir="auto">{titles[at]}</span>{' '}
        <span className="gf-count">{formText('stepOf', { at: at + 1, count: titles.length })}</span>
      </h2>
      {page?.description !== undefined && (
        <p className="gf-notes gf-description" dir="auto">
          {withCode(page.description)}
        </p>
      )}
      {page ? (
        <FieldGroups state={state} nodes={ofPage} layout={{ ...layout, columns: page.columns }} id={id} />
      ) : (
        <ValueTable state={state} />
      )}
      <span className="gf-line">
        {at > 0 && <Button onClick={() => show(at - 1)}>{formText('previousStep')}</Button>}
        {page && (
          <Button kind="primary" onClick={next}>
            {formText('nextStep')}
          </Button>
        )}
      </span>
    </section>
  );
}

function missingOf({ form }: FormState, names: readonly string[]): readonly string[] {
  return names.filter((name) => form.root.required.has(name)).map((name) => pointerTo('', name));
}
