import { Fragment, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { itemOfKey, ROW_KEYS } from '../../../text/arrow-keys.js';

/** A button of the toolbar. */
export interface Tool {
  readonly label: string;
  /** Set for a toggle button. */
  readonly isPressed?: boolean;
  readonly isOff?: boolean;
  readonly run: () => void;
}

/**
 * A toolbar with groups of buttons (WAI-ARIA APG, toolbar). Disabled buttons stay focusable, so that the order
 * of the buttons does not change.
 */
export function Tools({
  label,
  groups,
}: {
  readonly label: string;
  readonly groups: readonly (readonly Tool[])[];
}): ReactNode {
  const bar = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])];
    const next = itemOfKey(event.key, ROW_KEYS, { at: current, count: buttons.length });
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    buttons[next]?.focus();
  };
  let count = -1;
  return (
    <div ref={bar} role="toolbar" aria-label={label} className="gf-tools" onKeyDown={onKeyDown}>
      {groups.map((tools, group) => (
        <Fragment key={group}>
          {tools.length > 0 && (
            <span className="gf-tool-group">
              {tools.map((tool) => {
                count += 1;
                const index = count;
                return (
                  <ToolButton
                    key={tool.label}
                    tool={tool}
                    index={index}
                    current={current}
                    setCurrent={setCurrent}
                  />
                );
              })}
            </span>
          )}
        </Fragment>
      ))}
    </div>
  );
}

interface ToolButtonProps {
  readonly tool: Tool;
  readonly index: number;
  readonly current: number;
  readonly setCurrent: (index: number) => void;
}

function ToolButton({ tool, index, current, setCurrent }: ToolButtonProps): ReactNode {
  const { label, isPressed, isOff = false, run } = tool;
  return (
    <button
      type="button"
      className="gh-button"
      tabIndex={index === current ? 0 : -1}
      {...(isPressed !== undefined && { 'aria-pressed': isPressed })}
      aria-disabled={isOff}
      onFocus={() => setCurrent(index)}
      onClick={() => {
        if (!isOff) run();
      }}
    >
      {label}
    </button>
  );
}
