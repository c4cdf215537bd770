import { type ReactNode, type RefObject, useState } from 'react';
import { type FormState, openAll, rowAt, rowsOf } from '../model/index.js';
import { Details } from './details.js';
import { type CursorPosition, useDesk } from './form-controller.js';
import { Treegrid } from './grid/treegrid.js';
import { ReadOnlyPage } from './plain/read-only-page.js';
import { Toolbar } from './toolbar/toolbar.js';

export interface FormPageProps {
  readonly state: FormState;
  readonly place: CursorPosition | undefined;
  /** True as long as the position still has to get the focus. */
  readonly wanted: RefObject<boolean>;
  /** Id of the current row. */
  readonly here: string | undefined;
  readonly said: string;
  /** True to start as a plain page. */
  readonly plain: boolean | undefined;
  readonly submit: (() => void) | undefined;
}

/** The visible form: the toolbar, and the rows as a tree or as a plain page. */
export function FormPage({
  state,
  place,
  wanted,
  here,
  said,
  plain = false,
  submit,
}: FormPageProps): ReactNode {
  const desk = useDesk();
  const { labels } = desk;
  const [isPlain, setPlain] = useState(plain);
  const isEmpty = rowsOf(state).rows.length === 0;
  const switchPage = () => {
    desk.flush();
    if (!isPlain) desk.change(openAll(desk.now()));
    setPlain(!isPlain);
  };
  return (
    <div className="gf-screen">
      <Toolbar state={state} said={said} isPlain={isPlain} switchPage={switchPage} submit={submit} />
      {isEmpty && <p className="gf-empty">{state.filter === '' ? labels.emptyForm : labels.noRows}</p>}
      <div className="gf-work" hidden={isEmpty}>
        {isPlain ? (
          <ReadOnlyPage state={state} place={place} wanted={wanted} />
        ) : (
          <>
            <Treegrid state={state} place={place} wanted={wanted} />
            <Details row={here === undefined ? undefined : rowAt(state, here)} />
          </>
        )}
      </div>
    </div>
  );
}
