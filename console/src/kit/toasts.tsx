import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button } from './button.js';
import { text as messages } from './kit-text.js';

interface Toast {
  readonly id: number;
  readonly kind: 'success' | 'danger' | 'info';
  readonly text: string;
}

/**
 * Shows the result of an action in a corner of the page. All results except failures disappear after some
 * seconds.
 */
type ShowToast = (kind: Toast['kind'], text: string) => void;

const ToastContext = createContext<ShowToast>(() => undefined);

/** Returns the function that shows the result of an action as a toast. */
export function useToast(): ShowToast {
  return useContext(ToastContext);
}

/** Time until a toast disappears, in milliseconds; failures stay until the user closes them. */
const VISIBLE_MS = 6000;

export function Toasts({ children }: { readonly children: ReactNode }): ReactNode {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const latest = useRef(0);
  const list = useRef<HTMLUListElement>(null);
  // Above a dialog that is open.
  useLayoutEffect(() => {
    list.current?.hidePopover();
    if (toasts.length > 0) list.current?.showPopover();
  }, [toasts]);
  const close = useCallback((id: number) => setToasts((all) => all.filter((one) => one.id !== id)), []);
  const showToast = useCallback<ShowToast>(
    (kind, text) => {
      const id = ++latest.current;
      setToasts((all) => [...all.slice(-4), { id, kind, text }]);
      if (kind !== 'danger') window.setTimeout(() => close(id), VISIBLE_MS);
    },
    [close],
  );
  return (
    <ToastContext.Provider value={useMemo(() => showToast, [showToast])}>
      {children}
      <ul
        ref={list}
        className="gh-toasts"
        popover="manual"
        role="list"
        aria-live="polite"
        aria-label={messages('messages')}
      >
        {toasts.map(({ id, kind, text }) => (
          <li key={id} className="gh-notice" data-kind={kind}>
            <p className="gh-notice-title">
              <span className="gh-hidden">{messages(`notice.${kind}`)}: </span>
              {text}
            </p>
            <Button
              kind="plain"
              label={messages('closeMessage', { message: text })}
              onPress={() => close(id)}
            >
              ✕
            </Button>
          </li>
        ))}
      </ul>
    </ToastContext.Provider>
  );
}
