import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { GuardedOverlay, type OverlayProps } from './guards.js';
import { type KeyCommand, keyCommandOf } from './key-commands.js';
import { type Load, useLoaded } from './loaded.js';
import { PAGES } from './pages.js';
import { useSession } from './session.js';

/** Something that is shown above the page. */
type OverlayName = 'palette' | 'keys' | 'help';

const OVERLAYS: Readonly<Record<OverlayName, Load<OverlayProps>>> = {
  palette: () => import('./palette/palette.js').then(({ Palette }) => Palette),
  keys: () => import('./keys-sheet.js').then(({ KeysSheet }) => KeysSheet),
  help: () => import('./help.js').then(({ Help }) => Help),
};

/** Maximum time between the keys of a sequence, in milliseconds. */
const SEQUENCE_MS = 1500;

/** The commands of every page of the console. */
interface Commands {
  /** What is shown above the page at the moment. */
  readonly overlay: ReactNode;
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}

/** Listens to the keys of every page (`app/key-commands.ts`), and shows the palette, the keys and the help. */
export function useCommands(): Commands {
  const [shown, setShown] = useState<OverlayName>();
  const goTo = useGoTo();
  const prefixAt = useRef(-Infinity);
  useEffect(() => {
    const run = (command: KeyCommand, event: KeyboardEvent) => {
      prefixAt.current = command.kind === 'prefix' ? event.timeStamp : -Infinity;
      if (command.kind === 'palette' || command.kind === 'keys') setShown(command.kind);
      else if (command.kind === 'search') return focusSearch();
      else if (command.kind === 'goTo') return goTo(command.key);
      return true;
    };
    const onKey = (event: KeyboardEvent) => {
      // A form and an open dialog have their own keys.
      if (event.defaultPrevented || document.querySelector('[aria-modal=true], dialog[open]')) return;
      const { key, ctrlKey, metaKey, altKey, target, timeStamp } = event;
      const isAfterPrefix = timeStamp - prefixAt.current < SEQUENCE_MS;
      const pressed = { key, ctrlKey, metaKey, altKey, isTyping: isTypingIn(target) };
      const command = keyCommandOf(pressed, isAfterPrefix);
      if (command && run(command, event)) event.preventDefault();
    };
    // The second key of a sequence comes before the keys of a form on the page: there, "p" goes to the previous problem.
    const onSecondKey = (event: KeyboardEvent) => {
      if (event.timeStamp - prefixAt.current >= SEQUENCE_MS) return;
      onKey(event);
      if (event.defaultPrevented) event.stopPropagation();
    };
    window.addEventListener('keydown', onSecondKey, true);
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onSecondKey, true);
      window.removeEventListener('keydown', onKey);
    };
  }, [goTo]);
  const close = useCallback(() => setShown(undefined), []);
  return {
    overlay: shown && (
      <GuardedOverlay key={shown} onClose={close}>
        <Overlay name={shown} onClose={close} />
      </GuardedOverlay>
    ),
    openPalette: () => setShown('palette'),
    openHelp: () => setShown('help'),
  };
}

function Overlay({ name, onClose }: OverlayProps & { readonly name: OverlayName }): ReactNode {
  const Loaded = useLoaded(OVERLAYS[name]);
  return Loaded ? <Loaded onClose={onClose} /> : null;
}

/** Returns a function that opens the page of a key; false if there is no such page for the user. */
function useGoTo(): (key: string) => boolean {
  const { may } = useSession();
  const [, navigate] = useLocation();
  return useCallback(
    (key) => {
      const page = PAGES.find((one) => one.key === key && may(one.needs));
      if (page) navigate(page.path);
      return page !== undefined;
    },
    [may, navigate],
  );
}

const SEARCH_FIELDS = 'input[type=search], [role=searchbox], [data-search]';

/** Moves the focus to the search field of the page; false if the page has none. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>(`main :is(${SEARCH_FIELDS})`);
  field?.focus();
  field?.select();
  return field !== null;
}

const EDITORS = 'input, textarea, select, [contenteditable=true], [role=textbox], [role=combobox]';
const BUTTON_INPUTS = 'input:is([type=checkbox], [type=radio], [type=button], [type=submit], [type=range])';

/** Returns true if a key that is pressed in this target is typed text, and not a command. */
function isTypingIn(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(EDITORS) !== null && !target.matches(BUTTON_INPUTS);
}
