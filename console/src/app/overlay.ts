/** Properties of everything that is shown above the page. */
export interface OverlayProps {
  readonly onClose: () => void;
}
