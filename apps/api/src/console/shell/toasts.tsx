import { useFrame } from '../../pages/frame.js';
import { Notice } from '../../pages/parts/marks.js';

/** Answers to what was just done. Read out when they appear, and never in the way. */
export function Toasts() {
  const { notice } = useFrame();
  return (
    <div id="toasts" role="status" aria-live="polite">
      {notice && <Notice tone={notice.tone}>{notice.text}</Notice>}
    </div>
  );
}
